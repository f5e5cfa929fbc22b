import { AnswerBoard } from "./answer_board";
import { readRun, type Run, type RunReport } from "./api";
import { hashOf } from "./address";
import { Fact, ScoresWorth, WorkLeftOut } from "./facts";
import type { GameKind } from "./games/kind";
import { LineChart } from "./line_chart";
import { MoveName } from "./move_name";
import { eloOf, moment } from "./numbers";
import { Gains, proofRows, Proofs } from "./proofs";
import { useResource } from "./resource";
import { pairingFor, sentenceFor } from "./sentences";
import { count, duration, wordFor, type Words } from "./words";

const wide = 1.96; // standard errors of a 95 % interval

// A bar for each share, with name and number.
function Shares({ title, of }: { title: string; of: [string, number][] }) {
  const all = of.reduce((sum, [, n]) => sum + n, 0);
  if (all === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <table class="shares">
        <tbody>
          {of.filter(([, n]) => n > 0).sort((a, b) => b[1] - a[1]).map(([name, n]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td><i style={`width:${(100 * n) / all}%`} /></td>
              <td class="n">{count(n)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Charts({ report, words }: { report: RunReport; words: Words }) {
  const { steps, course } = report;
  const last = steps[steps.length - 1];
  if (!last) return null;
  const [from, to] = [moment(report.first_ms || steps[0].until_ms).slice(5), moment(last.until_ms).slice(5)];
  const trials = course.reduce((sum, part) => sum + part.trials, 0);
  // Half the width of the 95 % interval in Elo; `of`: the standard error of `score`.
  const error = (score: number, of: number) => (eloOf(score + wide * of) - eloOf(score - wide * of)) / 2;
  return (
    <div class="charts">
      <LineChart label={words.played} from={from} to={to} curves={[
        { name: words.games, values: steps.map((step) => step.games) },
        ...(last.searches > 0 ? [{ name: words.searches, values: steps.map((step) => step.searches) }] : []),
      ]} />
      <LineChart label={words.growth} from={from} to={to} curves={[
        { name: words.answered, values: steps.map((step) => step.positions) },
        ...(last.found > 0 ? [{ name: words.found, values: steps.map((step) => step.found) }] : []),
      ]} />
      <LineChart label={words.answersChangedTitle} from={from} to={to} curves={[
        { name: words.answersChanged, values: steps.map((step) => step.changed) },
      ]} />
      {course.length > 0 && (
        <LineChart label={`${words.expected} (Elo)`} from={`0 ${words.trials}`} to={count(trials)} curves={[
          { name: "Elo", values: course.map((part) => eloOf(part.score)), errors: course.map((part) => error(part.score, part.error)) },
        ]} />
      )}
    </div>
  );
}

// The positions where most games went.
function Spending({ kind, run, report, words }: { kind: GameKind; run: number; report: RunReport; words: Words }) {
  const spending = report.spending;
  if (!spending || spending.top.length === 0) return null;
  return (
    <section>
      <h3>{words.spending}</h3>
      <dl>
        <Fact name={words.withChoice} value={count(spending.positions)} />
        <Fact name={words.reachedPositions} value={count(spending.reached)} />
        <Fact name={words.settled} value={count(spending.settled)} />
      </dl>
      <div class="wide" role="region" aria-label={words.spending} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{words.position}</th>
              <th class="n">{words.games}</th>
              <th class="n">{words.ofLate}</th>
              <th>{words.state}</th>
            </tr>
          </thead>
          <tbody>
            {spending.top.map((at) => (
              <tr key={at.position}>
                <th scope="row">
                  <a href={hashOf(run, ["@" + at.position])}>
                    {at.answer ? <MoveName at={kind.start(at.position)} move={at.answer} words={words} /> : words.noAnswer}
                  </a>
                  <small> {words.ply} {at.ply}</small>
                </th>
                <td class="n">{count(at.games)}</td>
                <td class="n">{count(at.recent)}</td>
                <td>{wordFor(words, `standing_${at.standing}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function RunPage({ kind, run, words }: { kind: GameKind; run: Run; words: Words }) {
  const { value: report, problem } = useResource(`run ${run.run}`, () => readRun(run.run));
  const limit = run.move_ms > 0 ? `${count(run.move_ms)} ms` : count(run.nodes);
  const searches = run.line_searches;
  const spent: [string, number][] = [
    [words.inGames, run.games_done],
    ...(searches ? ([[words.inAnswers, searches.in_answers], [words.inReplies, searches.in_replies], [words.inTrials, searches.in_trials]] as [string, number][]) : []),
  ];
  const inTime = run.move_ms > 0;
  const rows = report
    ? [
        ...(report.match ? [{ name: pairingFor(words, run.pairing), played_ms: report.last_ms, ...report.match }] : []),
        ...proofRows(report, inTime, words),
      ]
    : [];
  return (
    <article class="run">
      <header>
        <h2>
          {words.run} {run.run} {run.name}
        </h2>
        <span class={`state ${run.state}`}>{wordFor(words, run.state)}</span>
        <a href={hashOf(run.run, [])}>{words.explore}</a>
        {!run.match && <a href={`#/diff/input/${run.run}`}>{words.compare}</a>}
      </header>
      {run.reason && <p class={run.state === "done" ? "faint" : "reason"}>{sentenceFor(words, run.reason)}</p>}
      <WorkLeftOut run={run} words={words} />
      {problem && <p class="problem" role="alert">{problem}</p>}
      {!report && !problem && <p class="faint">{words.working}</p>}
      {report && (
        <>
          <dl>
            <Fact name={words.begun} value={moment(report.created_ms)} />
            <Fact name={words.lastGame} value={moment(report.last_ms)} />
            <Fact name={words.playedFor} value={duration(words, report.played_seconds)} />
            <Fact name={words.engine} value={run.engine} />
            <Fact name={run.move_ms > 0 ? words.timePerMove : words.nodes} value={limit} />
            <Fact name={words.policy} value={run.policy} />
            {run.pairing && run.pairing !== "self" && <Fact name={words.opponent} value={pairingFor(words, run.pairing)} />}
            <Fact name={words.games} value={count(report.games)} />
            <Fact name={words.gamesPerSecond} value={report.played_seconds > 0 ? (report.games / report.played_seconds).toFixed(2) : "–"} />
            <Fact name={words.nodesPerSecond} value={report.think_ms > 0 ? count(Math.round((1000 * report.nodes) / report.think_ms)) : "–"} />
            <Fact name={words.workers} value={count(report.workers)} />
            <Fact name={words.faults} value={count(run.faults)} bad={run.faults > 0} />
            <Fact name={words.verified} value={count(report.checked)} />
            <Fact name={words.wrong} value={count(report.differed)} bad={report.differed > 0} />
            <Fact name={words.positions} value={count(report.book.positions)} />
            <Fact name={words.moves} value={count(report.book.moves)} />
            <ScoresWorth run={run} words={words} />
          </dl>
          <Proofs rows={rows} words={words} />
          <Gains report={report} inTime={inTime} words={words} />
          <Charts report={report} words={words} />
          <div class="columns">
            <Shares title={words.results} of={[[words.first_wins, report.first_wins], [words.draw, report.draws], [words.second_wins, report.second_wins]]} />
            <Shares title={words.endings} of={Object.entries(run.terminations).map(([name, n]) => [wordFor(words, name), n])} />
            <Shares title={words.budget} of={spent} />
          </div>
          <Spending kind={kind} run={run.run} report={report} words={words} />
          {report.changed > 0 && (
            <section>
              <h3>
                {words.answersChangedTitle}: {count(report.changed)}
              </h3>
              <div class="boards">
                {report.movers.map((mover) => (
                  <AnswerBoard
                    key={mover.position}
                    kind={kind}
                    run={run.run}
                    position={mover.position}
                    before={mover.before}
                    after={mover.after}
                    note={`${count(mover.games)} ${words.gamesAndTrials}`}
                    words={words}
                  />
                ))}
              </div>
            </section>
          )}
        </>
      )}
    </article>
  );
}
