// What the page knows of the games: which moves are legal, what follows, what moves are called.
//   node games_test.mjs NODE_MODULES SOURCE_DIR
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load, source } from "./load.mjs";

const { gameOf } = await load("games/index.ts");
const rules = await load("games/xiangqi/rules.ts");

const playOut = (position, moves) =>
  moves.split(" ").reduce((at, move) => {
    const next = at.after(move);
    assert.ok(next, `${move} in ${at.text}`);
    return next;
  }, position);

// As many lines of legal moves as everybody counts.
const perft = (board, depth) => {
  if (depth === 0) return 1;
  let lines = 0;
  for (let from = 0; from < 90; ++from) {
    for (let to = 0; to < 90; ++to) {
      if (rules.isLegal(board, from, to)) lines += perft(rules.after(board, from, to), depth - 1);
    }
  }
  return lines;
};
assert.deepEqual([1, 2].map((depth) => perft(rules.read("startpos"), depth)), [44, 1920]);
for (const [fen, count] of [
  // The horse keeps the kings apart, and the rook the rook away; the kings never see each other.
  ["3k5/9/9/9/9/9/9/3N5/9/3K5 w - - 0 1", 2],
  ["4k4/9/9/9/4r4/9/9/4R4/9/4K4 w - - 0 1", 7],
  ["3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 2],
  // Of a cannon's check the screen goes, and nothing else helps.
  ["3k5/9/3n5/9/9/3C5/9/9/9/4K4 b - - 0 1", 8],
]) {
  assert.equal(perft(rules.read(fen), 1), count, fen);
}

// Cycles of four plies and more, from positions of every kind: each ends where it began.
const cycles = readFileSync(join(source, "tests/data/xiangqi_cycles.tsv"), "utf8").trim().split("\n").slice(1);
for (const line of cycles) {
  const [fen, moves] = line.split("\t");
  const placement = (text) => text.split(" ").slice(0, 2).join(" ");
  assert.equal(placement(playOut(gameOf("xiangqi").start(fen), moves).text), placement(fen));
}
assert.ok(cycles.length > 100);

// What a player says of his move, in letters and in characters.
const xiangqi = gameOf("xiangqi").start("startpos");
assert.equal(xiangqi.text, "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1");
assert.equal(playOut(xiangqi, "h2e2 h9g7 h0g2 i9h9").text,
  "rnbakabr1/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3");
assert.equal(playOut(xiangqi, "h2h9").text.split(" ").slice(3).join(" "), "- 0 1");
const named = (fen, move) => ["en", "ja"].map((language) => gameOf("xiangqi").start(fen).nameOf(move, language).text).join(" ");
for (const [fen, move, names] of [
  ["startpos", "h2e2", "C2=5 炮二平五"],
  ["startpos", "b0c2", "H8+7 馬八進七"],
  ["startpos", "c3c4", "P7+1 兵七進一"],
  ["startpos", "c0e2", "E7+5 相七進五"],
  ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "h9g7", "H8+7 馬８進７"],
  ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "b7e7", "C2=5 砲２平５"],
  ["rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", "a9a8", "R1+1 車１進１"],
  // Two on one file are the front and the rear one, to either side.
  ["4k4/9/9/4R4/9/4R4/9/9/9/3K5 w - - 0 1", "e6e8", "R++2 前車進二"],
  ["4k4/9/9/4R4/9/4R4/9/9/9/3K5 w - - 0 1", "e4a4", "R-=9 後車平九"],
  ["3k5/9/9/4c4/9/4c4/9/9/9/4K4 b - - 0 1", "e4e5", "C+-1 前砲退１"],
  ["3k5/9/4P4/4P4/4P4/9/9/9/9/4K4 w - - 0 1", "e6d6", "P.=6 中兵平六"],
  // Advisers on one file are told apart by their way.
  ["3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1", "d0e1", "A6+5 仕六進五"],
  ["3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1", "d2e1", "A6-5 仕六退五"],
  // Where front and rear say too little, and what is no move.
  ["3k5/9/9/2P1P4/2P1P4/9/9/9/9/4K4 w - - 0 1", "e6f6", "e6f6 e6f6"],
  ["startpos", "e0e2", "e0e2 e0e2"],
  ["startpos", "7g7f", "7g7f 7g7f"],
]) {
  assert.equal(named(fen, move), names, fen);
}

// Pieces are moved on the board: every legal move begins somewhere, and promotions are moves of their own.
const squares = (ranks) => [..."123456789abcdefghi"].flatMap((file) => [...ranks].map((rank) => file + rank));
const moveCount = (position, places) => places.flatMap((place) => position.movesFrom(place)).length;
assert.equal(moveCount(xiangqi, squares("0123456789")), 44);
assert.deepEqual(xiangqi.movesFrom("b0").sort(), ["b0a2", "b0c2"]);
assert.deepEqual(xiangqi.movesFrom("b9"), []);
const shogiPlaces = [...squares("abcdefghi"), ..."PLNSGBR".split("").map((piece) => piece + "*")];
assert.equal(moveCount(gameOf("shogi").start("startpos"), shogiPlaces), 30);
const bishops = playOut(gameOf("shogi").start("startpos"), "7g7f 3c3d");
assert.deepEqual(bishops.movesFrom("8h").filter((move) => move.startsWith("8h2b")).sort(), ["8h2b", "8h2b+"]);
// A knight may stay none on the last two ranks; a second pawn on a file may not be dropped.
const knight = gameOf("shogi").start("4k4/9/9/4N4/4P4/9/9/9/4K4 b NP 1");
assert.deepEqual(knight.movesFrom("5d").sort(), ["5d4b+", "5d6b+"]);
assert.ok(!knight.movesFrom("P*").some((move) => move.startsWith("P*5")));
assert.equal(knight.movesFrom("P*").length, 8 * 8);

