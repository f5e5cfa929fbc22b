import { useEffect, useState } from "preact/hooks";
import { readWorkers, type Worker } from "./api";
import { count, duration, type Words } from "./words";

const mostRows = 200;

// Those that need somebody to look at them come first.
const order = ["quarantined", "refused", "silent", "draining", "active", "drained"];

export function Workers({ words }: { words: Words }) {
  const [workers, setWorkers] = useState<Worker[]>([]);
  const [filter, setFilter] = useState("");
  useEffect(() => {
    const ask = () => document.hidden || readWorkers().then((w) => setWorkers(w.workers), () => {});
    ask();
    const timer = setInterval(ask, 5000);
    return () => clearInterval(timer);
  }, []);
  const wanted = workers
    .filter((w) => `${w.worker} ${w.state} ${w.build}`.includes(filter))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state) || b.games - a.games);
  return (
    <>
      <label class="filter">
        {words.filter} <input value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
      </label>
      {workers.length === 0 && <p>{words.noWorkers}</p>}
      <div class="wide" role="region" aria-label={words.workers} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th>{words.worker}</th>
              <th>{words.state}</th>
              <th class="n">{words.slots}</th>
              <th class="n">{words.inPlay}</th>
              <th class="n">{words.games}</th>
              <th class="n">{words.faults}</th>
              <th class="n">{words.verified}</th>
              <th class="n">{words.search}</th>
              <th class="n">{words.seen}</th>
              <th>{words.build}</th>
            </tr>
          </thead>
          <tbody>
            {wanted.slice(0, mostRows).map((w) => (
              <tr key={w.worker} title={w.reason}>
                <th scope="row">{w.worker}</th>
                <td>
                  <span class={`state ${w.state}`}>{w.state}</span>
                </td>
                <td class="n">{w.slots}</td>
                <td class="n">{w.in_flight}</td>
                <td class="n">{count(w.games)}</td>
                <td class={w.faults > 0 ? "n bad" : "n"}>{w.faults}</td>
                <td class={w.mismatches > 0 ? "n bad" : "n"}>
                  {w.checks}
                  {w.mismatches > 0 && `, ${w.mismatches} ${words.wrong}`}
                </td>
                <td class="n">{w.search_share > 0 ? `${(100 * w.search_share).toFixed(1)} %` : "–"}</td>
                <td class="n">
                  {duration(w.last_seen_seconds)} {words.ago}
                </td>
                <td>{w.build}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {wanted.length > mostRows && (
        <p>
          {wanted.length - mostRows} {words.more}
        </p>
      )}
    </>
  );
}
