import { useEffect, useState } from "preact/hooks";
import { readWorkers, type Worker } from "./api";
import { count, duration, wordFor, type Words } from "./words";

const mostRows = 100;

export function Workers({ words }: { words: Words }) {
  const [list, setList] = useState<{ workers: Worker[]; matching: number } | null>(null);
  const [filter, setFilter] = useState("");
  useEffect(() => {
    let current = true;
    const ask = () =>
      document.hidden || readWorkers(filter, mostRows).then((found) => current && setList(found), () => {});
    ask();
    const timer = setInterval(ask, 5000);
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [filter]);
  return (
    <>
      <label class="filter">
        {words.filter} <input value={filter} onInput={(e) => setFilter(e.currentTarget.value)} />
      </label>
      {list && list.matching === 0 && <p>{filter ? words.noSuchWorker : words.noWorkers}</p>}
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
            {list?.workers.map((w) => (
              <tr key={w.worker} title={w.reason}>
                <th scope="row">{w.worker}</th>
                <td>
                  <span class={`state ${w.state}`}>{wordFor(words, w.state)}</span>
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
                  {duration(words, w.last_seen_seconds)} {words.ago}
                </td>
                <td>{w.build}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {list && list.matching > list.workers.length && (
        <p>
          {count(list.matching - list.workers.length)} {words.more}
        </p>
      )}
    </>
  );
}
