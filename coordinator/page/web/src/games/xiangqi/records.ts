// Lines of xiangqi moves: UCCI, and PGN with coordinates ("H2-E2").
import type { FinishedGame, Line, RecordFile } from "../kind";
import { read, write } from "./rules";

const placement = /(?:[1-9rnbakcpheRNBAKCPHE]+\/){9}[1-9rnbakcpheRNBAKCPHE]+/;

const tagOrComment = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{[^}]*(?:\}|$)|;.*/g;

// A PGN without what may look like moves: tags but for the FEN's value, comments, variations.
function mainLineOf(pgn: string): string {
  let text = pgn.replace(tagOrComment, (_, tag?: string, value?: string) =>
    tag?.toUpperCase() === "FEN" ? ` ${value} ` : " ");
  // Variations stand inside each other: the innermost go first.
  for (let before = ""; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, " ");
  }
  return text;
}

export function readRecord(record: string): Line | null {
  const text = mainLineOf(record);
  const fen = new RegExp(`${placement.source}(?: +[wbr])?(?: +- +-)?(?: +\\d+ +\\d+)?`).exec(text)?.[0];
  const moves = [...text.replace(fen ?? "", " ").matchAll(/\b([a-i][0-9])-?([a-i][0-9])\b/gi)].map(([, from, to]) =>
    (from + to).toLowerCase());
  if (!fen) return moves.length > 0 || /\bstartpos\b/.test(text) ? { start: "startpos", moves } : null;
  // Letters and side in the coordinator's form.
  const [pieces, side = "w", ...rest] = fen.split(/ +/);
  const usual = pieces.replace(/[HhEe]/g, (letter) => ({ H: "N", h: "n", E: "B", e: "b" })[letter]!);
  return { start: write(read([usual, side === "r" ? "w" : side, ...rest].join(" "))), moves };
}

// UCCI has no word for the end of a game; the result follows the moves, as in a PGN.
const results: { [result: string]: string } = { first_wins: "1-0", second_wins: "0-1", draw: "1/2-1/2" };

const lineOf = ({ start, moves, result }: FinishedGame) =>
  `${start === "startpos" ? start : `fen ${start}`} moves ${moves.join(" ")} ${results[result] ?? "*"}\n`;

export const recordFiles: RecordFile[] = [{ name: "UCCI", ending: "ucci", write: lineOf }];
