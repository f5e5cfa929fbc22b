import type { Position } from "./games/kind";
import type { Words } from "./words";

// The name of a move, given as text, in that position.
export function MoveName({ at, move, words }: { at: Position; move: string; words: Words }) {
  const { text, lang } = at.nameOf(move, words.code);
  return <span lang={lang}>{text}</span>;
}
