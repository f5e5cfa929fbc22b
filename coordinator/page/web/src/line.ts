// A line of moves played on a board.
import { Position, formatMove } from "tsshogi";

export interface Step {
  move: string; // as text, "7g7f"
  name: string; // as people read it
  position: Position; // after it
}

export interface Played {
  start: Position;
  steps: Step[];
  position: Position; // at the end
}

// Stops at the first move that is none here.
export function play(sfen: string, moves: string[]): Played {
  const start = new Position();
  if (sfen && sfen !== "startpos") start.resetBySFEN(sfen);
  const steps: Step[] = [];
  let position = start;
  for (const move of moves) {
    const next = step(position, move);
    if (!next) break;
    steps.push(next);
    position = next.position;
  }
  return { start, steps, position };
}

function step(before: Position, text: string): Step | null {
  const move = before.createMoveByUSI(text);
  if (!move) return null;
  const name = formatMove(before, move);
  const position = before.clone();
  return position.doMove(move) ? { move: text, name, position } : null;
}

export function nameOf(position: Position, text: string): string {
  const move = position.createMoveByUSI(text);
  return move ? formatMove(position, move) : text;
}
