// `joseki page` in Chromium: a book without a run, and one that is tuned and proved: its run's page, what
// changed, in both languages, light and dark, wide and narrow. Exit status 77: no browser here.
//   node reader_test.mjs BINARY_DIR WORK_DIR      leaves its screenshots in WORK_DIR
import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessible, fits, folder, joseki, openTab, scene, shot, startPage, visit } from "./rig.mjs";

// What may stand in Latin letters on a Japanese page.
const names = /^(Joseki|English|Elo|ms|USI|SFEN|KIF|KI2|CSA|Enter|embedded|response|sample-average|games\.usi|beside\.sqlite|tuned\.sqlite)$/;
const englishIn = async (tab) =>
  ((await tab.locator("body").innerText()).match(/[A-Za-z][A-Za-z0-9+.-]+/g) ?? []).filter((word) => !names.test(word));

await scene(async () => {
  writeFileSync(
    join(folder, "games.usi"),
    ["7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e 8d8e", "5g5f 3c3d", "7g7f 3c3d 6g6f"]
      .map((moves) => `startpos moves ${moves}\n`)
      .join(""),
  );
  joseki("import", "--book", "plain.sqlite", "games.usi");
  for (const copy of ["tuned.sqlite", "beside.sqlite"]) copyFileSync(join(folder, "plain.sqlite"), join(folder, copy));
  const tune = ["tune", "--book", "tuned.sqlite", "--workers", "1", "--nodes", "50", "--slots-per-worker", "1"];
  // Twice, so that the proof of the longer run is beside that of the shorter.
  for (const games of ["300", "100"]) {
    joseki(...tune, "--games", games, "--proof", "100", "--max-plies", "60", "--no-search");
  }
  joseki(...tune, "--games", "300", "--proof", "0", "--max-plies", "80");

  // A book that no run has tuned: what it holds, and the explorer on it.
  const plain = await startPage("plain.sqlite");
  const english = await openTab(plain, { locale: "en-US", colorScheme: "light" });
  await english.goto(plain);
  const card = english.locator(".card.book");
  await card.locator("li", { hasText: "games.usi" }).waitFor();
  assert.match(await card.innerText(), /games imported\s+6\b/);
  await english.locator("p", { hasText: "No run has tuned this book yet" }).waitFor();
  await shot(english, "reader-book-light");
  await accessible(english, "a book without runs, light");
  await card.locator("a").click();
  const moves = english.locator(".moves tbody tr");
  await moves.nth(2).waitFor();
  assert.equal(await moves.count(), 3);
  assert.match(await moves.first().innerText(), /７六歩 ★/);
  assert.equal(await moves.first().locator("td.n").first().innerText(), "3", "games without a result count");
  await english.goto(`${plain}#/explorer/0/2g2f/8c8d/2f2e`);
  await moves.filter({ hasText: "８五歩" }).click(); // by its name: the rows of the page before may still stand
  await english.locator(".opening", { hasText: "Double Wing Attack (Aigakari)" }).waitFor();
  await english.locator(".opening [lang=ja]", { hasText: "相掛かり" }).waitFor();
  await shot(english, "reader-explorer-light");
  await accessible(english, "the explorer of a book without runs, light");

  // A run's page.
  const tuned = await startPage("tuned.sqlite");
  const reader = await openTab(tuned, { locale: "en-US", colorScheme: "light" });
  await reader.goto(tuned);
  await reader.locator(".card a", { hasText: "Report" }).last().click();
  await reader.waitForFunction(() => location.hash === "#/run/1");
  await reader.locator(".curves").nth(2).waitFor();
  const facts = await reader.locator(".run dl").first().innerText();
  assert.match(facts, /engine\s+embedded/i);
  assert.match(facts, /nodes a second\s+\d/i);
  const proofs = reader.locator(".proofs tbody tr");
  await proofs.filter({ hasText: /the input book, 50 nodes[^]*Elo/ }).nth(1).waitFor(); // both proofs were played
  await reader.locator("h3", { hasText: "the newest first" }).waitFor();
  await reader.locator(".gains .curves", { hasText: "the input book, 50 nodes" }).locator("svg").waitFor();
  const endings = await reader.locator(".shares").nth(1).locator("td.n").allInnerTexts();
  assert.equal(endings.reduce((sum, n) => sum + Number(n.replace(/\s/g, "")), 0), 400, "every game ended somehow");
  await shot(reader, "reader-run-light");
  await accessible(reader, "a run, light");
  // One with searches: what was expected, and the answers that changed, as boards.
  await reader.goto(`${tuned}#/run/2`);
  await reader.locator(".run h2", { hasText: "2" }).waitFor();
  await reader.locator(".answers .board").first().waitFor();
  await shot(reader, "reader-run-searches-light");
  await accessible(reader, "a run with searches, light");

  // What a run changed, and two runs beside each other.
  await reader.locator(".run a", { hasText: "Compare" }).click();
  await reader.waitForFunction(() => location.hash === "#/diff/input/2");
  await reader.locator(".answers .board").first().waitFor();
  const changed = Number((await reader.locator(".summary").innerText()).match(/^[\d\s]+/)[0].replace(/\s/g, ""));
  assert.equal(Math.min(60, changed), await reader.locator(".answers").count());
  await reader.locator("select").first().selectOption("1");
  await reader.waitForFunction(() => location.hash === "#/diff/1/2");
  await reader.waitForFunction(() => document.querySelector("select").value === "1");
  await reader.locator(".summary").waitFor();
  await shot(reader, "reader-diff-light");
  await accessible(reader, "a difference, light");
  await reader.locator(".answers a").first().click();
  await reader.locator(".playable .board").waitFor();

  // A file beside another one: the newest runs of both, or the book where there is none.
  const beside = await startPage("beside.sqlite", "--with", "tuned.sqlite");
  const two = await openTab(beside, { locale: "en-US", colorScheme: "light" });
  await two.goto(beside);
  await two.locator("nav a", { hasText: "Compare" }).click();
  await two.locator(".answers .board").first().waitFor();
  const chosen = () => two.locator("nav.line select").evaluateAll((all) => all.map((one) => one.value));
  assert.deepEqual(await chosen(), ["0", "with:2"]);
  assert.deepEqual(await two.locator("nav.line select").last().locator("optgroup").evaluateAll((all) => all.map((one) => one.label)),
    ["beside.sqlite", "tuned.sqlite"]);
  await two.locator("nav.line select").first().selectOption("with:1");
  await two.waitForFunction(() => location.hash === "#/diff/with:1/with:2");
  await two.locator(".answers .board").first().waitFor();
  await shot(two, "reader-two-files-light");
  await accessible(two, "two files, light");

  // Japanese and dark; nothing is left in English.
  const japanese = await openTab(tuned, { locale: "ja-JP", colorScheme: "dark" });
  for (const [room, mark] of [["overview", ".card.book li"], ["run/1", ".curves"], ["run/2", ".answers .board"],
    ["diff/input/2", ".answers .board"], ["explorer/0", ".moves tbody tr"]]) {
    await visit(japanese, `${tuned}#/${room}`);
    await japanese.locator(mark).first().waitFor();
    assert.deepEqual(await englishIn(japanese), [], room);
    await accessible(japanese, `${room}, Japanese, dark`);
    await shot(japanese, `reader-${room.replaceAll("/", "-")}-dark`);
  }

  const besideJapanese = await openTab(beside, { locale: "ja-JP", colorScheme: "dark", viewport: { width: 360, height: 700 } });
  await besideJapanese.goto(`${beside}#/diff`);
  await besideJapanese.locator(".answers .board").first().waitFor();
  assert.deepEqual(await englishIn(besideJapanese), []);
  assert.ok(await fits(besideJapanese), "two files");

  // A telephone: nothing wider than the screen.
  const phone = await openTab(tuned, { viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true });
  for (const [room, mark] of [["overview", ".card.book li"], ["run/1", ".curves"], ["run/2", ".answers .board"],
    ["diff/input/2", ".answers .board"], ["explorer/0", ".moves tbody tr"], ["explorer/0/2g2f/8c8d/2f2e/8d8e", ".opening"]]) {
    await visit(phone, `${tuned}#/${room}`);
    await phone.locator(mark).first().waitFor();
    assert.ok(await fits(phone), room);
    await shot(phone, `reader-${room.replaceAll("/", "-")}-phone`);
  }
});
