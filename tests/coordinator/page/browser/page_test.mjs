// The page in Chromium: a coordinator with a run that a worker plays, looked at in both languages,
// light and dark, wide and narrow, with keyboard and finger. Exit status 77: no browser here.
//   node page_test.mjs BINARY_DIR WORK_DIR      leaves its screenshots in WORK_DIR
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [binaries, work] = process.argv.slice(2);
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
if (!browserPath) {
  console.log("skipped: chromium is not installed");
  process.exit(77);
}
mkdirSync(work, { recursive: true });
for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
  copyFileSync(join(import.meta.dirname, file), join(work, file));
}
execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work });
const installed = createRequire(join(work, "x.js"));
const { chromium } = installed("playwright-core");
const axe = readFileSync(installed.resolve("axe-core"), "utf8");

const folder = mkdtempSync(join(tmpdir(), "joseki-page-"));
const children = [];
function start(program, ...args) {
  const child = spawn(join(binaries, program), args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (data) => (log += data));
  children.push(child);
  return {
    // What `pattern` finds in the log, once it stands there.
    async says(pattern) {
      for (;;) {
        const found = log.match(pattern);
        if (found) return found[1];
        assert.equal(child.exitCode, null, log);
        await new Promise((resolve) => child.stderr.once("data", resolve));
      }
    },
  };
}
const joseki = (...args) => execFileSync(join(binaries, "joseki"), args, { cwd: folder });

let browser;
try {
  writeFileSync(
    join(folder, "games.usi"),
    ["7g7f 3c3d 2g2f", "7g7f 8c8d 2g2f", "2g2f 3c3d 7g7f", "2g2f 8c8d 2f2e", "5g5f 3c3d"]
      .map((moves) => `startpos moves ${moves}\n`)
      .join(""),
  );
  joseki("import", "--book", "book.sqlite", "games.usi");
  const coordinator = start("joseki-coordinator", "--db", "book.sqlite", "--listen", "127.0.0.1:0",
    "--address-file", "address", "--page", "127.0.0.1:0");
  const address = await coordinator.says(/event=listening address=(\S+)/);
  const page = await coordinator.says(/event=page address=(\S+)/);
  joseki("run", "create", "--coordinator", address, "--games", "100000", "--nodes", "50", "--no-search",
    "--name", "evening");
  start("joseki-worker", "--coordinator", address, "--slots", "1", "--name", "node-1", "--spool",
    "spool");

  const html = await (await fetch(page)).text();
  assert.ok(gzipSync(html).length < 300_000, "the page is small");

  browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const noLine = "#/explorer/1/9a9b";
  const open = async (options) => {
    const context = await browser.newContext(options);
    const tab = await context.newPage();
    tab.setDefaultTimeout(60_000);
    tab.on("pageerror", (error) => assert.fail(error.stack));
    tab.on("console", (message) => assert.ok(message.type() !== "error" ||
      tab.url().endsWith(noLine), message.text()));
    tab.on("request", (request) => assert.ok(/^(data:|blob:)/.test(request.url()) ||
      new URL(request.url()).origin === new URL(page).origin, `asks nobody else: ${request.url()}`));
    return tab;
  };
  const shot = (tab, name) => tab.screenshot({ path: join(work, `${name}.png`), fullPage: true });

  // Names of everything, contrast, headings, languages: what a program can see of accessibility.
  const accessible = async (tab, where) => {
    await tab.evaluate(axe);
    const { violations, passes } = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    assert.ok(passes.length > 10, where);
    assert.deepEqual(violations.map((found) =>
      `${where}: ${found.id}: ${found.nodes.map((node) => node.html).join(" ").slice(0, 300)}`), []);
  };

  // The overview lives: games come in while one looks.
  const english = await open({ locale: "en-US", colorScheme: "light" });
  await english.goto(page);
  await english.locator(".card h2", { hasText: "evening" }).waitFor();
  const before = await english.locator(".progress span").innerText();
  await english.waitForFunction((text) => document.querySelector(".progress span").innerText !== text, before);
  await english.locator(".chart canvas").waitFor();
  await shot(english, "overview-light");
  await accessible(english, "overview, light");

  // The explorer, by keyboard alone: down, in, and back.
  await english.goto(`${page}#/explorer/1`);
  const moves = english.locator(".moves tbody tr");
  await moves.nth(2).waitFor();
  assert.equal(await moves.count(), 3);
  await english.keyboard.press("ArrowDown");
  assert.equal(await moves.nth(1).getAttribute("aria-selected"), "true");
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
  // What is shown while an answer is under way is of one line, and so is what is chosen there.
  let answered;
  const held = new Promise((resolve) => (answered = resolve));
  await english.route("**/api/line**", async (route) => {
    await held;
    await route.continue();
  });
  await press("Enter");
  const deeper = await english.evaluate(() => location.hash);
  await english.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await press("Enter");
  assert.equal(await english.evaluate(() => location.hash), deeper);
  answered();
  await english.locator("nav.line a").nth(1).waitFor();
  await english.unroute("**/api/line**");
  await press("ArrowLeft");
  await english.locator("nav.line a").nth(1).waitFor({ state: "detached" });
  // A game of it, played through to its end.
  await english.locator(".games button").first().click();
  await english.locator("dialog[open] .board").waitFor();
  await english.keyboard.press("End");
  const [at, of] = (await english.locator("dialog p").innerText()).match(/\d+/g);
  assert.equal(at, of);
  await shot(english, "replay-light");
  await accessible(english, "a game, light");
  await english.keyboard.press("Escape");
  await english.locator("dialog").waitFor({ state: "detached" });
  // A line that is none is said to be none, and the page stays.
  await english.goto(page + noLine);
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
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await shot(phone, "explorer-phone");
  await accessible(phone, "explorer, telephone");

  const paint = await english.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  console.log(`page: ${html.length} bytes, ${gzipSync(html).length} compressed, first paint ${Math.round(paint)} ms`);
} finally {
  await browser?.close();
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
