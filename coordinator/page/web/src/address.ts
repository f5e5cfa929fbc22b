// The address names the shown line: #/explorer/RUN/MOVE/MOVE..., moves from the run's start; with
// @POSITION before them, moves from there.
export const hashOf = (run: number, path: string[]) =>
  ["#/explorer", run, ...path.map((part) => (part.startsWith("@") ? encodeURIComponent(part) : part))].join("/");

export const readAddress = () => location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent).filter(Boolean);
