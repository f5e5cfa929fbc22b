import { render } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { readAddress } from "./address";
import { readStatus, type Status } from "./api";
import { Diff } from "./diff";
import { Explorer } from "./explorer";
import { gameOf } from "./games";
import { Overview, type History } from "./overview";
import { RunPage } from "./run_page";
import { newestRun } from "./runs";
import { chosenLanguage, languages, type Language } from "./words";
import { Workers } from "./workers";

const every = 2000; // ms
const mostPoints = 900;

function useHash(): string[] {
  const [parts, setParts] = useState(readAddress);
  useLayoutEffect(() => {
    const onChange = () => setParts(readAddress());
    addEventListener("hashchange", onChange);
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return parts;
}

function useStatus(): { status: Status | null; history: History; lost: boolean } {
  const [seen, setSeen] = useState<{ status: Status | null; history: History; lost: boolean }>({
    status: null,
    history: { times: [], rates: new Map() },
    lost: false,
  });
  useEffect(() => {
    const ask = async () => {
      if (document.hidden) return;
      try {
        const status = await readStatus();
        setSeen(({ history }) => {
          const times = [...history.times, Date.now() / 1000].slice(-mostPoints);
          const rates = new Map<number, number[]>();
          for (const run of status.runs) {
            const known = history.rates.get(run.run) ?? [];
            const missing = times.length - known.length - 1;
            rates.set(run.run, [...Array(Math.max(0, missing)).fill(null), ...known, run.games_per_second].slice(-times.length));
          }
          return { status, history: { times, rates }, lost: false };
        });
      } catch {
        setSeen((before) => ({ ...before, lost: true }));
      }
    };
    ask();
    const timer = setInterval(ask, every);
    return () => clearInterval(timer);
  }, []);
  return seen;
}

// "light", "dark", or the system's choice.
function useTheme(): () => void {
  const [theme, setTheme] = useState(localStorage.getItem("theme") ?? "");
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  }, [theme]);
  const systemDark = matchMedia("(prefers-color-scheme: dark)").matches;
  return () => setTheme((theme || (systemDark ? "dark" : "light")) === "dark" ? "light" : "dark");
}

function Page() {
  const [language, setLanguage] = useState<Language>(chosenLanguage);
  const [room = "overview", run, ...path] = useHash();
  const { status, history, lost } = useStatus();
  const kind = gameOf(status?.game ?? "");
  const words = { ...languages[language], ...kind.words[language] };
  const turnTheme = useTheme();
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem("language", language);
  }, [language]);
  const newest = newestRun(status?.runs ?? []);
  const shown = status?.runs.find((one) => one.run === Number(run));
  const link = (to: string, name: string, href: string) => (
    <a href={href} aria-current={room === to ? "page" : undefined}>
      {name}
    </a>
  );
  return (
    <>
      <header class="top">
        <h1>Joseki</h1>
        <nav>
          {link("overview", words.overview, "#/overview")}
          {link("workers", words.workers, "#/workers")}
          {link("explorer", words.explorer, `#/explorer/${newest}`)}
          {(newest > 0 || status?.with) && link("diff", words.compare, "#/diff")}
        </nav>
        <button onClick={() => setLanguage(language === "en" ? "ja" : "en")}>{words.language}</button>
        <button onClick={turnTheme} aria-label={words.theme} title={words.theme}>
          ◐
        </button>
      </header>
      <main>
        {lost && <p class="problem" role="alert">{words.lost}</p>}
        {room === "workers" && <Workers words={words} />}
        {room === "explorer" && status && (
          <Explorer kind={kind} runs={status.runs} run={Number(run ?? newest)} path={path} words={words} />
        )}
        {room === "run" && shown && <RunPage key={shown.run} kind={kind} run={shown} words={words} />}
        {room === "run" && status && !shown && <p class="problem" role="alert">{words.noSuchRun}</p>}
        {room === "diff" && status && (
          <Diff kind={kind} before={run} after={path[0]} words={words} />
        )}
        {room === "overview" && status && <Overview status={status} history={history} words={words} />}
      </main>
    </>
  );
}

render(<Page />, document.getElementById("page")!);
