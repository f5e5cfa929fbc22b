import { useMemo, useState } from "preact/hooks";
import type { Marks, Position } from "./games/kind";
import { MoveName } from "./move_name";

const endOf = (move: string) => move.slice(2, 4);

// The place that is drawn at a point of the screen.
const placeAt = (x: number, y: number) =>
  document.elementFromPoint(x, y)?.closest("[data-square]")?.getAttribute("data-square") ?? null;

interface Picked {
  at: string; // the position's text
  chosen: string; // where the move begins
  choice: string[]; // moves between the same squares
}
const nothing: Picked = { at: "", chosen: "", choice: [] };

// A board for entering moves: touch or click the places where a move begins and ends, or drag the
// mouse from one to the other.
export function PlayBoard({ position, onMove, ...marks }: Marks & {
  position: Position;
  onMove: (move: string) => void;
}) {
  // The picked place stays while the position is shown, even if the position is requested again.
  const [picked, setPicked] = useState<Picked>(nothing);
  const { chosen, choice } = picked.at === position.text ? picked : nothing;
  const moves = useMemo(() => (chosen ? position.movesFrom(chosen) : []), [position.text, chosen]);
  const make = (move: string) => {
    setPicked(nothing);
    onMove(move);
  };
  const pick = (place: string) => {
    const here = moves.filter((move) => endOf(move) === place);
    if (here.length === 1) make(here[0]);
    else if (here.length > 1) setPicked({ at: position.text, chosen, choice: here });
    else setPicked({ at: position.text, chosen: position.movesFrom(place).length > 0 ? place : "", choice: [] });
  };
  const onDown = (event: PointerEvent) => {
    const place = placeAt(event.clientX, event.clientY);
    if (place) pick(place);
  };
  const onUp = (event: PointerEvent) => {
    const place = placeAt(event.clientX, event.clientY);
    // The place of the press is already picked.
    if (place && chosen && moves.some((move) => endOf(move) === place)) pick(place);
  };
  return (
    <div class="playable" onPointerDown={onDown} onPointerUp={onUp}>
      {position.draw({ ...marks, chosen, targets: moves.map(endOf) })}
      {choice.length > 0 && (
        <div class="choice" role="group" aria-label={marks.words.move} onPointerDown={(event) => event.stopPropagation()}>
          {choice.map((move) => (
            <button key={move} onClick={() => make(move)}>
              <MoveName at={position} move={move} words={marks.words} />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
