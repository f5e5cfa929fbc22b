// The page over a large cluster, by hand: joseki loadgen makes a book of a million moves, a thousand
// workers and 500 games a second; what its bundle, its first paint and each of its updates cost, in
// the browser and in the coordinator.
//   node page_load.mjs BINARY_DIR WORK_DIR [LOADGEN_OPTION...]    leaves screenshots in WORK_DIR
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [binaries, work, ...more] = process.argv.slice(2);
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
assert.ok(browserPath, "chromium is not installed");
mkdirSync(work, { recursive: true });
for (const file of ["package.json", "package-lock.json", ".npmrc"]) {
  copyFileSync(join(dirname(fileURLToPath(import.meta.url)), file), join(work, file));
}
execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work });
const { chromium } = createRequire(join(work, "x.js"))("playwright-core");

// A port that is free now: loadgen's coordinator does not log which one it took.
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const free = server.address().port;
    server.close(() => resolve(free));
  });
});
const book = join(work, "load");
rmSync(book, { recursive: true, force: true });
const given = (option, value) => (more.includes(option) ? [] : [option, value]);
const load = spawn(join(binaries, "joseki"), ["loadgen", "--folder", book, "--no-check",
  ...given("--lines", "48000"), ...given("--variants", "1"), ...given("--workers", "1000"),
  ...given("--slots", "2000"), ...given("--rate", "500"), "--seconds", "3600",
  "--program-argument=--page", `--program-argument=127.0.0.1:${port}`, ...more],
  { stdio: ["ignore", "ignore", "inherit"] });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
let browser;
try {
  const page = `http://127.0.0.1:${port}/`;
  const status = async () => {
    assert.equal(load.exitCode, null, "joseki loadgen has ended");
    return fetch(`${page}api/status`).then((answer) => answer.json(), () => ({ workers: {} }));
  };
  while (((await status()).workers.active ?? 0) < 0.9 * Number(more[more.indexOf("--workers") + 1] || 1000)) {
    await pause(1000);
  }
  const coordinator = Number(execFileSync("pgrep", ["-P", load.pid]));
  // Milliseconds of processor time that the coordinator has used.
  const used = () => {
    const fields = readFileSync(`/proc/${coordinator}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };

  browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const rooms = { overview: "#/overview", workers: "#/workers", explorer: "#/explorer/1" };
  const ready = { overview: ".chart canvas", workers: "tbody tr:nth-child(50)", explorer: ".moves tbody tr" };
  const looks = {
    "desktop-light": { viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    "phone-dark": { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2, colorScheme: "dark" },
  };
  for (const [look, options] of Object.entries(looks)) {
    for (const [room, hash] of Object.entries(rooms)) {
      const paints = [];
      let measured;
      for (let turn = 0; turn < 3; ++turn) {
        const context = await browser.newContext({ locale: "en-US", ...options });
        const tab = await context.newPage();
        const devtools = await context.newCDPSession(tab);
        await devtools.send("Network.enable");
        await devtools.send("Performance.enable");
        let bytes = 0;
        let answers = 0;
        devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
          bytes += encodedDataLength;
          ++answers;
        });
        const spent = async () => {
          const { metrics } = await devtools.send("Performance.getMetrics");
          return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
        };
        await tab.goto(page + hash);
        await tab.locator(ready[room]).first().waitFor();
        paints.push(await tab.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
        if (turn === 2) {
          await tab.screenshot({ path: join(work, `${room}-${look}.png`), fullPage: look.startsWith("phone") });
          const first = { bytes, answers, spent: await spent() };
          await pause(12_000);
          measured = {
            load_kb: first.bytes / 1000,
            kb_per_update: (bytes - first.bytes) / (answers - first.answers) / 1000,
            updates_per_minute: 5 * (answers - first.answers),
            browser_ms_per_update: ((await spent()) - first.spent) / (answers - first.answers),
            nodes: await tab.evaluate(() => document.querySelectorAll("*").length),
          };
        }
        await context.close();
      }
      console.log(look, room, `first_paint_ms=${median(paints).toFixed(0)}`,
        Object.entries(measured).map(([name, value]) => `${name}=${Number(value.toPrecision(3))}`).join(" "));
    }
  }

  // What one answer costs the coordinator, as a browser asks for it: bursts beside times without.
  const base = async () => {
    const began = [used(), performance.now()];
    await pause(3000);
    return (used() - began[0]) / (performance.now() - began[1]);
  };
  for (const [path, times] of [["", 100], ["api/status", 1], ["api/workers?match=&most=100", 1],
      ["api/position?run=1", 300], ["api/line?run=1", 30]]) {
    const costs = [];
    let size = 0;
    for (let turn = 0; turn < 3; ++turn) {
      const idle = await base();
      const began = [used(), performance.now()];
      let asked = 0;
      // What is kept for a second is asked for at that pace.
      for (; asked < (times === 1 ? 10 : times); ++asked) {
        if (times === 1) await pause(1005);
        const answer = await fetch(page + path, { headers: { "Accept-Encoding": "gzip, deflate, br" } });
        size = Number(answer.headers.get("content-length"));
        await answer.arrayBuffer();
      }
      costs.push((used() - began[0] - idle * (performance.now() - began[1])) / asked);
    }
    console.log(`/${path}`, `bytes=${size}`, `coordinator_ms=${median(costs).toFixed(2)}`,
      `of ${costs.map((cost) => cost.toFixed(2)).join(" ")}`);
  }
  const now = await status();
  console.log(`runs at the end: ${now.runs[0].games_done} games, ${now.runs[0].games_per_second.toFixed(0)} a second`);
} finally {
  await browser?.close();
  load.kill("SIGINT");
}
