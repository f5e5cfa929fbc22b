// Curves over one axis, as SVG; only what reports need.
const width = 320;
const height = 120;
const left = 40; // room for the numbers of the y axis
const bottom = 16;
const right = 6;
const top = 8;

export interface Curve {
  name: string;
  values: number[];
  errors?: number[]; // of each value: the band is twice as wide
}

// A round number of the range's magnitude, for the marks of the axis.
function reach(values: number[], zero: boolean): [number, number] {
  const least = Math.min(...values, ...(zero ? [0] : []));
  const most = Math.max(...values, ...(zero ? [0] : []));
  return least === most ? [least, least + 1] : [least, most];
}

const short = (value: number) => {
  const size = Math.abs(value);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return String(Number(value.toPrecision(3)));
};

export function LineChart({ label, curves, from, to, zero = true }: {
  label: string;
  curves: Curve[];
  from: string; // at the two ends of the x axis
  to: string;
  zero?: boolean; // the y axis begins there
}) {
  const ends = curves.flatMap(({ values, errors }) =>
    values.flatMap((value, i) => [value - (errors?.[i] ?? 0), value + (errors?.[i] ?? 0)]));
  if (ends.length === 0) return null;
  const [least, most] = reach(ends, zero);
  const y = (value: number) => top + ((most - value) / (most - least)) * (height - top - bottom);
  const last = curves.map(({ name, values }) => `${name} ${short(values[values.length - 1])}`).join(", ");
  return (
    <figure class="curves">
      <figcaption>
        {label}
        {curves.length > 1 && curves.map(({ name }, i) => <span key={name} class={`key key${i}`}>{name}</span>)}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${label}: ${last}`}>
        {[most, least].map((value) => (
          <g key={value}>
            <path class="grid" d={`M${left} ${y(value)}H${width - right}`} />
            <text x={left - 4} y={y(value) + 3} text-anchor="end">{short(value)}</text>
          </g>
        ))}
        {least < 0 && most > 0 && <path class="grid zero" d={`M${left} ${y(0)}H${width - right}`} />}
        {curves.map(({ name, values, errors }, i) => {
          const x = (at: number) => left + ((width - left - right) * (values.length > 1 ? at / (values.length - 1) : 1));
          const edge = (sign: number) => values.map((value, at) => `${x(at)},${y(value + sign * errors![at])}`);
          return (
            <g key={name} class={`curve curve${i}`}>
              {errors && <polygon points={[...edge(1), ...edge(-1).reverse()].join(" ")} />}
              <polyline points={values.map((value, at) => `${x(at)},${y(value)}`).join(" ")} />
              {values.length === 1 && <circle cx={x(0)} cy={y(values[0])} r="2.5" />}
            </g>
          );
        })}
        <text x={left} y={height - 3}>{from}</text>
        <text x={width - right} y={height - 3} text-anchor="end">{to}</text>
      </svg>
    </figure>
  );
}
