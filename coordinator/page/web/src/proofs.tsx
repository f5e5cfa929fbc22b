// The results of a run's proofs: the matches one by one, and the gain against each opponent from
// proof to proof.
import type { Proved, RunReport } from "./api";
import { LineChart } from "./line_chart";
import { eloWords, moment } from "./numbers";
import { count, wordFor, type Words } from "./words";

const mostRows = 24;

// A row: a match of a proof, or the run itself if it is a match.
export interface ProofRow extends Proved {
  name: string;
  played_ms: number; // Unix; 0: not known
}

// A sequential test: the place of its ratio between the two bounds.
function Ratio({ proved, words }: { proved: Proved; words: Words }) {
  if (proved.llr === null || proved.lower === null || proved.upper === null) return <>–</>;
  const { llr, lower, upper } = proved;
  const at = Math.min(1, Math.max(0, (llr - lower) / (upper - lower)));
  return (
    <span class="ratio">
      <span class="bounds" role="img" aria-label={`${words.ratio} ${llr.toFixed(2)}: ${lower.toFixed(2)} – ${upper.toFixed(2)}`}>
        <i style={`left:${100 * at}%`} />
      </span>
      <small>{llr.toFixed(2)}</small>
    </span>
  );
}

// The 95 % interval of the Elo, as far as it is bounded.
function boundsOf({ elo_low: low, elo_high: high }: Proved) {
  if (low === null) return high === null ? "" : `< ${eloWords(high)}`;
  return high === null ? `> ${eloWords(low)}` : `${eloWords(low)} – ${eloWords(high)}`;
}

// Opponent and limit, in words.
const nameOf = (proved: RunReport["proof"][0], inTime: boolean, words: Words) =>
  `${wordFor(words, `proof_${proved.opponent}`)}, ${count(proved.limit)} ${inTime ? "ms" : words.nodesShort}`;

// `inTime`: the limits are milliseconds.
export const proofRows = (report: RunReport, inTime: boolean, words: Words): ProofRow[] =>
  report.proof.map((proved) => ({ ...proved, name: nameOf(proved, inTime, words) }));

// Rows keep their order, newest first.
export function Proofs({ rows, words }: { rows: ProofRow[]; words: Words }) {
  return (
    <section>
      <h3>
        {words.proof} {rows.length > 1 && <small class="faint">{words.newestFirst}</small>}
      </h3>
      {rows.length === 0 ? <p class="faint">{words.noProof}</p> : (
        <table class="proofs">
          <thead>
            <tr>
              <th>{words.opponent}</th>
              <th>Elo</th>
              <th>{words.ratio}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, mostRows).map((row, i) => (
              <tr key={i}>
                <th scope="row">
                  {row.name}
                  <small title={words.result}>
                    {count(row.wins)} · {count(row.draws)} · {count(row.losses)}
                    {row.played_ms > 0 && ` (${moment(row.played_ms)})`}
                  </small>
                </th>
                <td>
                  {eloWords(row.elo)}
                  <small>{boundsOf(row)}</small>
                </td>
                <td><Ratio proved={row} words={words} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > mostRows && <p>{count(rows.length - mostRows)} {words.more}</p>}
    </section>
  );
}

// A curve for each opponent of more than one proof, with its 95 % band.
export function Gains({ report, inTime, words }: { report: RunReport; inTime: boolean; words: Words }) {
  const byOpponent = new Map<string, RunReport["proof"]>();
  for (const proved of report.proof) {
    if (proved.opponent === "opponent-input" || proved.elo === null) continue;
    const name = nameOf(proved, inTime, words);
    byOpponent.set(name, [proved, ...(byOpponent.get(name) ?? [])]); // the oldest first
  }
  const told = [...byOpponent].filter(([, proofs]) => proofs.length > 1);
  if (told.length === 0) return null;
  return (
    <section class="gains">
      <h3>{words.gains}</h3>
      <div class="charts">
        {told.map(([name, proofs]) => (
          <LineChart
            key={name}
            label={`${name} (Elo)`}
            from={moment(proofs[0].played_ms).slice(5)}
            to={moment(proofs[proofs.length - 1].played_ms).slice(5)}
            curves={[{
              name: "Elo",
              values: proofs.map(({ elo }) => elo!),
              errors: proofs.map(({ elo_low, elo_high }) => (elo_low === null || elo_high === null ? 0 : (elo_high - elo_low) / 2)),
            }]}
          />
        ))}
      </div>
    </section>
  );
}
