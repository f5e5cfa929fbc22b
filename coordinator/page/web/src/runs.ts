import type { Run } from "./api";

// The newest run that tunes a book, as in the choice of books to compare (BookFilesJson). 0: none,
// the book itself.
export function newestRun(runs: Run[]): number {
  const tuning = runs.filter((run) => !run.match && run.state !== "failed");
  return tuning[tuning.length - 1]?.run ?? 0;
}
