// Numbers, in a form common to all languages.
export const percent = (share: number) => `${(100 * share).toFixed(1)}\u00a0%`;

export const signed = (value: number) => `${value >= 0 ? "+" : "−"}${Math.abs(value)}`;

// A score of 0 to 1 as a rating difference, capped where it has no more meaning.
export const eloOf = (score: number) => {
  const held = Math.min(0.999, Math.max(0.001, score));
  return 400 * Math.log10(held / (1 - held));
};

export const eloWords = (elo: number | null) => (elo === null ? "–" : `${signed(Math.round(elo))}\u00a0Elo`);

// "1.02 [0.95, 1.09]"; empty while the interval is unbounded.
export function slopeWords(fit: { slope: number; low: number | null; high: number | null } | null): string {
  if (!fit || fit.low === null || fit.high === null) return "";
  return `${fit.slope.toFixed(2)} [${fit.low.toFixed(2)}, ${fit.high.toFixed(2)}]`;
}

// "2026-11-26 08:16", by the reader's own clock.
export function moment(ms: number): string {
  if (ms === 0) return "–";
  const date = new Date(ms);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
