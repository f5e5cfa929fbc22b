import type { Run, Status } from "./api";
import { Chart } from "./chart";
import { pairingFor, sentenceFor } from "./sentences";
import { count, duration, wordFor, type Words } from "./words";

const mostRuns = 20;

// Games a second of each run, as seen since the page was opened.
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

// A score of 0 to 1 as a rating difference.
function elo(score: number | null) {
  if (score === null || score <= 0 || score >= 1) return "–";
  const difference = Math.round(400 * Math.log10(score / (1 - score)));
  return `${difference >= 0 ? "+" : "−"}${Math.abs(difference)} Elo`;
}

function Fact({ name, value, bad }: { name: string; value: string | number; bad?: boolean }) {
  return (
    <div class={bad ? "fact bad" : "fact"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
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
        <a href={`#/explorer/${run.run}`}>{words.explore}</a>
      </header>
      {run.reason && <p class={run.state === "done" ? "faint" : "reason"}>{sentenceFor(words, run.reason)}</p>}
      {run.not_served && <p class="reason">{run.not_served}</p>}
      <Progress run={run} words={words} />
      <Chart times={history.times} values={history.rates.get(run.run) ?? []} label={words.gamesPerSecond} />
      <dl>
        <Fact name={words.gamesPerSecond} value={run.games_per_second.toFixed(1)} />
        <Fact name={words.slots} value={count(run.slots)} />
        {run.line_searches && (
          <>
            <Fact name={words.expected} value={elo(run.line_searches.expected)} />
            <Fact name={words.inAnswers} value={count(run.line_searches.in_answers)} />
            <Fact name={words.inReplies} value={count(run.line_searches.in_replies)} />
            <Fact name={words.inTrials} value={count(run.line_searches.in_trials)} />
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
      <p class="summary">
        {words.up} {duration(words, status.uptime_seconds)} · {count(active)} {words.activeWorkers},{" "}
        {count(status.slots)} {words.slots} · {count(status.queued_games)} {words.queued} · {words.commit}{" "}
        {status.commit_ms.toFixed(1)} ms
      </p>
      {status.runs.length === 0 && <p>{words.noRuns}</p>}
      {status.runs.slice(-mostRuns).reverse().map((run) => (
        <RunCard key={run.run} run={run} history={history} words={words} />
      ))}
      {status.runs.length > mostRuns && (
        <p>
          {count(status.runs.length - mostRuns)} {words.more}
        </p>
      )}
    </>
  );
}
