import type { Position } from "./games/kind";
import type { Words } from "./words";

// What the move, as text, is called in that position.
export function MoveName({ at, move, words }: { at: Position; move: string; words: Words }) {
  const { text, lang } = at.nameOf(move, words.code);
  return <span lang={lang}>{text}</span>;
}
