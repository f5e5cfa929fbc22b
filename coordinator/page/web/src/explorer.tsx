import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { hashOf, readAddress } from "./address";
import { readLine, readPosition, type BookMove, type Game, type Line, type Opening, type Position, type Run } from "./api";
import { Exchange } from "./exchange";
import type { GameKind, Line as GameLine, Position as At } from "./games/kind";
import { play } from "./line";
import { decidedGames, gamesOf } from "./move_games";
import { MoveName } from "./move_name";
import { MoveOrigin } from "./move_origin";
import { percent, signed } from "./numbers";
import { PlayBoard } from "./play_board";
import { Replay } from "./replay";
import { count, wordFor, type Words } from "./words";

function Bar({ wins, draws, losses }: { wins: number; draws: number; losses: number }) {
  const n = wins + draws + losses;
  if (n === 0) return <div class="bar empty" />;
  return (
    <div class="bar" role="img" aria-label={`${wins} ${draws} ${losses}`}>
      <span class="won" style={`flex:${wins}`} />
      <span class="drawn" style={`flex:${draws}`} />
      <span class="lost" style={`flex:${losses}`} />
    </div>
  );
}

// The 95 % interval on a scale from 0 to 1, with the middle marked.
function Interval({ low, high, known }: { low: number; high: number; known: boolean }) {
  if (!known) return <div class="interval" />;
  return (
    <div class="interval" role="img" aria-label={`${percent(low)} – ${percent(high)}`}>
      <i style={`left:${100 * low}%;width:${Math.max(1, 100 * (high - low))}%`} />
    </div>
  );
}

const mostArrows = 4;

// The policy whose weights are sums of points; other weights are scores between 0 and 1.
const ofPoints = "result-driven";

function MoveRow({ at, move, weight, points, input, chosen, words, onLook, onPlay }: {
  at: At;
  move: BookMove;
  weight: number | null; // null: it is not known beside what searches and trials say of other moves
  points: boolean; // what the weight is, if no score
  input: number | null; // the move's share in the book that the run began with; null: there is no run
  chosen: boolean;
  words: Words;
  onLook: () => void;
  onPlay: () => void;
}) {
  const n = decidedGames(move);
  const games = gamesOf(move);
  return (
    <tr class={chosen ? "chosen" : ""} onMouseEnter={onLook} onClick={onPlay} aria-selected={chosen}>
      <th scope="row">
        <MoveName at={at} move={move.move} words={words} />
        {move.answer && <span class="answer" title={words.answer}> ★</span>}
        {move.in_flight > 0 && <small> +{move.in_flight}</small>}
        <small>
          <MoveOrigin move={move} words={words} />
        </small>
      </th>
      <td class="n">
        {count(games)}
        {games === 0 && move.count > 0 && <small title={words.bookValue}> {count(move.count)}</small>}
        {move.repeats > 0 && <small> +{count(move.repeats)}</small>}
      </td>
      <td>
        <Bar {...move} />
        <small>
          {count(move.wins)} · {count(move.draws)} · {count(move.losses)}
        </small>
      </td>
      <td>
        <Interval low={move.score_low} high={move.score_high} known={n > 0} />
        <small>{n > 0 ? `${percent(move.score_low)} – ${percent(move.score_high)}` : "–"}</small>
      </td>
      <td class="n">
        {weight === null ? "–" : points ? Number(weight.toPrecision(4)) : percent(weight)}
        {input !== null && <small> {words.input} {percent(input)}</small>}
        {move.value !== null && (
          <small title={words.bookValue}>
            {" "}
            {signed(move.value)}
            {move.depth ? ` /${move.depth}` : ""}
          </small>
        )}
      </td>
    </tr>
  );
}

// The name in the reader's language if there is one, else the original.
function OpeningName({ kind, opening, words }: { kind: GameKind; opening: Opening; words: Words }) {
  return (
    <p class="opening">
      {opening.code}{" "}
      {words.code === "en" && `${opening.english} `}
      <span lang={kind.openingLanguage} class={words.code === "en" ? "faint" : undefined}>{opening.name}</span>
    </p>
  );
}

