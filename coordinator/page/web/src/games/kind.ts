// A game of the page, as the page sees it: how its positions follow each other, what its moves are called
// and how its board looks.
import type { VNode } from "preact";
import type { GameWords, Language, Words } from "../words";

// Moves are text as the coordinator has it: two characters for the place that it begins at (a square, or a
// kind of piece that is dropped, "P*"), two for the square where it ends, and perhaps one more.
export interface Marks {
  last?: string; // the move that led here: its squares are marked
  look?: string; // the move that is looked at: its squares are framed
  // The more a move counts, the thicker; 0 to 1. `past`: it is no answer any more.
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
  // As people of that language read it; what is no move here is called by its text.
  nameOf(move: string, language: Language): Name;
  after(move: string): Position | null; // null: it is no move here
  movesFrom(place: string): string[]; // the legal moves that begin there
  // What a place is drawn of carries its name as data-square.
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
  // A record, a line of moves or a position, in whatever form people have it; null: it is none.
  readRecord(text: string): Line | null;
  recordTexts: string[]; // what readRecord reads beside positions and lines of moves, by name
  recordFiles: RecordFile[];
  positionName: string; // what people call a position's text
  lineName: string; // and a line of moves
  openingLanguage: string; // that openings were named in
  words: Record<Language, GameWords>;
}
