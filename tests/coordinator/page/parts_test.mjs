// What the page makes of the coordinator's replies and of its own address.
//   node parts_test.mjs NODE_MODULES SOURCE_DIR
import assert from "node:assert/strict";
import { load } from "./load.mjs";

// An imported game may have no result, and counts.
const { decidedGames, gamesOf } = await load("move_games.ts");
const results = { wins: 3, draws: 1, losses: 2 };
assert.deepEqual([decidedGames(results), gamesOf(results)], [6, 6]);
assert.deepEqual([decidedGames({ ...results, games: 40 }), gamesOf({ ...results, games: 40 })], [6, 40]);

// A match and a run that has failed have no book to explore.
const { newestRun } = await load("runs.ts");
const tuning = { run: 1, match: false, state: "done" };
assert.equal(newestRun([]), 0);
assert.equal(newestRun([{ ...tuning, match: true }]), 0);
assert.equal(newestRun([tuning, { ...tuning, run: 2, state: "failed" }, { ...tuning, run: 3, match: true }]), 1);
assert.equal(newestRun([tuning, { ...tuning, run: 2, state: "running" }]), 2);

// An address that somebody has typed is no reason for an empty page.
const { hashOf, partsOf } = await load("address.ts");
assert.deepEqual(partsOf("#/explorer/0/%"), ["explorer", "0", "%"]);
assert.deepEqual(partsOf(hashOf(2, ["@4k4/9/9 b - 1", "7g7f"])), ["explorer", "2", "@4k4/9/9 b - 1", "7g7f"]);
assert.deepEqual(partsOf(""), []);

// A line ends before its first illegal move, which is said.
const { play } = await load("line.ts");
const { gameOf } = await load("games/index.ts");
const linePlayed = (moves) => {
  const { steps, whole } = play(gameOf("xiangqi"), "startpos", moves);
  return [steps.length, whole];
};
assert.deepEqual(linePlayed(["h2e2", "h9g7"]), [2, true]);
assert.deepEqual(linePlayed(["h2e2", "h2e2", "h9g7"]), [1, false]);
