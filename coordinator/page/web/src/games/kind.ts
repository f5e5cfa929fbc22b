// The interface of a game. It hides the differences between games: successor positions, names of
// moves, and boards.
import type { VNode } from "preact";
import type { GameWords, Language, Words } from "../words";

// Moves are text in the coordinator's form. Two characters name the place that a move begins at (a
// square, or a dropped kind of piece, "P*"), two the square where it ends, and there may be one
// more.
export interface Marks {
  last?: string; // the move that led here: its squares are marked
  look?: string; // the move that is looked at: its squares are framed
  // The importance of the move, 0 to 1, drawn as thickness. `past`: no longer an answer.
  arrows?: { move: string; weight: number; past?: boolean }[];
  flipped?: boolean; // the second side sits below
  chosen?: string; // the place that a move is to begin at
  targets?: string[]; // the squares that it may end at
  words: Words;
}

export interface Name {
  text: string;
  lang: string; // for who has it read aloud
}

export interface Position {
  readonly text: string; // as the coordinator reads it
  // In the usual notation of that language; an illegal move is returned as its text.
  nameOf(move: string, language: Language): Name;
  after(move: string): Position | null; // null: it is no move here
  movesFrom(place: string): string[]; // the legal moves that begin there
  // The drawn parts of a place carry its name as data-square.
  draw(marks: Marks): VNode;
}

export interface Line {
  start: string; // "startpos", or a position's text
  moves: string[];
}

export interface FinishedGame extends Line {
  result: string; // the coordinator's words
  termination: string;
}

export interface RecordFile {
  name: string; // "KIF"
  ending: string; // of the file's name
  write(game: FinishedGame): string;
}

export interface GameKind {
  start(text: string): Position; // "startpos", or a position's text
  // A record, a line of moves or a position, in any common form; null: none of these.
  readRecord(text: string): Line | null;
  recordTexts: string[]; // what readRecord reads beside positions and lines of moves, by name
  recordFiles: RecordFile[];
  positionName: string; // what people call a position's text
  lineName: string; // and a line of moves
  openingLanguage: string; // that openings were named in
  words: Record<Language, GameWords>;
}
