import { Color, Position, Square, pieceTypeToSFEN, pieceTypeToStringForBoard, unpromotedPieceType } from "tsshogi";
import type { Words } from "../../words";
import type { Marks } from "../kind";
import { Arrow, type Point } from "../arrow";

const ranks = "一二三四五六七八九";

// The squares of a move's text, for marking: "7g7f" has two, "P*5e" one.
function squaresOf(move: string | undefined): string[] {
  if (!move) return [];
  return move[1] === "*" ? [move.slice(2, 4)] : [move.slice(0, 2), move.slice(2, 4)];
}

function Hand({ position, color, chosen, words }: {
  position: Position;
  color: Color;
  chosen?: string;
  words: Words;
}) {
  const held = [...position.hand(color).counts].filter(({ count }) => count > 0);
  const name = color === Color.BLACK ? `☗ ${words.first}` : `☖ ${words.second}`;
  const turn = position.color === color;
  return (
    <div class={"hand" + (turn ? " turn" : "")}>
      <b>{name}</b>{" "}
      <span lang="ja">
        {held.length === 0 && "–"}
        {held.map(({ type, count }, i) => {
          const drop = pieceTypeToSFEN(type) + "*";
          return (
            <span key={drop} data-square={turn ? drop : undefined} class={turn && chosen === drop ? "chosen" : ""}>
              {i > 0 && " "}
              {pieceTypeToStringForBoard(type) + (count > 1 ? count : "")}
            </span>
          );
        })}
      </span>
    </div>
  );
}

export function draw(position: Position, { last, look, arrows, flipped, chosen, targets, words }: Marks) {
  const marked = squaresOf(last);
  const framed = squaresOf(look);
  const corner = ({ x, y }: Square): Point => [4 + 20 * (flipped ? 8 - x : x), 14 + 20 * (flipped ? 8 - y : y)];
  const middle = (name: string): Point | null => {
    const square = Square.newByUSI(name);
    if (!square) return null;
    const [x, y] = corner(square);
    return [x + 10, y + 10];
  };
  return (
    <figure class="board">
      <Hand position={position} color={flipped ? Color.BLACK : Color.WHITE} chosen={chosen} words={words} />
      <svg viewBox="0 0 198 198" role="img" aria-label={position.sfen} lang="ja">
        <rect class="wood" x="4" y="14" width="180" height="180" />
        {Square.all.map((square) => {
          const [x, y] = corner(square);
          const piece = position.board.at(square);
          const turned = (piece?.color === Color.WHITE) !== Boolean(flipped);
          return (
            <g key={square.usi} data-square={square.usi}>
              <rect class="square" x={x} y={y} width="20" height="20" />
              {marked.includes(square.usi) && <rect class="last" x={x} y={y} width="20" height="20" />}
              {square.usi === chosen && <rect class="chosen" x={x} y={y} width="20" height="20" />}
              {framed.includes(square.usi) && (
                <rect class="look" x={x + 1} y={y + 1} width="18" height="18" />
              )}
              {piece && (
                <text
                  class={unpromotedPieceType(piece.type) === piece.type ? "" : "promoted"}
                  x={x + 10}
                  y={y + 15.5}
                  text-anchor="middle"
                  transform={turned ? `rotate(180 ${x + 10} ${y + 10})` : undefined}
                >
                  {pieceTypeToStringForBoard(piece.type)}
                </text>
              )}
              {targets?.includes(square.usi) && <circle class="target" cx={x + 10} cy={y + 10} r="3" />}
            </g>
          );
        })}
        {Array.from({ length: 10 }, (_, i) => (
          <path class="line" d={`M${4 + 20 * i} 14v180M4 ${14 + 20 * i}h180`} key={i} />
        ))}
        {arrows?.map(({ move, weight, past }) => {
          const to = middle(move.slice(2, 4));
          return to && <Arrow key={move} from={middle(move.slice(0, 2))} to={to} weight={weight} past={past} />;
        })}
        {Array.from({ length: 9 }, (_, i) => (
          <g class="edge" key={i}>
            <text x={14 + 20 * i} y="10" text-anchor="middle">{flipped ? i + 1 : 9 - i}</text>
            <text x="190" y={28 + 20 * i} text-anchor="middle">{ranks[flipped ? 8 - i : i]}</text>
          </g>
        ))}
      </svg>
      <Hand position={position} color={flipped ? Color.WHITE : Color.BLACK} chosen={chosen} words={words} />
    </figure>
  );
}
