// The page over a book of xiangqi, in Chromium: board, words and moves are the game's.
//   node xiangqi_test.mjs BINARY_DIR WORK_DIR      leaves its screenshots in WORK_DIR
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, fits, folder, joseki, openTab, scene, shot, startCluster, visit } from "./rig.mjs";

await scene(async () => {
  writeFileSync(
    join(folder, "games.ucci"),
    ["h2e2 h9g7 h0g2", "h2e2 b9c7 h0g2", "c3c4 h9g7 h0g2", "c3c4 b7c7 h2e2", "g0e2 h7e7 h0g2"]
      .map((moves) => `startpos moves ${moves}\n`)
      .join(""),
  );
  joseki("import", "--game", "xiangqi", "--book", "book.sqlite", "games.ucci");
  const page = await startCluster("--max-plies", "60");
  const status = await (await fetch(page + "api/status")).json();
  assert.equal(status.game, "xiangqi");

  const english = await openTab(page, { locale: "en-US", colorScheme: "light" });
  await english.goto(page);
  await english.locator(".card h2", { hasText: "evening" }).waitFor();
  await shot(english, "xiangqi-overview-light");
  await english.goto(`${page}#/explorer/1`);
  const moves = english.locator(".moves tbody tr");
  await moves.nth(2).waitFor();
  const names = await moves.locator("th").allInnerTexts();
  assert.deepEqual(names.map((name) => name.split(/\s/)[0]).sort(), ["C2=5", "E3+5", "P7+1"]);
  assert.equal(await english.locator(".board .man").count(), 32);
  const label = await english.locator(".board svg").getAttribute("aria-label");
  assert.ok(label.startsWith("Red (to move): Ra0 Hb0 Ec0 Ad0 Ke0 Af0 Eg0 Hh0 Ri0 Cb2 Ch2 Pa3"), label);
  assert.match(await english.locator(".hand").last().innerText(), /Red/);
  await shot(english, "xiangqi-explorer-light");
  await accessible(english, "xiangqi's explorer, light");
  // A move is played: the cannon stands in the middle, and both its points are marked.
  await moves.filter({ hasText: "C2=5" }).click();
  await english.locator(".board .last").nth(1).waitFor();
  assert.match(await english.locator(".board svg").getAttribute("aria-label"), /Ce2 .*Black \(to move\)/);
  // Black's horse is moved on the board, beyond the book, and a record is pasted.
  await english.locator('.playable [data-square="b9"]').click();
  await english.locator(".board .target").nth(1).waitFor();
  await english.locator('.playable [data-square="a7"]').click();
  await english.waitForFunction(() => location.hash === "#/explorer/1/h2e2/b9a7");
  await english.locator("summary", { hasText: "Copy and paste" }).click();
  await english.locator("textarea").fill("1. C3-C4 H9-G7");
  await english.getByRole("button", { name: "Open" }).click();
  await english.waitForFunction(() => location.hash === "#/explorer/1/c3c4/h9g7");
  await english.locator("textarea").fill("1. C3-C4 H9-G7 {the rook} 2. A0-A9 A9-A8");
  await english.getByRole("button", { name: "Open" }).click();
  await english.locator(".exchange [role=status]", { hasText: "up to a move that is illegal" }).waitFor();
  await english.waitForFunction(() => location.hash === "#/explorer/1/c3c4/h9g7");
  await english.getByRole("button", { name: "Flip the board" }).click();
  await english.locator(".hand", { hasText: "Black" }).and(english.locator(":last-child")).waitFor();
  await shot(english, "xiangqi-flipped-light");
  await visit(english, `${page}#/explorer/1`);
  // A game of it, to its end.
  await english.locator(".games button").first().waitFor();
  assert.match(await english.locator(".games button").first().innerText(), /(Red won|Black won|drawn), \d+, [a-z ]+/);
  await english.locator(".games button").first().click();
  await english.locator("dialog[open] .board .man").first().waitFor();
  await english.keyboard.press("End");
  const [at, of] = (await english.locator("dialog p").innerText()).match(/\d+/g);
  assert.equal(at, of);
  assert.ok(Number(of) > 3);
  const download = english.waitForEvent("download");
  await english.locator(".files button", { hasText: "UCCI" }).click();
  const saved = readFileSync(await (await download).path(), "utf8");
  assert.match(saved, /^startpos moves ([a-i][0-9]){2}.* (1-0|0-1|1\/2-1\/2)\n$/);
  await shot(english, "xiangqi-replay-light");
  await accessible(english, "a game of xiangqi, light");

  const japanese = await openTab(page, { locale: "ja-JP", colorScheme: "dark" });
  await japanese.goto(`${page}#/explorer/1`);
  await japanese.locator(".moves tbody tr", { hasText: "炮二平五" }).waitFor();
  await shot(japanese, "xiangqi-explorer-dark");
  await accessible(japanese, "xiangqi's explorer, Japanese, dark");
  await japanese.goto(`${page}#/workers`);
  await japanese.locator("tbody th", { hasText: "node-1" }).waitFor();

  const phone = await openTab(page, { viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true });
  await phone.goto(`${page}#/explorer/1`);
  await phone.locator(".moves tbody tr").first().tap();
  await phone.waitForFunction(() => location.hash.split("/").length === 4);
  await phone.locator("nav.line a").nth(1).waitFor(); // the board follows the address
  assert.ok(await fits(phone));
  await shot(phone, "xiangqi-explorer-phone");
  await accessible(phone, "xiangqi's explorer, telephone");
});
