import { AnswerBoard } from "./answer_board";
import { readDiff, readFiles, type BookFile } from "./api";
import { runOf } from "./books";
import type { GameKind } from "./games/kind";
import { percent } from "./numbers";
import { useResource } from "./resource";
import { count, type Words } from "./words";

// The choice of one of the two books: each file's runs, its book, and the inputs of runs. With two
// files it shows the file of the chosen book.
function Choice({ files, chosen, label, first, words, onChoose }: {
  files: BookFile[];
  chosen: string;
  label: string;
  first: boolean; // of the two: then there is what the other one's run began with
  words: Words;
  onChoose: (book: string) => void;
}) {
  const named = (run: number, name: string) => `${words.run} ${run} ${name}`;
  const books = files.map((file, i) => {
    const of = i === 0 ? "" : "with:";
    return [
      ...[...file.runs].reverse().map(({ run, name }) => ({ value: `${of}${run}`, text: named(run, name) })),
      { value: `${of}0`, text: words.book },
      ...(files.length === 1 ? [] : file.runs.map(({ run, name }) => ({ value: `${of}input-${run}`, text: `${named(run, name)}: ${words.asBegun}` }))),
    ].map(({ value, text }) => <option key={value} value={value}>{text}</option>);
  });
  const select = (
    <select value={chosen} onChange={(e) => onChoose(e.currentTarget.value)} aria-label={label}>
      {first && <option value="input">{words.inputOf}</option>}
      {files.length === 1 ? books[0] : files.map((file, i) => <optgroup key={i} label={file.name}>{books[i]}</optgroup>)}
    </select>
  );
  if (files.length === 1) return select;
  return (
    <label>
      {chosen !== "input" && <span class="faint">{files[chosen.startsWith("with:") ? 1 : 0].name}</span>}
      {select}
    </label>
  );
}

// The newest run of a file, or its book.
const newestOf = (files: BookFile[], of: number) => {
  const runs = files[of].runs;
  return `${of === 0 ? "" : "with:"}${runs.length > 0 ? runs[runs.length - 1].run : 0}`;
};

// Compares two books of the page's files by name (diff_json.h). Without names they are the newest
// of each file, or one file's newest run and its input.
export function Diff({ kind, before: asked, after: askedAfter, words }: {
  kind: GameKind;
  before?: string;
  after?: string;
  words: Words;
}) {
  const { value, problem } = useResource("files", readFiles);
  if (!value) return problem ? <p class="problem" role="alert">{problem}</p> : <p class="faint">{words.working}</p>;
  const files = value.files;
  const after = askedAfter ?? newestOf(files, files.length - 1);
  const before = asked ?? (files.length > 1 ? newestOf(files, 0) : after === "0" ? "0" : "input");
  return <Differences kind={kind} files={files} before={before} after={after} words={words} />;
}

function Differences({ kind, files, before, after, words }: {
  kind: GameKind;
  files: BookFile[];
  before: string;
  after: string;
  words: Words;
}) {
  const { value: diff, problem } = useResource(`${before} ${after}`, () => readDiff(before, after));
  const to = (first: string, second: string) => (location.hash = `#/diff/${first}/${second}`);
  return (
    <>
      <nav class="line" aria-label={words.compare}>
        <Choice files={files} chosen={before} label={words.before} first words={words} onChoose={(book) => to(book, after)} />
        <span aria-hidden="true">→</span>
        <Choice files={files} chosen={after} label={words.after} first={false} words={words} onChoose={(book) => to(before, book)} />
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
                run={runOf(after) ?? runOf(before)}
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
