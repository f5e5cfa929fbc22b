// The games that the page knows, by the coordinator's word (/api/status).
import type { GameKind } from "./kind";
import { shogi } from "./shogi/game";
import { xiangqi } from "./xiangqi/game";

const games: Record<string, GameKind> = { shogi, xiangqi };

export const gameOf = (word: string): GameKind => games[word] ?? shogi;
