// The engines' scores in a game: those of the first side by ply, in pawns, capped where the game is
// decided.
const most = 1500; // centipawns
const width = 300;
const height = 60;

export function ScoreGraph({ scores, from, ply, plies, label, onPly }: {
  scores: (number | null)[]; // of the moves from ply `from` on, each from the side that moved
  from: number; // how many plies the book played
  ply: number; // that is shown
  plies: number;
  label: string;
  onPly: (ply: number) => void;
}) {
  const x = (at: number) => (width * at) / Math.max(1, plies);
  const y = (score: number) => height / 2 - (Math.max(-most, Math.min(most, score)) / most) * (height / 2 - 2);
  const points = scores.flatMap((score, i) => {
    if (score === null) return [];
    const at = from + i + 1;
    return [`${x(at)},${y(at % 2 === 1 ? score : -score)}`];
  });
  if (points.length === 0) return null;
  const onClick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onPly(Math.round((plies * (event.clientX - box.left)) / box.width));
  };
  return (
    <svg class="scores" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label} onClick={onClick}>
      <path class="even" d={`M0 ${height / 2}H${width}`} />
      <path class="now" d={`M${x(ply)} 0V${height}`} />
      <polyline points={points.join(" ")} />
    </svg>
  );
}
