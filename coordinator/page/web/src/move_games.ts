import type { BookMove } from "./api";

type Results = Pick<BookMove, "wins" | "draws" | "losses">;

// Those with a result, which scores and intervals are of.
export const decidedGames = ({ wins, draws, losses }: Results) => wins + draws + losses;

// All games of a move. Imported ones may have no result; those of a run have.
export const gamesOf = (move: Results & Pick<BookMove, "games">) => move.games ?? decidedGames(move);
