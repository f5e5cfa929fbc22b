import { Move, PieceType, Position as Board, Square, formatMove, parseUSIMove } from "tsshogi";
import type { GameKind, Marks, Position } from "../kind";
import { draw } from "./board";
import { readRecord, recordFiles } from "./records";

class ShogiPosition implements Position {
  constructor(readonly board: Board) {}

  get text() {
    return this.board.sfen;
  }
  nameOf(text: string) {
    const move = this.board.createMoveByUSI(text);
    return { text: move ? formatMove(this.board, move) : text, lang: "ja" };
  }
  after(text: string): Position | null {
    const move = this.board.createMoveByUSI(text);
    const next = this.board.clone();
    return move && next.doMove(move) ? new ShogiPosition(next) : null;
  }
  movesFrom(place: string): string[] {
    // Characters behind the place do not matter.
    const from = parseUSIMove(place + "5e")?.from as Square | PieceType | undefined;
    if (from === undefined) return [];
    const moves: Move[] = [];
    for (const to of Square.all) {
      const move = this.board.createMove(from, to);
      if (move) moves.push(move, move.withPromote());
    }
    const texts = moves.filter((move) => this.board.isValidMove(move)).map((move) => move.usi);
    return [...new Set(texts)];
  }
  draw(marks: Marks) {
    return draw(this.board, marks);
  }
}

export const shogi: GameKind = {
  start(text) {
    const board = new Board();
    if (text && text !== "startpos") board.resetBySFEN(text);
    return new ShogiPosition(board);
  },
  readRecord,
  recordTexts: ["KIF", "KI2", "CSA"],
  recordFiles,
  positionName: "SFEN",
  lineName: "USI",
  openingLanguage: "ja",
  words: {
    en: {
      first: "Black",
      second: "White",
      first_wins: "Black won",
      second_wins: "White won",
      no_legal_move: "no legal move",
    },
    ja: {
      first: "先手",
      second: "後手",
      first_wins: "先手勝ち",
      second_wins: "後手勝ち",
      no_legal_move: "詰み",
    },
  },
};
