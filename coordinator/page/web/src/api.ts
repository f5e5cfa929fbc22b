// What the coordinator answers (page_server.h), and how it is asked.

export interface Run {
  run: number;
  name: string;
  state: string;
  reason: string;
  stage: number;
  stages: number;
  games_done: number;
  // Absent where the run searches no lines; `games`: what that is worth of games_target.
  line_searches?: {
    games: number;
    answers: number;
    trials: number;
    in_answers: number;
    in_replies: number;
    in_trials: number;
    // Score of the book's side in the last trials; null: there are too few.
    expected: number | null;
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
}

export interface Status {
  game: string; // that the coordinator's book is of
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

// Wins, draws and losses are those of the side to move.
export interface BookMove {
  move: string;
  weight: number;
  wins: number;
  draws: number;
  losses: number;
  repeats: number;
  score_low: number;
  score_high: number;
  prior: number;
  in_flight: number;
  answer: boolean;
}

export interface Position {
  position: string;
  moves: BookMove[];
  commit_seq: number;
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
  looked_at: number;
  passed: number;
  exits: { move: string; wins: number; draws: number; losses: number }[];
  games: Game[];
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
// Those that need somebody first; `match` is looked for in names, states and builds.
export const readWorkers = (match: string, most: number) =>
  get<{ workers: Worker[]; matching: number }>("/api/workers", { match, most });
// Of a position that the book does not have there are no moves.
export const readPosition = (run: number, position: string) =>
  get<Position>("/api/position", { run, position }).catch((error): Position => {
    if (error instanceof Problem && error.code === "not_in_book") return { position, moves: [], commit_seq: 0 };
    throw error;
  });
export const readLine = (run: number, moves: string[]) =>
  get<Line>("/api/line", { run, moves: moves.join(" ") });
