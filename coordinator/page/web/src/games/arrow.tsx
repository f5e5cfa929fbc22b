// A move drawn on a board: an arrow, or a ring for a drop. Its thickness is its importance (0 to
// 1).
export type Point = [number, number];

export function Arrow({ from, to, weight, past }: { from: Point | null; to: Point; weight: number; past?: boolean }) {
  const width = 1 + 3 * weight;
  const name = past ? "arrow past" : "arrow";
  if (!from) return <circle class={name} cx={to[0]} cy={to[1]} r="9" fill="none" stroke-width={width} />;
  const [right, down] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(right, down);
  const along: Point = [right / length, down / length];
  const head = 4 + 1.2 * width;
  // The arrow ends before the middle of the square, so that the piece there stays readable.
  const tip: Point = [to[0] - 3 * along[0], to[1] - 3 * along[1]];
  const neck: Point = [tip[0] - head * along[0], tip[1] - head * along[1]];
  const side = head / 2;
  return (
    <g class={name}>
      <path d={`M${from.join(" ")}L${neck.join(" ")}`} stroke-width={width} />
      <path
        class="head"
        d={`M${tip.join(" ")}L${neck[0] - side * along[1]} ${neck[1] + side * along[0]}L${neck[0] + side * along[1]} ${neck[1] - side * along[0]}Z`}
      />
    </g>
  );
}
