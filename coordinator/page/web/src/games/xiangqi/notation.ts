// People's notation of a move: piece, file and direction, with files counted from the mover's
// right. It is in letters by the World Xiangqi Federation, "C2=5", or in characters, "炮二平五".
import { type Board, fileOf, files, isRed, kindOf, rankOf, ranks, textOf } from "./rules";

// Pieces by the letters of a FEN.
const letters: Record<string, string> = { K: "K", A: "A", B: "E", N: "H", R: "R", C: "C", P: "P" };
const redCharacters: Record<string, string> = { K: "帥", A: "仕", B: "相", N: "馬", R: "車", C: "炮", P: "兵" };
const blackCharacters: Record<string, string> = { K: "將", A: "士", B: "象", N: "馬", R: "車", C: "砲", P: "卒" };

export const letterOf = (piece: string) => letters[kindOf(piece)];
export const characterOf = (piece: string) => (isRed(piece) ? redCharacters : blackCharacters)[kindOf(piece)];

export const redNumbers = "一二三四五六七八九";
export const blackNumbers = "１２３４５６７８９";

// Files as the mover counts them, from 1.
const counted = (square: number, red: boolean) => (red ? files - fileOf(square) : fileOf(square) + 1);

// The distinction of the piece on `from` among its kind on its file, counted from the front; null:
// the file itself, as usual. Advisers and elephants are distinguished by their direction.
function placeOf(board: Board, from: number): { place: number; of: number } | null {
  const piece = board.pieces[from];
  if ("AB".includes(kindOf(piece))) return null;
  const onFile: number[] = [];
  for (let rank = 0; rank < ranks; ++rank) {
    const square = fileOf(from) + files * (isRed(piece) ? ranks - 1 - rank : rank);
    if (board.pieces[square] === piece) onFile.push(square);
  }
  return onFile.length > 1 ? { place: onFile.indexOf(from), of: onFile.length } : null;
}

// Pawns on two files with several each: front and rear are ambiguous.
function isAmbiguous(board: Board, from: number): boolean {
  const piece = board.pieces[from];
  let crowded = 0;
  for (let file = 0; file < files; ++file) {
    let pawns = 0;
    for (let rank = 0; rank < ranks; ++rank) pawns += Number(board.pieces[files * rank + file] === piece);
    crowded += Number(pawns > 1);
  }
  return crowded > 1;
}

// REQUIRES: a legal move. A move without an unambiguous form is written by its squares.
export function nameOfMove(board: Board, from: number, to: number, inCharacters: boolean): string {
  const piece = board.pieces[from];
  const red = isRed(piece);
  const number = (n: number) => (inCharacters ? (red ? redNumbers : blackNumbers)[n - 1] : String(n));
  const name = inCharacters ? characterOf(piece) : letterOf(piece);
  const place = placeOf(board, from);
  if (place && (place.of > 3 || isAmbiguous(board, from))) return textOf(from, to);
  let who = name + number(counted(from, red));
  if (place) {
    const words = inCharacters ? (place.of === 2 ? "前後" : "前中後") : place.of === 2 ? "+-" : "+.-";
    who = inCharacters ? words[place.place] + name : name + words[place.place];
  }
  const up = (rankOf(to) - rankOf(from)) * (red ? 1 : -1);
  const way = (inCharacters ? "退平進" : "-=+")[Math.sign(up) + 1];
  const vertical = fileOf(from) === fileOf(to);
  return who + way + number(vertical ? Math.abs(up) : counted(to, red));
}
