import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Game } from "./api";
import { Board } from "./board";
import { play } from "./line";
import { wordFor, type Words } from "./words";

// One game, played through on a board of its own.
export function Replay({ start, game, words, onClose }: {
  start: string;
  game: Game;
  words: Words;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const played = useMemo(() => play(start, game.moves.split(" ")), [start, game]);
  const [ply, setPly] = useState(game.book_plies);
  const most = played.steps.length;
  const to = (n: number) => setPly(Math.max(0, Math.min(most, n)));
  useEffect(() => dialog.current!.showModal(), []);
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "ArrowLeft") to(ply - 1);
    else if (event.key === "ArrowRight") to(ply + 1);
    else if (event.key === "Home") to(0);
    else if (event.key === "End") to(most);
    else return;
    event.preventDefault();
  };
  const step = played.steps[ply - 1];
  return (
    <dialog ref={dialog} onClose={onClose} onKeyDown={onKey}>
      <header>
        <b>
          {game.commit_seq} · {game.worker}
        </b>
        <button onClick={() => dialog.current!.close()} aria-label={words.back}>
          ×
        </button>
      </header>
      <Board position={step ? step.position : played.start} last={step?.move} words={words} />
      <p aria-live="polite">
        {ply} / {most} <span lang="ja">{step?.name}</span>
        {ply === most && ` — ${wordFor(words, game.result)}, ${wordFor(words, game.termination)}`}
      </p>
      <div class="buttons">
        <button onClick={() => to(0)} aria-label={words.first}>|◀</button>
        <button onClick={() => to(ply - 1)} aria-label={words.back}>◀</button>
        <input type="range" min="0" max={most} value={ply} onInput={(e) => to(Number(e.currentTarget.value))} aria-label={words.move} />
        <button onClick={() => to(ply + 1)} aria-label={words.next}>▶</button>
        <button onClick={() => to(most)} aria-label={words.last}>▶|</button>
      </div>
    </dialog>
  );
}
