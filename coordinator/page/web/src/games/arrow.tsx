// A move that is drawn on a board: the thicker, the more it counts (0 to 1); where there is no place that it
// comes from, a ring.
export type Point = [number, number];

export function Arrow({ from, to, weight, past }: { from: Point | null; to: Point; weight: number; past?: boolean }) {
  const width = 1 + 3 * weight;
  const name = past ? "arrow past" : "arrow";
  if (!from) return <circle class={name} cx={to[0]} cy={to[1]} r="9" fill="none" stroke-width={width} />;
  const [right, down] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(right, down);
  const along: Point = [right / length, down / length];
  const head = 4 + 1.2 * width;
  // It ends before the middle of the square, so that what stands there can be read.
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
