// A coordinator with its page and workers, or a page alone, and Chromium before it, for the tests of the page.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [binaries, work] = process.argv.slice(2).map((folder) => resolve(folder));
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
if (!browserPath) {
  console.log("skipped: chromium is not installed");
  process.exit(77);
}
mkdirSync(work, { recursive: true });
for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
  copyFileSync(join(dirname(fileURLToPath(import.meta.url)), file), join(work, file));
}
execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work });
const installed = createRequire(join(work, "x.js"));
const { chromium } = installed("playwright-core");
const axe = readFileSync(installed.resolve("axe-core"), "utf8");

// Everything that is made here stands in it, and goes when the test ends.
export const folder = mkdtempSync(join(tmpdir(), "joseki-page-"));
const children = [];
const tabs = []; // each with the requests that have no answer yet
let browser;

export const joseki = (...args) => execFileSync(join(binaries, "joseki"), args, { cwd: folder });

function start(program, ...args) {
  const child = spawn(join(binaries, program), args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  const heard = new EventEmitter();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      log += data;
      heard.emit("more");
    });
  }
  child.on("exit", () => heard.emit("more"));
  children.push(child);
  return {
    // What `pattern` finds in the log, once it stands there.
    async says(pattern) {
      for (;;) {
        const found = log.match(pattern);
        if (found) return found[1];
        assert.equal(child.exitCode, null, log);
        await once(heard, "more");
      }
    },
  };
}

// A coordinator of book.sqlite with a run named "evening", which one worker plays; the address of its page.
export async function startCluster(...run) {
  const coordinator = start("joseki-coordinator", "--db", "book.sqlite", "--listen", "127.0.0.1:0",
    "--address-file", "address", "--page", "127.0.0.1:0");
  const address = await coordinator.says(/event=listening address=(\S+)/);
  const page = await coordinator.says(/event=page address=(\S+)/);
  joseki("run", "create", "--coordinator", address, "--games", "100000", "--nodes", "50", "--no-search",
    "--name", "evening", ...run);
  start("joseki-worker", "--coordinator", address, "--slots", "1", "--name", "node-1", "--spool", "spool");
  return page;
}

// The address of the page of a book that nobody plays for.
export const startPage = (book, ...options) =>
  start("joseki", "page", "--book", book, ...options, "--listen", "127.0.0.1:0").says(/(http:\S+)/);

// A tab whose errors fail the test, but for those at an address that ends with `troubled`, positions beyond the
// book, and answers that are being made (503), for which the page asks again. It asks nobody but the page's own host.
export async function openTab(page, options, troubled) {
  browser ??= await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  tab.setDefaultTimeout(60_000);
  tab.on("pageerror", (error) => assert.fail(error.stack));
  tab.on("console", (message) => assert.ok(message.type() !== "error" ||
    message.location().url.includes("/api/position?") || (troubled && tab.url().endsWith(troubled)) ||
    /\b503\b/.test(message.text()),
    `${message.text()} ${message.location().url}`));
  const unanswered = new Set();
  tabs.push({ tab, unanswered });
  tab.on("request", (request) => unanswered.add(request));
  for (const event of ["requestfinished", "requestfailed"]) tab.on(event, (request) => unanswered.delete(request));
  tab.on("request", (request) => assert.ok(/^(about:|data:|blob:)/.test(request.url()) ||
    new URL(request.url()).origin === new URL(page).origin, `asks nobody else: ${request.url()}`));
  return tab;
}

export const shot = (tab, name) => tab.screenshot({ path: join(work, `${name}.png`), fullPage: true });

// Names of everything, contrast, headings, languages: what a program can see of accessibility.
export async function accessible(tab, where) {
  await tab.evaluate(axe);
  const { violations, passes } = await tab.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  assert.ok(passes.length > 10, where);
  assert.deepEqual(violations.map((found) =>
    `${where}: ${found.id}: ${found.nodes.map((node) => node.html).join(" ").slice(0, 300)}`), []);
}

// A place of the page, anew: nothing that stands there is left of the place before.
export async function visit(tab, address) {
  await tab.goto("about:blank");
  await tab.goto(address);
}

export const fits = (tab) => tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

// After a test that failed: what stands in the tabs, and what they wait for.
async function explain() {
  for (const { tab, unanswered } of tabs) {
    console.log(tab.url(), "waits for", [...unanswered].map((request) => request.url()));
    console.log(await tab.locator("body").innerText({ timeout: 1000 }).catch((error) => error.message));
  }
}

function leaveNothing() {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

// Runs a test with what it starts; a failure is explained, and nothing is left.
export async function scene(test) {
  try {
    await test();
  } catch (error) {
    await explain();
    throw error;
  } finally {
    await browser?.close();
    leaveNothing();
  }
}

// After an error that nobody waited for.
process.on("exit", leaveNothing);
