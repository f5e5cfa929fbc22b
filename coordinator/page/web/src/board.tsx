import { Color, Position, Square, pieceTypeToStringForBoard, unpromotedPieceType } from "tsshogi";
import type { Words } from "./words";

const ranks = "一二三四五六七八九";

// Squares of a move as text, to be marked: "7g7f" has two, "P*5e" one.
function squaresOf(move: string | undefined): string[] {
  if (!move) return [];
  return move[1] === "*" ? [move.slice(2, 4)] : [move.slice(0, 2), move.slice(2, 4)];
}

function Hand({ position, color, words }: { position: Position; color: Color; words: Words }) {
  const pieces: string[] = [];
  for (const { type, count } of position.hand(color).counts) {
    if (count > 0) pieces.push(pieceTypeToStringForBoard(type) + (count > 1 ? count : ""));
  }
  const name = color === Color.BLACK ? `☗ ${words.black}` : `☖ ${words.white}`;
  return (
    <div class={"hand" + (position.color === color ? " turn" : "")}>
      <b>{name}</b> <span lang="ja">{pieces.join(" ") || "–"}</span>
    </div>
  );
}

// The position of an SFEN, with the squares of `last` marked and those of `look` framed.
export function Board({ position, last, look, words }: {
  position: Position;
  last?: string;
  look?: string;
  words: Words;
}) {
  const marked = squaresOf(last);
  const framed = squaresOf(look);
  return (
    <figure class="board">
      <Hand position={position} color={Color.WHITE} words={words} />
      <svg viewBox="0 0 198 198" role="img" aria-label={position.sfen} lang="ja">
        <rect class="wood" x="4" y="14" width="180" height="180" />
        {Square.all.map((square) => {
          const x = 4 + square.x * 20;
          const y = 14 + square.y * 20;
          const piece = position.board.at(square);
          const white = piece?.color === Color.WHITE;
          return (
            <g key={square.usi}>
              {marked.includes(square.usi) && <rect class="last" x={x} y={y} width="20" height="20" />}
              {framed.includes(square.usi) && (
                <rect class="look" x={x + 1} y={y + 1} width="18" height="18" />
              )}
              {piece && (
                <text
                  class={unpromotedPieceType(piece.type) === piece.type ? "" : "promoted"}
                  x={x + 10}
                  y={y + 15.5}
                  text-anchor="middle"
                  transform={white ? `rotate(180 ${x + 10} ${y + 10})` : undefined}
                >
                  {pieceTypeToStringForBoard(piece.type)}
                </text>
              )}
            </g>
          );
        })}
        {Array.from({ length: 10 }, (_, i) => (
          <path class="line" d={`M${4 + 20 * i} 14v180M4 ${14 + 20 * i}h180`} key={i} />
        ))}
        {Array.from({ length: 9 }, (_, i) => (
          <g class="edge" key={i}>
            <text x={14 + 20 * i} y="10" text-anchor="middle">{9 - i}</text>
            <text x="190" y={28 + 20 * i} text-anchor="middle">{ranks[i]}</text>
          </g>
        ))}
      </svg>
      <Hand position={position} color={Color.BLACK} words={words} />
    </figure>
  );
}
