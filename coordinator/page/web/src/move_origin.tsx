import { wordFor, type Words } from "./words";

// How a move that a run's input book lacks was found, and what made it the answer.
export function MoveOrigin({ move, words }: {
  move: { origin: string | null; decided_by: string | null };
  words: Words;
}) {
  return (
    <>
      {move.origin && move.origin !== "book" && ` · ${wordFor(words, `origin_${move.origin}`)}`}
      {move.decided_by && ` · ${wordFor(words, `decided_${move.decided_by}`)}`}
    </>
  );
}
