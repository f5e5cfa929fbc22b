import type { GameKind, Marks, Position } from "../kind";
import type { Language } from "../../words";
import { draw } from "./board";
import { nameOfMove } from "./notation";
import { readRecord, recordFiles } from "./records";
import { type Board, after, isLegal, read, squaresOf, textOf, write } from "./rules";

class XiangqiPosition implements Position {
  constructor(private readonly board: Board) {}

  get text() {
    return write(this.board);
  }
  nameOf(text: string, language: Language) {
    const move = this.legal(text);
    const inCharacters = language === "ja";
    return {
      text: move ? nameOfMove(this.board, ...move, inCharacters) : text,
      lang: inCharacters ? "zh-Hant" : "en",
    };
  }
  after(text: string): Position | null {
    const move = this.legal(text);
    return move && new XiangqiPosition(after(this.board, ...move));
  }
  movesFrom(place: string): string[] {
    const from = squaresOf(place + place)?.[0];
    if (from === undefined) return [];
    return this.board.pieces.flatMap((_, to) => (isLegal(this.board, from, to) ? [textOf(from, to)] : []));
  }
  draw(marks: Marks) {
    return draw(this.board, marks);
  }

  private legal(text: string) {
    const move = squaresOf(text);
    return move && isLegal(this.board, ...move) ? move : null;
  }
}

export const xiangqi: GameKind = {
  start: (text) => new XiangqiPosition(read(text)),
  readRecord,
  recordTexts: ["PGN (H2-E2)"],
  recordFiles,
  positionName: "FEN",
  lineName: "UCCI",
  openingLanguage: "zh",
  words: {
    en: {
      first: "Red",
      second: "Black",
      first_wins: "Red won",
      second_wins: "Black won",
      no_legal_move: "no legal move",
    },
    ja: {
      first: "紅",
      second: "黒",
      first_wins: "紅勝ち",
      second_wins: "黒勝ち",
      no_legal_move: "合法手なし",
    },
  },
};
