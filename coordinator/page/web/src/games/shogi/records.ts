// Shogi records in common formats, by tsshogi.
import {
  Color,
  Position,
  Record,
  RecordFormatType,
  SpecialMoveType,
  detectRecordFormat,
  exportCSA,
  exportKIF,
  importCSA,
  importJKFString,
  importKI2,
  importKIF,
  specialMove,
} from "tsshogi";
import type { FinishedGame, Line, RecordFile } from "../kind";

function importAny(text: string): Record | Error {
  switch (detectRecordFormat(text)) {
    case RecordFormatType.KIF:
      return importKIF(text);
    case RecordFormatType.KI2:
      return importKI2(text);
    case RecordFormatType.CSA:
      return importCSA(text);
    case RecordFormatType.JKF:
      return importJKFString(text);
    case RecordFormatType.SFEN: {
      const position = Position.newBySFEN(text.replace(/^sfen\s+/, ""));
      return position ? new Record(position) : new Error();
    }
    default:
      return Record.newByUSI(text);
  }
}

export function readRecord(text: string): Line | null {
  const line = text.trim();
  const record = importAny(/^([1-9][a-i]|[PLNSGBR]\*)[1-9][a-i]/.test(line) ? `startpos moves ${line}` : line);
  if (record instanceof Error) return null;
  const [, start, moves] = /^position (?:sfen )?(.*?)(?: moves (.*))?$/.exec(record.getUSI({ allMoves: true }))!;
  // tsshogi accepts any prose as a record without moves.
  if (!moves && !/^(sfen |position )?(startpos|\S+\/\S+ [bw] )/.test(line)) return null;
  return { start, moves: moves ? moves.split(" ") : [] };
}

// The end of a record, by the coordinator's word, where the side to move and the result do not
// matter.
const endings: { [termination: string]: SpecialMoveType } = {
  no_legal_move: SpecialMoveType.MATE,
  resign: SpecialMoveType.RESIGN,
  repetition: SpecialMoveType.REPETITION_DRAW,
  max_plies: SpecialMoveType.MAX_MOVES,
  time_forfeit: SpecialMoveType.TIMEOUT,
};

function endOf({ result, termination }: FinishedGame, toMove: Color): SpecialMoveType {
  switch (termination) {
    case "perpetual_check":
      // Either side may have come to the position for the last time: the result says who checked.
      return result === (toMove === Color.BLACK ? "first_wins" : "second_wins")
        ? SpecialMoveType.FOUL_WIN
        : SpecialMoveType.FOUL_LOSE;
    case "declaration":
      return result === "draw" ? SpecialMoveType.IMPASS : SpecialMoveType.ENTERING_OF_KING;
    default:
      return endings[termination] ?? SpecialMoveType.INTERRUPT;
  }
}

function recordOf(game: FinishedGame): Record {
  const { start, moves } = game;
  const position = new Position();
  if (start !== "startpos") position.resetBySFEN(start);
  const record = new Record(position);
  for (const text of moves) {
    const move = record.position.createMoveByUSI(text);
    if (!move || !record.append(move)) break;
  }
  record.append(specialMove(endOf(game, record.position.color)));
  return record;
}

export const recordFiles: RecordFile[] = [
  { name: "KIF", ending: "kif", write: (game) => exportKIF(recordOf(game)) },
  { name: "CSA", ending: "csa", write: (game) => exportCSA(recordOf(game)) },
  { name: "USI", ending: "usi", write: (game) => `${recordOf(game).getUSI({ allMoves: true })}\n` },
];
