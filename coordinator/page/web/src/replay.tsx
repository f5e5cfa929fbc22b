import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Game } from "./api";
import type { GameKind, RecordFile } from "./games/kind";
import { play } from "./line";
import { MoveName } from "./move_name";
import { ScoreGraph } from "./score_graph";
import { wordFor, type Words } from "./words";

// One game, replayed on a board of its own.
export function Replay({ kind, start, game, words, onClose }: {
  kind: GameKind;
  start: string;
  game: Game;
  words: Words;
  onClose: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const played = useMemo(() => play(kind, start, game.moves.split(" ")), [kind, start, game]);
  const [ply, setPly] = useState(game.book_plies);
  const [flipped, setFlipped] = useState(false);
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
  const save = (file: RecordFile) => {
    const text = file.write({ start, moves: game.moves.split(" "), result: game.result, termination: game.termination });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = `game-${game.commit_seq}.${file.ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
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
      {(step ? step.after : played.start).draw({ last: step?.move, flipped, words })}
      <p aria-live="polite">
        {ply} / {most} {step && <MoveName at={step.before} move={step.move} words={words} />}
        {ply === most && ` — ${wordFor(words, game.result)}, ${wordFor(words, game.termination)}`}
      </p>
      <div class="buttons">
        <button onClick={() => to(0)} aria-label={words.first}>|◀</button>
        <button onClick={() => to(ply - 1)} aria-label={words.back}>◀</button>
        <input type="range" min="0" max={most} value={ply} onInput={(e) => to(Number(e.currentTarget.value))} aria-label={words.move} />
        <button onClick={() => to(ply + 1)} aria-label={words.next}>▶</button>
        <button onClick={() => to(most)} aria-label={words.last}>▶|</button>
      </div>
      <ScoreGraph scores={game.scores} from={game.book_plies} ply={ply} plies={most} label={words.scores} onPly={to} />
      <div class="buttons files">
        <button onClick={() => setFlipped(!flipped)} aria-pressed={flipped}>{words.flip}</button>
        <span>{words.download}</span>
        {kind.recordFiles.map((file) => (
          <button key={file.name} onClick={() => save(file)}>{file.name}</button>
        ))}
      </div>
    </dialog>
  );
}
