import type { Words } from "../../words";
import type { Marks } from "../kind";
import { Arrow, type Point } from "../arrow";
import { blackNumbers, characterOf, letterOf, redNumbers } from "./notation";
import { type Board, fileOf, files, isRed, nameOfSquare, rankOf, ranks, squaresOf } from "./rules";

// Distance of neighbouring points; the corner a9 is at (left, top).
const cell = 20;
const left = 14;
const top = 24;
const right = left + cell * (files - 1);
const bottom = top + cell * (ranks - 1);

// Inner files stop at the river, and each palace has a cross.
function Lines() {
  const river = [top + 4 * cell, top + 5 * cell];
  const across = Array.from({ length: ranks }, (_, i) => `M${left} ${top + cell * i}H${right}`);
  const up = Array.from({ length: files }, (_, i) => {
    const at = left + cell * i;
    return i === 0 || i === files - 1
      ? `M${at} ${top}V${bottom}`
      : `M${at} ${top}V${river[0]}M${at} ${river[1]}V${bottom}`;
  });
  const palaces = [top, bottom - 2 * cell].map((from) => {
    const at = left + 3 * cell;
    return `M${at} ${from}l${2 * cell} ${2 * cell}M${at + 2 * cell} ${from}l${-2 * cell} ${2 * cell}`;
  });
  return <path class="line" d={[...across, ...up, ...palaces].join("")} fill="none" />;
}

// The character, and below it the letter that moves are written with.
function Piece({ piece, at: [x, y] }: { piece: string; at: Point }) {
  return (
    <g class={isRed(piece) ? "man red" : "man black"}>
      <circle cx={x} cy={y} r="9.2" />
      <text x={x} y={y + 2.6} text-anchor="middle">{characterOf(piece)}</text>
      <text class="letter" x={x} y={y + 7.8} text-anchor="middle">{letterOf(piece)}</text>
    </g>
  );
}

function Side({ board, red, words }: { board: Board; red: boolean; words: Words }) {
  return (
    <div class={"hand" + (board.red === red ? " turn" : "")}>
      <b>
        <span class={red ? "side red" : "side black"} /> {red ? words.first : words.second}
      </b>
    </div>
  );
}

// The placement in words, for screen readers: "Red: Ke0 Ad0 ..., to move".
function described(board: Board, words: Words): string {
  const sides = [true, false].map((red) => {
    const own = board.pieces.flatMap((piece, square) =>
      piece !== "" && isRed(piece) === red ? [letterOf(piece) + nameOfSquare(square)] : []);
    return `${red ? words.first : words.second}${board.red === red ? ` (${words.toMove})` : ""}: ${own.join(" ")}`;
  });
  return sides.join("; ");
}

export function draw(board: Board, { last, look, arrows, flipped, chosen, targets, words }: Marks) {
  const marked: number[] = (last && squaresOf(last)) || [];
  const framed: number[] = (look && squaresOf(look)) || [];
  const middle = (square: number): Point =>
    flipped
      ? [right - cell * fileOf(square), top + cell * rankOf(square)]
      : [left + cell * fileOf(square), bottom - cell * rankOf(square)];
  const square = (name: string) => squaresOf(name + name)![0];
  const around = ([x, y]: Point, half: number) =>
    ({ x: x - half, y: y - half, width: 2 * half, height: 2 * half });
  const forRed = words.code === "ja" ? redNumbers : "123456789";
  const forBlack = words.code === "ja" ? blackNumbers : "123456789";
  // Each side counts files from its right.
  const [above, below] = flipped ? [forRed, forBlack] : [forBlack, forRed];
  return (
    <figure class="board xiangqi">
      <Side board={board} red={Boolean(flipped)} words={words} />
      <svg viewBox="0 0 188 228" role="img" aria-label={described(board, words)} lang="zh-Hant">
        <rect class="wood" x="3" y={top - 11} width="182" height={bottom - top + 22} />
        <Lines />
        <g class="river" aria-hidden="true">
          <text x={left + 2 * cell} y={top + 4.5 * cell + 4.5} text-anchor="middle">楚河</text>
          <text x={left + 6 * cell} y={top + 4.5 * cell + 4.5} text-anchor="middle">漢界</text>
        </g>
        {board.pieces.map((piece, at) => (
          <g key={at} data-square={nameOfSquare(at)}>
            <rect class="square" {...around(middle(at), 10)} />
            {marked.includes(at) && <rect class="last" {...around(middle(at), 10)} />}
            {piece && <Piece piece={piece} at={middle(at)} />}
            {chosen === nameOfSquare(at) && <rect class="chosen" {...around(middle(at), 10)} />}
            {framed.includes(at) && <rect class="look" {...around(middle(at), 9.5)} />}
            {targets?.includes(nameOfSquare(at)) && (
              <circle class="target" cx={middle(at)[0]} cy={middle(at)[1]} r="3" />
            )}
          </g>
        ))}
        {arrows?.map(({ move, weight, past }) => (
          <Arrow key={move} from={middle(square(move.slice(0, 2)))} to={middle(square(move.slice(2, 4)))} weight={weight} past={past} />
        ))}
        {Array.from({ length: files }, (_, i) => (
          <g class="edge" key={i}>
            <text x={left + cell * i} y={top - 14} text-anchor="middle">{above[i]}</text>
            <text x={left + cell * i} y={bottom + 20} text-anchor="middle">{below[files - 1 - i]}</text>
          </g>
        ))}
      </svg>
      <Side board={board} red={!flipped} words={words} />
    </figure>
  );
}
