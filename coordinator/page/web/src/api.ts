// The coordinator's replies (page_server.h), and the requests for them.

export interface Run {
  run: number;
  name: string;
  match: boolean; // plays books against each other and has none of its own
  state: string;
  reason: string;
  stage: number;
  stages: number;
  games_done: number;
  // Absent if the run searches no lines; `games`: their worth in games_target.
  line_searches?: {
    games: number;
    answers: number;
    trials: number;
    in_answers: number;
    in_replies: number;
    in_trials: number;
    // Score of the book's side in the last trials; null: too few.
    expected: number | null;
    // Why no more are made; empty: they are.
    off: string;
    trials_off: string; // likewise of trials
    // What the engine's scores are worth; null: no game says. `low`, `high`: null while unbounded.
    calibration: { games: number; slope: number; low: number | null; high: number | null } | null;
  };
  games_target: number;
  games_per_second: number;
  workers: number;
  slots: number;
  quarantined: number;
  eta_seconds: number | null;
  faults: number;
  draws: number;
  conflicts: number;
  poisoned_lines: number;
  games_excluded: number;
  engine: string;
  nodes: number;
  move_ms: number;
  pairing: string;
  policy: string;
  not_served?: string;
  terminations: Record<string, number>;
}

export interface Status {
  game: string; // that the coordinator's book is of
  with: string | null; // the name of a second file to compare with
  runs: Run[];
  workers: Record<string, number>;
  slots: number;
  uptime_seconds: number;
  commit_ms: number;
  queued_games: number;
  certificate_end: string | null;
}

export interface Worker {
  worker: string;
  state: string;
  reason: string;
  slots: number;
  in_flight: number;
  games: number;
  faults: number;
  checks: number;
  mismatches: number;
  last_seen_seconds: number;
  build: string;
  search_share: number;
}

// Wins, draws and losses are from the side to move.
export interface BookMove {
  move: string;
  weight: number;
  games?: number; // of the book itself: the imported ones, with those without a result
  wins: number;
  draws: number;
  losses: number;
  repeats: number;
  score_low: number;
  score_high: number;
  prior: number;
  in_flight: number;
  answer: boolean;
  // The score that searches and trials expect; null where they say nothing of the move. They choose
  // the answer by it.
  expected: number | null;
  origin: string | null; // "book", or how a run found it; null: of the book itself
  decided_by: string | null; // why it is a run's answer
  // The evaluation of an imported book: centipawns and depth; null if there is none.
  value: number | null;
  depth: number | null;
  count: number;
}

// The players' name of a position.
export interface Opening {
  code: string; // of a classification; empty: of none
  name: string; // in the language that it was named in
  english: string;
}

export interface Position {
  position: string;
  moves: BookMove[];
  commit_seq: number;
  opening: Opening | null; // of exactly this position
}

export interface Game {
  commit_seq: number;
  worker: string;
  result: string;
  termination: string;
  book_plies: number;
  moves: string;
  scores: (number | null)[]; // of the moves after the book's, from the side that moved; perhaps none
}

export interface Line {
  start: string;
  opening: Opening | null; // the last name along the line
  looked_at: number;
  passed: number;
  exits: { move: string; wins: number; draws: number; losses: number }[];
  games: Game[];
}

// The contents of the book itself.
export interface Book {
  positions: number;
  moves: number;
  games: number;
  sources_all: number;
  sources: { kind: string; name: string; games: number; rejected: number; added_at: string }[]; // the newest last
}

// A book's answer, with the results of its games (`low` to `high`: 95 %), or its searches.
export interface Answer {
  move: string;
  wins: number;
  draws: number;
  losses: number;
  low: number;
  high: number;
  worth: number; // centipawns for who plays it
  trials: number;
  searched: number; // nodes; 0: no search found it
  origin: string | null; // "book", or how a run found it; null: of the book itself
  decided_by: string | null; // why it is a run's answer
}

// The result of a match, from the tuned book's side; Elo is null where nothing bounds it.
export interface Proved {
  wins: number;
  draws: number;
  losses: number;
  elo: number | null;
  elo_low: number | null;
  elo_high: number | null;
  llr: number | null; // null: no test
  lower: number | null;
  upper: number | null;
}

// The course of a run (run_json.h). Times are Unix, in milliseconds; 0: none.
export interface RunReport {
  created_ms: number;
  first_ms: number;
  last_ms: number;
  played_seconds: number;
  games: number;
  first_wins: number;
  second_wins: number;
  draws: number;
  nodes: number;
  think_ms: number;
  workers: number;
  checked: number;
  differed: number;
  book: { positions: number; moves: number };
  steps: { until_ms: number; games: number; searches: number; positions: number; changed: number; found: number }[];
  course: { trials: number; score: number; error: number }[];
  spending: {
    positions: number;
    reached: number;
    settled: number;
    top: { position: string; ply: number; games: number; recent: number; standing: string; answer: string | null }[];
  } | null;
  changed: number;
  movers: { position: string; games: number; before: Answer; after: Answer }[];
  proof: (Proved & { opponent: string; limit: number; played_ms: number })[]; // the newest first
  match: Proved | null;
}

// A file with a book, and the runs that tune it, oldest first.
export interface BookFile {
  name: string;
  runs: { run: number; name: string }[];
}

// The positions where two books have different answers, largest reach first.
export interface Difference {
  same: number;
  only_before: number;
  only_after: number;
  changed: number;
  positions: {
    position: string;
    ply: number;
    reach: number;
    games: number;
    before: Answer | null;
    after: Answer | null;
    after_of_before: Answer | null;
  }[];
}

export class Problem extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function get<T>(path: string, query: Record<string, string | number> = {}): Promise<T> {
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]));
  const answer = await fetch(search.size ? `${path}?${search}` : path);
  const body = await answer.json();
  if (!answer.ok) throw new Problem(body.error?.code ?? "", body.error?.message ?? String(answer.status));
  return body as T;
}

export const readStatus = () => get<Status>("/api/status");
export const readBook = () => get<Book>("/api/book");
export const readRun = (run: number) => get<RunReport>("/api/run", { run });
// The files whose books may be compared, the page's own first.
export const readFiles = () => get<{ files: BookFile[] }>("/api/files");
export const readDiff = (before: string, after: string) => get<Difference>("/api/diff", { before, after });
// Workers that need attention come first; `match` is a part of a name, state or build.
export const readWorkers = (match: string, most: number) =>
  get<{ workers: Worker[]; matching: number }>("/api/workers", { match, most });
// A position that the book does not have has no moves.
export const readPosition = (run: number, position: string) =>
  get<Position>("/api/position", { run, position }).catch((error): Position => {
    if (error instanceof Problem && error.code === "not_in_book") return { position, moves: [], commit_seq: 0, opening: null };
    throw error;
  });
export const readLine = (run: number, moves: string[]) =>
  get<Line>("/api/line", { run, moves: moves.join(" ") });
