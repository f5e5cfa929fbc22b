import type { Run } from "./api";
import { slopeWords } from "./numbers";
import { sentenceFor } from "./sentences";
import type { Words } from "./words";

// Facts as a list: a word and a number each.
export function Fact({ name, value, bad }: { name: string; value: string | number; bad?: boolean }) {
  return (
    <div class={bad ? "fact bad" : "fact"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

// The worth of the engine's scores, by games played to the end.
export function ScoresWorth({ run, words }: { run: Run; words: Words }) {
  const text = slopeWords(run.line_searches?.calibration ?? null);
  return text ? <Fact name={words.scoresWorth} value={text} bad={run.line_searches?.trials_off !== ""} /> : null;
}

// Why a run makes no searches, or no trials; nothing if it makes them.
export function WorkLeftOut({ run, words }: { run: Run; words: Words }) {
  const searches = run.line_searches;
  if (!searches) return null;
  const [what, why] = searches.off ? [words.gamesAlone, searches.off] : [words.noTrials, searches.trials_off];
  return why ? <p class={run.state === "done" ? "faint" : "reason"}>{what}: {sentenceFor(words, why)}</p> : null;
}