function Exits({ at, line, words }: { at: At; line: Line; words: Words }) {
  if (line.exits.length === 0) return <p class="faint">{words.noExits}</p>;
  return (
    <table>
      <tbody>
        {line.exits.slice(0, 12).map((exit) => (
          <tr key={exit.move}>
            <th scope="row">
              <MoveName at={at} move={exit.move} words={words} />
            </th>
            <td>
              <Bar {...exit} />
            </td>
            <td class="n">
              {exit.wins} · {exit.draws} · {exit.losses}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Games({ line, words, onOpen }: { line: Line; words: Words; onOpen: (game: Game) => void }) {
  return (
    <>
      <p class="faint">
        {count(line.passed)} / {count(line.looked_at)} {words.games} {words.looked}
      </p>
      <ul class="games">
        {line.games.map((game) => (
          <li key={game.commit_seq}>
            <button onClick={() => onOpen(game)}>
              {game.commit_seq}: {wordFor(words, game.result)}, {game.moves.split(" ").length}, {wordFor(words, game.termination)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

// Replies to one request, so that board, moves and games belong to one line. `path` is that of the
// address; a line that begins at a pasted position has no games.
type Shown = { run: number; path: string[]; start: string; line: Line | null; position: Position | null };

const show = (run: number, path: string[]) => (location.hash = hashOf(run, path));

const pastedIn = (path: string[]) => (path[0]?.startsWith("@") ? path[0].slice(1) : null);
const movesIn = (path: string[]) => (pastedIn(path) === null ? path : path.slice(1));

// The most important moves: by games, or by the book before there are any.
function arrowsOf(moves: BookMove[]) {
  const counts = moves.some((move) => gamesOf(move) > 0) ? gamesOf : (move: BookMove) => Math.max(0, move.prior);
  const most = Math.max(...moves.map(counts));
  return moves
    .filter((move) => counts(move) > 0)
    .sort((a, b) => counts(b) - counts(a))
    .slice(0, mostArrows)
    .map((move) => ({ move: move.move, weight: counts(move) / most }));
}

export function Explorer({ kind, runs, run, path, words }: {
  kind: GameKind;
  runs: Run[];
  run: number;
  path: string[];
  words: Words;
}) {
  const [shown, setShown] = useState<Shown>({ run, path, start: "startpos", line: null, position: null });
  const [flipped, setFlipped] = useState(false);
  const [withArrows, setWithArrows] = useState(localStorage.getItem("arrows") !== "no");
  const [look, setLook] = useState(0);
  const [game, setGame] = useState<Game | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    let current = true;
    let first = true;
    setGame(null);
    const ask = async () => {
      let answer: Shown | null = null;
      let wrong = "";
      try {
        const pasted = pastedIn(path);
        const line = pasted === null ? await readLine(run, path) : null;
        const start = line?.start ?? pasted!;
        const position = await readPosition(run, play(kind, start, movesIn(path)).position.text);
        answer = { run, path, start, line, position };
      } catch (error) {
        wrong = error instanceof Error ? error.message : String(error);
      }
      if (!current) return;
      setProblem(wrong);
      // The last reply for this line stays while there is no reply.
      if (answer) setShown(answer);
      else if (first) setShown(({ start }) => ({ run, path, start: pastedIn(path) ?? start, line: null, position: null }));
      if (first) setLook(0);
      first = false;
    };
    ask();
    const timer = setInterval(() => document.hidden || ask(), 10000);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [run, path.join(" ")]);
  const { line, position, start } = shown;
  const at = useMemo(() => play(kind, start, movesIn(shown.path)), [kind, shown]);
  const first = shown.path.length - movesIn(shown.path).length; // where the moves begin
  const choices = position?.moves ?? [];
  const opening = position?.opening ?? line?.opening;
  const shownRun = runs.find((r) => r.run === shown.run);
  const points = shownRun?.policy === ofPoints;
  const counted = choices.reduce((sum, move) => sum + Math.max(0, move.prior), 0);
  const go = (move: string) => show(shown.run, [...shown.path, move]);
  const open = (found: GameLine) => {
    const played = play(kind, found.start, found.moves);
    const usual = played.start.text === kind.start("startpos").text;
    show(shown.run, [...(usual ? [] : ["@" + found.start]), ...played.steps.map((step) => step.move)]);
    return played.whole;
  };
  const turnArrows = () => {
    localStorage.setItem("arrows", withArrows ? "no" : "yes");
    setWithArrows(!withArrows);
  };
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const from = event.target as HTMLElement;
      if (game || event.ctrlKey || event.metaKey || /INPUT|SELECT|TEXTAREA/.test(from.tagName)) return;
      // The address may be ahead of the shown line, and then no move of the asked line is known.
      const asked = readAddress().slice(2);
      const follows = shown.run === run && shown.path.join(" ") === asked.join(" ");
      const chosen = follows ? choices[look] : undefined;
      if (event.key === "ArrowDown") setLook(Math.min(look + 1, choices.length - 1));
      else if (event.key === "ArrowUp") setLook(Math.max(look - 1, 0));
      else if (event.key === "ArrowLeft" && asked.length > 0) show(run, asked.slice(0, -1));
      else if ((event.key === "ArrowRight" || (event.key === "Enter" && !/^(A|BUTTON|SUMMARY)$/.test(from.tagName))) && chosen) go(chosen.move);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
  return (
    <>
      <nav class="line" aria-label={words.explorer}>
        <select value={String(run)} onChange={(e) => show(Number(e.currentTarget.value), [])} aria-label={words.run}>
          {runs.map((r) => (
            <option key={r.run} value={r.run}>
              {words.run} {r.run} {r.name}
            </option>
          ))}
          <option value="0">{words.book}</option>
        </select>
        <a href={hashOf(shown.run, [])}>{words.start}</a>
        {at.steps.map((step, i) => (
          <a key={i} href={hashOf(shown.run, shown.path.slice(0, first + i + 1))}>
            <MoveName at={step.before} move={step.move} words={words} />
          </a>
        ))}
      </nav>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="explorer">
        <div>
          <PlayBoard
            position={at.position}
            last={at.steps[at.steps.length - 1]?.move}
            look={choices[look]?.move}
            arrows={withArrows ? arrowsOf(choices) : []}
            flipped={flipped}
            words={words}
            onMove={go}
          />
          <div class="buttons">
            <button onClick={() => setFlipped(!flipped)} aria-pressed={flipped}>{words.flip}</button>
            <button onClick={turnArrows} aria-pressed={withArrows}>{words.arrows}</button>
          </div>
          <p class="faint keys">{words.help}</p>
          <Exchange kind={kind} line={{ start, moves: movesIn(shown.path) }} text={at.position.text} words={words} onOpen={open} />
        </div>
        <div>
          {opening && <OpeningName kind={kind} opening={opening} words={words} />}
          <div class="wide" role="region" aria-label={words.move} tabIndex={0}>
            <table class="moves">
              <thead>
                <tr>
                  <th>{words.move}</th>
                  <th class="n">{words.games}</th>
                  <th>{words.result}</th>
                  <th>{words.interval}</th>
                  <th class="n" title={shown.run === 0 ? undefined : words.inputMeans}>
                    {shown.run === 0 ? words.share : points ? words.weight : words.value}
                  </th>
                </tr>
              </thead>
              <tbody>
                {choices.map((move, i) => (
                  <MoveRow
                    key={move.move}
                    at={at.position}
                    move={move}
                    weight={choices.some((one) => one.expected !== null) ? move.expected : move.weight}
                    points={points}
                    input={shown.run === 0 ? null : counted > 0 ? Math.max(0, move.prior) / counted : 0}
                    chosen={i === look}
                    words={words}
                    onLook={() => setLook(i)}
                    onPlay={() => go(move.move)}
                  />
                ))}
              </tbody>
            </table>
          </div>
          {position && choices.length === 0 && !shownRun?.match && <p>{words.notInBook}</p>}
          {pastedIn(shown.path) !== null && shown.run !== 0 && <p class="faint">{words.noLine}</p>}
          {line && shown.run !== 0 && (
            <>
              <h2>{words.exits}</h2>
              <Exits at={at.position} line={line} words={words} />
              <h2>{words.sample}</h2>
              <Games line={line} words={words} onOpen={setGame} />
            </>
          )}
        </div>
      </div>
      {game && <Replay kind={kind} start={start} game={game} words={words} onClose={() => setGame(null)} />}
    </>
  );
}
