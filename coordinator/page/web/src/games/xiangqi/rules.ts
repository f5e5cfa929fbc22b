// Xiangqi as far as a page needs it: positions and legal moves. The coordinator decides how games
// end.

export const files = 9;
export const ranks = 10;

// Squares are numbered by ranks from a0 = 0, the left corner on Red's side, to i9 = 89. A piece is
// its letter of the FEN, upper case for Red; "" is an empty square.
export interface Board {
  pieces: string[];
  red: boolean; // is to move
  quiet: number; // plies without a capture
  number: number; // of the move
}

export const fileOf = (square: number) => square % files;
export const rankOf = (square: number) => Math.floor(square / files);
export const isRed = (piece: string) => piece !== "" && piece < "a";
export const kindOf = (piece: string) => piece.toUpperCase();

export const nameOfSquare = (square: number) => "abcdefghi"[fileOf(square)] + rankOf(square);
export const textOf = (from: number, to: number) => nameOfSquare(from) + nameOfSquare(to);
export function squaresOf(text: string): [number, number] | null {
  const found = /^([a-i])([0-9])([a-i])([0-9])$/.exec(text);
  if (!found) return null;
  const square = (file: string, rank: string) => file.charCodeAt(0) - 97 + files * Number(rank);
  return [square(found[1], found[2]), square(found[3], found[4])];
}

const startFen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

// REQUIRES: "startpos", or a FEN that the coordinator wrote.
export function read(text: string): Board {
  const [placement, side, , , quiet, number] = (text === "startpos" || !text ? startFen : text).split(" ");
  const pieces = placement
    .split("/")
    .reverse()
    .flatMap((rank) => [...rank].flatMap((c) => (/\d/.test(c) ? Array(Number(c)).fill("") : [c])));
  return { pieces, red: side !== "b", quiet: Number(quiet ?? 0), number: Number(number ?? 1) };
}

export function write(board: Board): string {
  const rows: string[] = [];
  for (let rank = ranks - 1; rank >= 0; --rank) {
    const row = board.pieces.slice(files * rank, files * (rank + 1)).map((piece) => piece || "1").join("");
    rows.push(row.replace(/1+/g, (empty) => String(empty.length)));
  }
  return `${rows.join("/")} ${board.red ? "w" : "b"} - - ${board.quiet} ${board.number}`;
}

type Step = [number, number]; // files to the right, ranks up
const straight: Step[] = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const diagonal: Step[] = [[1, 1], [1, -1], [-1, 1], [-1, -1]];

function shifted(square: number, [right, up]: Step): number | null {
  const file = fileOf(square) + right;
  const rank = rankOf(square) + up;
  return file >= 0 && file < files && rank >= 0 && rank < ranks ? rank * files + file : null;
}

const inPalace = (square: number, red: boolean) =>
  Math.abs(fileOf(square) - 4) <= 1 && (red ? rankOf(square) <= 2 : rankOf(square) >= 7);
const atHome = (square: number, red: boolean) => (red ? rankOf(square) <= 4 : rankOf(square) >= 5);

// The targets of the piece on `from`, regardless of kings; squares of own pieces are included.
function reach(pieces: string[], from: number): number[] {
  const red = isRed(pieces[from]);
  const to: number[] = [];
  const add = (square: number | null, allowed = true) => {
    if (square !== null && allowed) to.push(square);
  };
  const slide = (step: Step, jumps: boolean) => {
    let screens = 0;
    for (let at = shifted(from, step); at !== null; at = shifted(at, step)) {
      const empty = pieces[at] === "";
      if (jumps ? (screens === 0 && empty) || (screens === 1 && !empty) : true) to.push(at);
      if (!empty && ++screens > (jumps ? 1 : 0)) break;
    }
  };
  switch (kindOf(pieces[from])) {
    case "K":
      for (const step of straight) {
        const at = shifted(from, step);
        add(at, at !== null && inPalace(at, red));
      }
      break;
    case "A":
      for (const step of diagonal) {
        const at = shifted(from, step);
        add(at, at !== null && inPalace(at, red));
      }
      break;
    case "B":
      for (const [right, up] of diagonal) {
        const eye = shifted(from, [right, up]);
        const at = shifted(from, [2 * right, 2 * up]);
        add(at, at !== null && pieces[eye!] === "" && atHome(at, red));
      }
      break;
    case "N":
      for (const [right, up] of straight) {
        const leg = shifted(from, [right, up]);
        if (leg === null || pieces[leg] !== "") continue;
        for (const side of [1, -1]) add(shifted(from, [2 * right + side * up, 2 * up + side * right]));
      }
      break;
    case "R":
      for (const step of straight) slide(step, false);
      break;
    case "C":
      for (const step of straight) slide(step, true);
      break;
    case "P":
      add(shifted(from, [0, red ? 1 : -1]));
      if (!atHome(from, red)) for (const right of [1, -1]) add(shifted(from, [right, 0]));
      break;
  }
  return to;
}

// Whether the king of that side can be taken, also by the other king along an open file.
function inCheck(pieces: string[], red: boolean): boolean {
  const king = pieces.indexOf(red ? "K" : "k");
  if (king < 0) return false;
  for (let at = king + (red ? files : -files); at >= 0 && at < pieces.length; at += red ? files : -files) {
    if (pieces[at] === (red ? "k" : "K")) return true;
    if (pieces[at] !== "") break;
  }
  return pieces.some((piece, from) => piece !== "" && isRed(piece) !== red && reach(pieces, from).includes(king));
}

function moved(pieces: string[], from: number, to: number): string[] {
  const next = pieces.slice();
  next[to] = next[from];
  next[from] = "";
  return next;
}

export function isLegal(board: Board, from: number, to: number): boolean {
  const { pieces, red } = board;
  if (pieces[from] === "" || isRed(pieces[from]) !== red) return false;
  if (pieces[to] !== "" && isRed(pieces[to]) === red) return false;
  return reach(pieces, from).includes(to) && !inCheck(moved(pieces, from, to), red);
}

// REQUIRES: a legal move.
export function after(board: Board, from: number, to: number): Board {
  return {
    pieces: moved(board.pieces, from, to),
    red: !board.red,
    quiet: board.pieces[to] === "" ? board.quiet + 1 : 0,
    number: board.number + (board.red ? 0 : 1),
  };
}
