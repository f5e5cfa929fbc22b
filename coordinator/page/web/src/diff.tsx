import { AnswerBoard } from "./answer_board";
import { readDiff, type Run } from "./api";
import type { GameKind } from "./games";
import { percent } from "./numbers";
import { useResource } from "./resource";
import { count, type Words } from "./words";

// Books of the database by name: runs, 0 for the book itself, "input" for what the other one's run began with.
export function Diff({ kind, runs, before, after, words }: {
  kind: GameKind;
  runs: Run[];
  before: string;
  after: string;
  words: Words;
}) {
  const { value: diff, problem } = useResource(`${before} ${after}`, () => readDiff(before, after));
  const to = (first: string, second: string) => (location.hash = `#/diff/${first}/${second}`);
  const named = runs.map((run) => (
    <option key={run.run} value={String(run.run)}>
      {words.run} {run.run} {run.name}
    </option>
  ));
  return (
    <>
      <nav class="line" aria-label={words.compare}>
        <select value={before} onChange={(e) => to(e.currentTarget.value, after)} aria-label={words.before}>
          <option value="input">{words.inputOf}</option>
          <option value="0">{words.book}</option>
          {named}
        </select>
        <span aria-hidden="true">→</span>
        <select value={after} onChange={(e) => to(before, e.currentTarget.value)} aria-label={words.after}>
          {named}
          <option value="0">{words.book}</option>
        </select>
      </nav>
      {problem && <p class="problem" role="alert">{problem}</p>}
      {!diff && !problem && <p class="faint">{words.working}</p>}
      {diff && (
        <>
          <p class="summary">
            {count(diff.changed)} {words.answersChanged} · {count(diff.same)} {words.samePositions} ·{" "}
            {count(diff.only_before)} {words.onlyBefore} · {count(diff.only_after)} {words.onlyAfter}
          </p>
          <h2>{words.mostReached}</h2>
          {diff.positions.length === 0 && <p>{words.nothingChanged}</p>}
          <div class="boards">
            {diff.positions.map((at) => (
              <AnswerBoard
                key={at.position}
                kind={kind}
                run={Number(after)}
                position={at.position}
                before={at.before}
                after={at.after}
                afterOfBefore={at.after_of_before}
                note={`${words.reached} ${percent(at.reach)} · ${words.ply} ${at.ply}`}
                words={words}
              />
            ))}
          </div>
          {diff.changed > diff.positions.length && (
            <p>
              {count(diff.changed - diff.positions.length)} {words.more}
            </p>
          )}
        </>
      )}
    </>
  );
}
