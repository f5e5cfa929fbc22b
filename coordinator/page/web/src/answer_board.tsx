import type { Answer } from "./api";
import { hashOf } from "./address";
import type { GameKind, Position } from "./games/kind";
import { MoveName } from "./move_name";
import { MoveOrigin } from "./move_origin";
import { percent, signed } from "./numbers";
import { count, type Words } from "./words";

const gamesOf = ({ wins, draws, losses }: Answer) => wins + draws + losses;
const saysAnything = (answer: Answer) => gamesOf(answer) > 0 || answer.searched > 0;

// The facts behind a book's answer: the score of its decided games with its interval, a search's
// value with its trials, how it was found, and what decided.
function Says({ answer, words }: { answer: Answer; words: Words }) {
  const decided = answer.wins + answer.losses;
  const games = gamesOf(answer);
  return (
    <small>
      {decided > 0 && ` ${percent(answer.wins / decided)} (${percent(answer.low)} – ${percent(answer.high)})`}
      {games > 0 && `${decided > 0 ? "," : ""} ${count(games)} ${words.games}`}
      {answer.searched > 0 && `${games > 0 ? "," : ""} ${words.worth} ${signed(answer.worth)}, ${count(answer.trials)} ${words.trials}`}
      <MoveOrigin move={answer} words={words} />
    </small>
  );
}

function Line({ name, at, answer, words }: { name: string; at: Position; answer: Answer | null; words: Words }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {answer ? <MoveName at={at} move={answer.move} words={words} /> : "–"}
        {answer && <Says answer={answer} words={words} />}
      </dd>
    </>
  );
}

// A position whose answer has changed, with both answers drawn, the new one in front.
export function AnswerBoard({ kind, run, position, before, after, afterOfBefore, note, words }: {
  kind: GameKind;
  run: number | null; // in whose book it can be explored; null: in none of the page's own file
  position: string;
  before: Answer | null;
  after: Answer | null;
  afterOfBefore?: Answer | null; // what is said of the old answer now
  note: string;
  words: Words;
}) {
  const at = kind.start(position);
  const arrows = [
    ...(before ? [{ move: before.move, weight: 0.4, past: true }] : []),
    ...(after ? [{ move: after.move, weight: 1 }] : []),
  ];
  return (
    <article class="card answers">
      {at.draw({ arrows, words })}
      <dl>
        <Line name={words.before} at={at} answer={before} words={words} />
        {afterOfBefore && saysAnything(afterOfBefore) && (
          <>
            <dt>{words.nowOfIt}</dt>
            <dd><Says answer={afterOfBefore} words={words} /></dd>
          </>
        )}
        <Line name={words.after} at={at} answer={after} words={words} />
      </dl>
      <p class="faint">
        {note} {run !== null && <a href={hashOf(run, ["@" + position])}>{words.explore}</a>}
      </p>
    </article>
  );
}