// What people paste, and what they save.
const read = (game, text) => gameOf(game).readRecord(text);
const line = { start: "startpos", moves: ["h2e2", "h9g7"] };
for (const text of ["startpos moves h2e2 h9g7", "position startpos moves h2e2 h9g7", "h2e2 h9g7 1-0", "1. H2-E2 H9-G7"]) {
  assert.deepEqual(read("xiangqi", text), line, text);
}
const fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RHEAKAEHR b - - 1 1";
assert.deepEqual(read("xiangqi", `fen ${fen} moves h9g7`),
  { start: "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1", moves: ["h9g7"] });
// A FEN's ranks, tags, comments and variations look like moves, and are none.
const pgn = `[Game "Chinese Chess"]
[Opening "C3-C4; a \\"quiet\\" {one}"]

1. H2-E2 {better than B2-E2 (or H2-D2)} (1. C3-C4 (1. G3-G4 G6-G5) C6-C5) H9-G7 ; 2. H0-G2
*
`;
assert.deepEqual(read("xiangqi", pgn), line);
const cannons = "3k5/9/9/9/9/c2c5/9/9/9/4K4 b - - 0 1";
for (const text of [`fen ${cannons} moves c4c5`, `[FEN "${cannons}"]\n1. C4-C5 *`]) {
  assert.deepEqual(read("xiangqi", text), { start: cannons, moves: ["c4c5"] }, text);
}
assert.equal(read("xiangqi", "{h2e2}"), null);
assert.equal(read("xiangqi", "the quick brown fox"), null);
const usi = { start: "startpos", moves: ["7g7f", "3c3d"] };
for (const text of ["startpos moves 7g7f 3c3d", "position startpos moves 7g7f 3c3d", "7g7f 3c3d",
  "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n", "V2.2\nPI\n+\n+7776FU\n-3334FU\n"]) {
  assert.deepEqual(read("shogi", text), usi, text);
}
const tsume = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
assert.deepEqual(read("shogi", `sfen ${tsume}`), { start: tsume, moves: [] });
for (const text of ["the quick brown fox", "nonsense", ""]) assert.equal(read("shogi", text), null);
const ended = { ...usi, result: "second_wins", termination: "resign" };
const saved = Object.fromEntries(gameOf("shogi").recordFiles.map((file) => [file.name, file.write(ended)]));
for (const text of Object.values(saved)) assert.deepEqual(read("shogi", text), usi, text);
assert.match(saved.KIF, /投了/);
assert.match(saved.CSA, /%TORYO/);
// Who has won by a foul, and a declaration that wins nothing: of both sides to move.
for (const [moves, result, termination, kif, csa] of [
  ["7g7f 3c3d", "first_wins", "perpetual_check", "反則勝ち", "%-ILLEGAL_ACTION"],
  ["7g7f 3c3d", "second_wins", "perpetual_check", "反則負け", "%ILLEGAL_MOVE"],
  ["7g7f", "second_wins", "perpetual_check", "反則勝ち", "%+ILLEGAL_ACTION"],
  ["7g7f", "first_wins", "perpetual_check", "反則負け", "%ILLEGAL_MOVE"],
  ["7g7f", "second_wins", "declaration", "入玉勝ち", "%KACHI"],
  ["7g7f", "draw", "declaration", "持将棋", "%JISHOGI"],
]) {
  const game = { start: "startpos", moves: moves.split(" "), result, termination };
  const [KIF, CSA] = ["KIF", "CSA"].map((name) => gameOf("shogi").recordFiles.find((file) => file.name === name).write(game));
  assert.match(KIF, new RegExp(`\\d +${kif}`), `${result} ${termination}`);
  assert.deepEqual(CSA.match(/^%.*$/gm), [csa], `${result} ${termination}`);
}
const [ucci] = gameOf("xiangqi").recordFiles;
assert.equal(ucci.write({ ...line, result: "first_wins", termination: "perpetual_check" }), "startpos moves h2e2 h9g7 1-0\n");

// Every word is there in both languages, and a Japanese one has no English in it but what people write so.
const { languages } = await load("words.ts");
const latin = { code: ["ja"], language: ["English"], help: ["Enter"] };
const flat = (words, under = "") => Object.entries(words).flatMap(([key, word]) =>
  typeof word === "string" ? [[under + key, word]] : flat(word, `${under}${key}.`));
const tables = [["page", languages.en, languages.ja],
  ...["shogi", "xiangqi"].map((game) => [game, gameOf(game).words.en, gameOf(game).words.ja])];
for (const [table, english, japanese] of tables) {
  const [en, ja] = [flat(english), flat(japanese)];
  assert.deepEqual(ja.map(([key]) => key), en.map(([key]) => key), table);
  for (const [key, word] of ja) {
    assert.notEqual(word.trim(), "", `${table}.${key}`);
    assert.deepEqual(word.match(/[A-Za-z]+/g) ?? [], latin[key] ?? [], `${table}.${key}: ${word}`);
  }
}
// Whatever a game may end by has a word.
for (const ending of readFileSync(join(source, "engine/core/outcome.cc"), "utf8").matchAll(/Termination::k\w+, "(\w+)"/g)) {
  const known = (words) => words[ending[1]] !== undefined;
  assert.ok(known(languages.en) || known(gameOf("shogi").words.en), ending[1]);
}

// Shogi is tsshogi's.
const shogi = gameOf("shogi").start("startpos");
assert.equal(shogi.nameOf("7g7f", "en").text, "☗７六歩");
assert.equal(playOut(shogi, "7g7f 3c3d 8h2b+").text,
  "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 1");
assert.equal(shogi.after("7g7e"), null);
