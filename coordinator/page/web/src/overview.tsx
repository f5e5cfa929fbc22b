import type { Run, Status } from "./api";
import { BookCard } from "./book_card";
import { Chart } from "./chart";
import { Fact, ScoresWorth, WorkLeftOut } from "./facts";
import { eloOf, eloWords } from "./numbers";
import { pairingFor, sentenceFor } from "./sentences";
import { count, duration, wordFor, type Words } from "./words";

const mostRuns = 20;

// Games per second of each run, as seen since the page was opened.
export interface History {
  times: number[];
  rates: Map<number, number[]>;
}

function Progress({ run, words }: { run: Run; words: Words }) {
  const spent = run.games_done + (run.line_searches?.games ?? 0);
  const share = run.games_target > 0 ? spent / run.games_target : 0;
  return (
    <div class="progress">
      {run.games_target > 0 && <progress value={share} aria-label={words.games} />}
      <span>
        {count(run.games_done)}
        {run.line_searches && ` + ${count(run.line_searches.games)} ${words.inSearches}`}
        {run.games_target > 0 && ` / ${count(run.games_target)}`} {words.games}
        {run.stages > 0 && `, ${words.stage} ${run.stage} / ${run.stages}`}
        {run.eta_seconds !== null && `, ${duration(words, run.eta_seconds)} ${words.left}`}
      </span>
    </div>
  );
}

function RunCard({ run, history, words }: { run: Run; history: History; words: Words }) {
  return (
    <article class="card">
      <header>
        <h2>
          {words.run} {run.run} {run.name}
        </h2>
        <span class={`state ${run.state}`}>{wordFor(words, run.state)}</span>
        <a href={`#/run/${run.run}`}>{words.report}</a>
        <a href={`#/explorer/${run.run}`}>{words.explore}</a>
      </header>
      {run.reason && <p class={run.state === "done" ? "faint" : "reason"}>{sentenceFor(words, run.reason)}</p>}
      <WorkLeftOut run={run} words={words} />
      {run.not_served && <p class="reason">{run.not_served}</p>}
      <Progress run={run} words={words} />
      {run.state === "running" && (
        <Chart times={history.times} values={history.rates.get(run.run) ?? []} label={words.gamesPerSecond} />
      )}
      <dl>
        {run.state === "running" && (
          <>
            <Fact name={words.gamesPerSecond} value={run.games_per_second.toFixed(1)} />
            <Fact name={words.slots} value={count(run.slots)} />
          </>
        )}
        {run.line_searches && (
          <>
            <Fact name={words.expected} value={eloWords(run.line_searches.expected === null ? null : eloOf(run.line_searches.expected))} />
            <Fact name={words.inAnswers} value={count(run.line_searches.in_answers)} />
            <Fact name={words.inReplies} value={count(run.line_searches.in_replies)} />
            <Fact name={words.inTrials} value={count(run.line_searches.in_trials)} />
            <ScoresWorth run={run} words={words} />
          </>
        )}
        <Fact name={words.policy} value={run.policy} />
        <Fact name={words.engine} value={run.pairing && run.pairing !== "self" ? pairingFor(words, run.pairing) : run.engine} />
        <Fact name={words.faults} value={count(run.faults)} bad={run.faults > 0} />
        <Fact name={words.draws} value={count(run.draws)} />
        <Fact name={words.conflicts} value={run.conflicts} bad={run.conflicts > 0} />
        <Fact name={words.poisoned} value={run.poisoned_lines} bad={run.poisoned_lines > 0} />
        <Fact name={words.quarantined} value={run.quarantined} bad={run.quarantined > 0} />
      </dl>
    </article>
  );
}

export function Overview({ status, history, words }: { status: Status; history: History; words: Words }) {
  const active = status.workers.active ?? 0;
  return (
    <>
      {(active > 0 || status.runs.some((run) => run.state === "running")) && (
      <p class="summary">
        {words.up} {duration(words, status.uptime_seconds)} · {count(active)} {words.activeWorkers},{" "}
        {count(status.slots)} {words.slots} · {count(status.queued_games)} {words.queued} · {words.commit}{" "}
        {status.commit_ms.toFixed(1)} ms
      </p>
      )}
      {status.runs.length === 0 && <p>{words.noRunsButBook}</p>}
      {status.runs.slice(-mostRuns).reverse().map((run) => (
        <RunCard key={run.run} run={run} history={history} words={words} />
      ))}
      {status.runs.length > mostRuns && (
        <p>
          {count(status.runs.length - mostRuns)} {words.more}
        </p>
      )}
      <BookCard words={words} />
    </>
  );
}
