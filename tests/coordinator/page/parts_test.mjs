// What the page makes of the coordinator's replies and of its own address.
//   node parts_test.mjs NODE_MODULES SOURCE_DIR
import assert from "node:assert/strict";
import { load } from "./load.mjs";

// An imported game may have no result, and counts.
const { decidedGames, gamesOf } = await load("move_games.ts");
const results = { wins: 3, draws: 1, losses: 2 };
assert.deepEqual([decidedGames(results), gamesOf(results)], [6, 6]);
assert.deepEqual([decidedGames({ ...results, games: 40 }), gamesOf({ ...results, games: 40 })], [6, 40]);
