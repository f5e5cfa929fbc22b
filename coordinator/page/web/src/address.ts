// The address names what is shown: #/explorer/RUN/MOVE/MOVE...
export const hashOf = (run: number, moves: string[]) => ["#/explorer", run, ...moves].join("/");

export const readAddress = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent).filter(Boolean);
