// A line of moves played on a board.
import type { GameKind, Position } from "./games/kind";

export interface Step {
  move: string; // as text, "7g7f"
  before: Position;
  after: Position;
}

export interface Played {
  start: Position;
  steps: Step[];
  position: Position; // at the end
  whole: boolean; // every move was legal
}

// Stops at the first move that is illegal here.
export function play(kind: GameKind, text: string, moves: string[]): Played {
  const start = kind.start(text);
  const steps: Step[] = [];
  let position = start;
  for (const move of moves) {
    const after = position.after(move);
    if (!after) break;
    steps.push({ move, before: position, after });
    position = after;
  }
  return { start, steps, position, whole: steps.length === moves.length };
}
