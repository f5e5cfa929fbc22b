import { useState } from "preact/hooks";
import type { GameKind, Line } from "./games/kind";
import type { Words } from "./words";

// Export and import of the shown line as text: positions, lines of moves, records.
export function Exchange({ kind, line, text, words, onOpen }: {
  kind: GameKind;
  line: Line;
  text: string; // of the position
  words: Words;
  onOpen: (line: Line) => boolean; // whether every move could be played
}) {
  const [told, setTold] = useState("");
  const copy = async (what: string) => {
    try {
      await navigator.clipboard.writeText(what);
      setTold(words.copied);
    } catch {
      setTold(what); // to be copied by hand
    }
  };
  const open = (event: Event) => {
    event.preventDefault();
    const field = (event.target as HTMLFormElement).elements.namedItem("record") as HTMLTextAreaElement;
    const found = kind.readRecord(field.value);
    if (!found) {
      setTold(words.notRead);
      return;
    }
    field.value = "";
    setTold(onOpen(found) ? "" : words.notAllPlayed);
  };
  const from = line.start === "startpos" ? line.start : `${kind.positionName.toLowerCase()} ${line.start}`;
  const all = line.moves.length > 0 ? `${from} moves ${line.moves.join(" ")}` : from;
  return (
    <details class="exchange">
      <summary>{words.exchange}</summary>
      <div class="buttons">
        <button onClick={() => copy(text)}>
          {words.copy} {kind.positionName}
        </button>
        <button onClick={() => copy(`position ${all}`)}>
          {words.copy} {kind.lineName}
        </button>
      </div>
      <form onSubmit={open}>
        <textarea name="record" rows={3} aria-label={words.record} placeholder={`${kind.positionName}, ${kind.lineName}, ${kind.recordTexts.join(", ")}`} />
        <button>{words.open}</button>
      </form>
      <p class="faint" role="status">{told}</p>
    </details>
  );
}
