import { useEffect, useState } from "preact/hooks";
import { Problem } from "./api";

const again = 2000; // ms, where the coordinator works something else out
const every = 10000;

// The reply of `read`, requested again at intervals; the last one stays while there is no reply.
// `key` identifies the request: another key is another request.
export function useResource<T>(key: string, read: () => Promise<T>): { value: T | null; problem: string } {
  const [known, setKnown] = useState<{ key: string; value: T | null; problem: string }>({ key, value: null, problem: "" });
  useEffect(() => {
    let current = true;
    let timer = 0;
    const ask = async () => {
      let wait = every;
      try {
        const value = document.hidden ? null : await read();
        if (current && value) setKnown({ key, value, problem: "" });
      } catch (error) {
        const busy = error instanceof Problem && error.code === "being_made";
        if (busy) wait = again;
        const problem = busy ? "" : error instanceof Error ? error.message : String(error);
        if (current) setKnown((before) => ({ key, value: before.key === key ? before.value : null, problem }));
      }
      if (current) timer = window.setTimeout(ask, wait);
    };
    ask();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  return known.key === key ? known : { value: null, problem: "" };
}
