// The address names the shown line: #/explorer/RUN/MOVE/MOVE..., moves from the run's start; with
// @POSITION before them, moves from there.
export const hashOf = (run: number, path: string[]) =>
  ["#/explorer", run, ...path.map((part) => (part.startsWith("@") ? encodeURIComponent(part) : part))].join("/");

// A part that somebody has typed may be no encoding, and then stands for itself.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const partsOf = (hash: string) => hash.replace(/^#\/?/, "").split("/").map(decoded).filter(Boolean);

export const readAddress = () => partsOf(location.hash);
