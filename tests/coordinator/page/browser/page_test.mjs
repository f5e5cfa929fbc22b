// The page in Chromium: a coordinator with a run that a worker plays, looked at in both languages,
// light and dark, wide and narrow, with keyboard and finger. Exit status 77: no browser here.
//   node page_test.mjs BINARY_DIR WORK_DIR      leaves its screenshots in WORK_DIR
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { accessible, fits, folder, joseki, openTab, scene, shot, startCluster, visit } from "./rig.mjs";

await scene(async () => {
  writeFileSync(
    join(folder, "games.usi"),
    ["7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e", "5g5f 3c3d"]
      .map((moves) => `startpos moves ${moves}\n`)
      .join(""),
  );
  joseki("import", "--book", "book.sqlite", "games.usi");
  const page = await startCluster();

  const html = await (await fetch(page)).text();
  assert.ok(gzipSync(html).length < 300_000, "the page is small");

  const noLine = "#/explorer/1/9a9b";
  const open = (options) => openTab(page, options, noLine);

  // The overview lives: games come in while one looks.
  const english = await open({ locale: "en-US", colorScheme: "light" });
  await english.goto(page);
  await english.locator(".card h2", { hasText: "evening" }).waitFor();
  const before = await english.locator(".progress span").innerText();
  await english.waitForFunction((text) => document.querySelector(".progress span").innerText !== text, before);
  await english.locator(".chart canvas").waitFor();
  await shot(english, "overview-light");
  await accessible(english, "overview, light");
  // What the engine's scores are worth, and why trials rest, as the status of a long run has them.
  await english.route("**/api/status", async (route) => {
    const response = await route.fetch();
    const status = await response.json();
    const searches = { games: 800, answers: 90, trials: 40, in_answers: 300, in_replies: 200, in_trials: 300, expected: 0.56, off: "" };
    const calibration = { games: 2400, slope: 0.62, low: 0.541, high: 0.699 };
    status.runs[0].line_searches = { ...searches, calibration, trials_off: "results do not follow the engine's scores" };
    await route.fulfill({ response, json: status });
  });
  for (const address of [page, `${page}#/run/1`]) {
    await english.goto(address);
    await english.locator("dd", { hasText: "0.62 [0.54, 0.70]" }).waitFor();
    await english.locator(".reason", { hasText: "No trials at present: results do not follow the engine's scores" }).waitFor();
    await accessible(english, `scores without worth, ${address}`);
  }
  await english.unrouteAll({ behavior: "wait" });

  // The explorer, by keyboard alone: down, in, and back.
  await english.goto(`${page}#/explorer/1`);
  const moves = english.locator(".moves tbody tr");
  await moves.nth(2).waitFor();
  assert.equal(await moves.count(), 3);
  await english.keyboard.press("ArrowDown");
  await english.locator(".moves tbody tr:nth-child(2)[aria-selected=true]").waitFor();
  await english.keyboard.press("Enter");
  await english.waitForFunction(() => location.hash.split("/").length === 4);
  await english.keyboard.press("ArrowLeft");
  await english.waitForFunction(() => location.hash === "#/explorer/1");
  // Keys that come before the page has followed the ones before count too.
  const press = (...keys) => english.evaluate((all) => all.forEach((key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))), keys);
  await english.locator("nav.line a").nth(1).waitFor({ state: "detached" });
  await press("Enter", "ArrowLeft");
  assert.equal(await english.evaluate(() => location.hash), "#/explorer/1");
  // While the answer for a line is under way, what is shown is of the line before: nothing of it is chosen.
  await visit(english, `${page}#/explorer/1`);
  await moves.nth(2).waitFor();
  await english.evaluate(() => {
    const held = new Promise((resolve) => (window.answer = resolve));
    const ask = window.fetch;
    window.fetch = async (address) => {
      if (address.startsWith("/api/line")) await held;
      return ask(address);
    };
  });
  await press("Enter");
  const deeper = await english.evaluate(() => location.hash);
  assert.notEqual(deeper, "#/explorer/1");
  await press("ArrowDown");
  await english.locator(".moves tbody tr:nth-child(2)[aria-selected=true]").waitFor();
  await press("Enter");
  assert.equal(await english.evaluate(() => location.hash), deeper);
  await english.evaluate(() => window.answer());
  await english.locator("nav.line a").nth(1).waitFor();
  await press("ArrowLeft");
  await english.locator("nav.line a").nth(1).waitFor({ state: "detached" });
  // Moves are made on the board: by two clicks, and by drawing a piece.
  const square = (name) => english.locator(`.playable [data-square="${name}"]`);
  const linesTo = (...line) => english.waitForFunction(
    (hash) => location.hash === hash && document.querySelectorAll("nav.line a").length === hash.split("/").length - 2,
    ["#/explorer/1", ...line].join("/"));
  await square("7g").click();
  await english.locator(".board .target").waitFor(); // and no other, or it would not be clear which
  await square("7f").click();
  await linesTo("7g7f");
  const centre = async (name) => {
    const box = await square(name).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await english.mouse.move(...(await centre("3c")));
  await english.mouse.down();
  await english.mouse.move(...(await centre("3d")));
  await english.mouse.up();
  await linesTo("7g7f", "3c3d");
  // The bishop may turn or not: which is asked.
  await square("8h").click();
  await square("2b").click();
  await english.locator(".choice button", { hasText: "成" }).last().waitFor();
  assert.equal(await english.locator(".choice button").count(), 2);
  await english.locator(".choice button").first().click();
  await linesTo("7g7f", "3c3d", "8h2b");
  // The board is turned, and its pieces with it.
  const turned = ".board svg text[transform]";
  const above = await english.locator(turned).count();
  await english.getByRole("button", { name: "Flip the board" }).click();
  await english.waitForFunction(([of, count]) => document.querySelectorAll(of).length !== count, [turned, above]);
  await english.getByRole("button", { name: "Flip the board" }).click();
  // Lines, records and positions come in as text.
  await english.locator("summary", { hasText: "Copy and paste" }).click();
  const paste = async (text) => {
    await english.locator("textarea").fill(text);
    await english.getByRole("button", { name: "Open" }).click();
  };
  await paste("手合割：平手\n手数----指手---------消費時間--\n   1 ２六歩(27)\n   2 ８四歩(83)\n");
  await linesTo("2g2f", "8c8d");
  await paste("nonsense");
  await english.locator(".exchange [role=status]", { hasText: "no position" }).waitFor();
  await paste("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
  await english.locator(".playable .hand", { hasText: "金" }).first().waitFor();
  await square("G*").click();
  await square("5b").click();
  await english.waitForFunction(() => location.hash.endsWith("/G*5b"));
  await accessible(english, "a pasted position, light");
  await visit(english, `${page}#/explorer/1`);
  await english.locator(".board .arrow").nth(1).waitFor();
  await english.getByRole("button", { name: "Arrows" }).click();
  await english.locator(".board .arrow").first().waitFor({ state: "detached" });
  await english.getByRole("button", { name: "Arrows" }).click();
  await shot(english, "explorer-light");
  // A game of it, played through to its end.
  await english.locator(".games button").first().click();
  await english.locator("dialog[open] .board").waitFor();
  await english.keyboard.press("End");
  const [at, of] = (await english.locator("dialog p").innerText()).match(/\d+/g);
  assert.equal(at, of);
  await english.locator(".scores polyline").waitFor();
  const saved = {};
  for (const name of ["KIF", "CSA", "USI"]) {
    const download = english.waitForEvent("download");
    await english.locator(".files button", { hasText: name }).click();
    saved[name] = readFileSync(await (await download).path(), "utf8");
  }
  assert.match(saved.KIF, /手数----指手/);
  assert.match(saved.CSA, /^PI|^P1/m);
  assert.equal(saved.USI.trim().split(/ moves | /).length, Number(of) + 2);
  await shot(english, "replay-light");
  await accessible(english, "a game, light");
  await english.keyboard.press("Escape");
  await english.locator("dialog").waitFor({ state: "detached" });
  // A line that is none is said to be none, and the page stays.
  await english.goto(page + noLine);
  await english.locator(".problem").waitFor();
  // So is a run; and an address that is no encoding is read as it stands.
  await visit(english, `${page}#/run/77`);
  await english.locator(".problem", { hasText: "There is no such run." }).waitFor();
  await visit(english, `${page}#/run/%`);
  await english.locator(".problem").waitFor();

  // Japanese and dark, as the system says; the other way round on demand, and kept.
  const japanese = await open({ locale: "ja-JP", colorScheme: "dark" });
  await japanese.goto(page);
  await japanese.locator("nav a", { hasText: "概要" }).waitFor();
  const ground = () => japanese.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await shot(japanese, "overview-dark");
  await accessible(japanese, "overview, Japanese, dark");
  await japanese.goto(`${page}#/explorer/1`);
  await japanese.locator(".moves tbody tr").nth(2).waitFor();
  await shot(japanese, "explorer-dark");
  await accessible(japanese, "explorer, Japanese, dark");
  // Nothing of the interface is in English but names.
  const names = /^(Joseki|English|Elo|ms|USI|SFEN|KIF|KI2|CSA|Enter|evening|games|usi|embedded|response|node-1|sample-average|\+\+|g\+\+|clang|GNU|AVX2?|avx2|v2|x86-64.*)$/;
  for (const room of ["overview", "explorer/1", "workers"]) {
    await visit(japanese, `${page}#/${room}`);
    await japanese.locator("main table, main .card").first().waitFor();
    const said = (await japanese.locator("body").innerText()).match(/[A-Za-z][A-Za-z0-9+-]+/g);
    assert.deepEqual(said.filter((word) => !names.test(word)), [], room);
  }
  await japanese.goto(page);
  await japanese.getByRole("button", { name: "明るさ" }).click();
  assert.notEqual(await ground(), dark);
  await japanese.getByRole("button", { name: "English" }).click();
  await japanese.reload();
  await japanese.locator("nav a", { hasText: "Overview" }).waitFor();
  assert.notEqual(await ground(), dark);
  await japanese.goto(`${page}#/workers`);
  await japanese.locator("tbody th", { hasText: "node-1" }).waitFor();
  await shot(japanese, "workers-light");
  await accessible(japanese, "workers, light");

  // A telephone: nothing wider than the screen, and a finger will do.
  const phone = await open({ viewport: { width: 360, height: 700 }, isMobile: true, hasTouch: true });
  await phone.goto(`${page}#/explorer/1`);
  await phone.locator(".moves tbody tr").first().tap();
  await phone.waitForFunction(() => location.hash.split("/").length === 4);
  await phone.locator("nav.line a").nth(1).waitFor(); // the board follows the address
  assert.ok(await fits(phone));
  await shot(phone, "explorer-phone");
  await phone.locator('.playable [data-square="1c"]').tap();
  await phone.locator(".board .chosen").waitFor();
  await phone.locator('.playable [data-square="1d"]').tap();
  await phone.waitForFunction(() => location.hash.endsWith("/1c1d"));
  for (const room of ["overview", "workers"]) {
    await visit(phone, `${page}#/${room}`);
    await phone.locator("main table, main .card").first().waitFor();
    assert.ok(await fits(phone), room);
    await shot(phone, `${room}-phone`);
  }
  await phone.goto(`${page}#/explorer/1`);
  await phone.locator(".games button").first().tap();
  await phone.locator("dialog[open] .scores").waitFor();
  assert.ok(await fits(phone));
  await shot(phone, "replay-phone");
  await visit(phone, `${page}#/explorer/1/2g2f`);
  await phone.locator(".moves tbody tr").first().waitFor();
  await accessible(phone, "explorer, telephone");

  const paint = await english.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  console.log(`page: ${html.length} bytes, ${gzipSync(html).length} compressed, first paint ${Math.round(paint)} ms`);
});
