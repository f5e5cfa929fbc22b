-- The tables of a book database. docs/reference/storage.md has the invariants between them.

-- "game" (shogi or xiangqi), "epoch" (hex; a restored backup gets a new one).
CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

--------------------------------------------------------------------------------------- The book

-- Positions without ply.
CREATE TABLE positions (
  position INTEGER PRIMARY KEY,
  packed   BLOB NOT NULL UNIQUE,              -- 32 bytes
  ply      INTEGER NOT NULL                   -- smallest ply seen, for output
) STRICT;

CREATE TABLE moves (
  position    INTEGER NOT NULL REFERENCES positions,
  move        INTEGER NOT NULL,               -- 16 bits
  base_weight INTEGER NOT NULL DEFAULT 0,     -- set by `joseki book weigh`
  mark        INTEGER NOT NULL DEFAULT 0,     -- 0 none, 1 bad, 2 forbidden, 3 left out by weighing
  note        TEXT,
  PRIMARY KEY (position, move)
) STRICT, WITHOUT ROWID;

-- Sources of book content.
CREATE TABLE sources (
  source   INTEGER PRIMARY KEY,
  kind     TEXT NOT NULL,                     -- "games", "book", "expand", "edit", "run", "learn"
  name     TEXT NOT NULL,                     -- file or folder name, or the engine
  options  TEXT NOT NULL,                     -- JSON: plies, filter, limits
  games    INTEGER NOT NULL DEFAULT 0,
  rejected INTEGER NOT NULL DEFAULT 0,
  added_at TEXT NOT NULL                      -- UTC, ISO 8601
) STRICT;

-- The files that a source was made of, by content: a file in the book is not counted again.
CREATE TABLE imported_files (
  sha256 BLOB NOT NULL,
  source INTEGER NOT NULL REFERENCES sources,
  PRIMARY KEY (sha256, source)
) STRICT, WITHOUT ROWID;

-- Results of a source's games for a move, seen from the side that played it.
CREATE TABLE move_counts (
  position     INTEGER NOT NULL,
  move         INTEGER NOT NULL,
  source       INTEGER NOT NULL REFERENCES sources,
  professional INTEGER NOT NULL,              -- 0 or 1
  games        INTEGER NOT NULL,              -- wins + draws + losses + unknown results
  wins         INTEGER NOT NULL,
  draws        INTEGER NOT NULL,
  losses       INTEGER NOT NULL,
  PRIMARY KEY (position, move, source, professional)
) STRICT, WITHOUT ROWID;

-- Such results in blocks of 256 positions or so (book/database/played_block.h): a part of the book as
-- `positions` and `moves` are. A move with more than games has a row of its own as well.
CREATE TABLE played (
  block        INTEGER PRIMARY KEY,
  source       INTEGER NOT NULL REFERENCES sources,
  professional INTEGER NOT NULL,              -- 0 or 1: of all its games
  first        BLOB NOT NULL,                 -- packed, 32 bytes; no position of the block is less
  positions    INTEGER NOT NULL,
  moves        INTEGER NOT NULL,
  entries      BLOB NOT NULL,
  UNIQUE (source, first)
) STRICT;

-- Values of a move from an imported book or an engine's search.
CREATE TABLE move_values (
  position INTEGER NOT NULL,
  move     INTEGER NOT NULL,
  source   INTEGER NOT NULL REFERENCES sources,
  value    INTEGER,                           -- centipawns for the mover; NULL unknown
  depth    INTEGER,
  count    INTEGER NOT NULL,
  ponder   INTEGER NOT NULL,                  -- 0 none
  PRIMARY KEY (position, move, source)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------- Runs

-- Frozen book structures by content (book/graph.h Serialize).
CREATE TABLE snapshots (
  sha256 BLOB PRIMARY KEY,
  bytes  BLOB NOT NULL,
  links  BLOB                                 -- notes on what the rules say of it, which save working
                                              -- it out (book/graph.h SerializeLinks)
) STRICT, WITHOUT ROWID;

CREATE TABLE runs (
  run          INTEGER PRIMARY KEY AUTOINCREMENT,
  request_id   TEXT UNIQUE,                   -- makes CreateRun repeatable
  spec         TEXT NOT NULL,                 -- JSON of the run's specification
  snapshot     BLOB NOT NULL REFERENCES snapshots,
  state        TEXT NOT NULL,                 -- running, paused, done, stopped, failed
  reason       TEXT NOT NULL DEFAULT '',
  created_ms   INTEGER NOT NULL,
  played_ms    INTEGER NOT NULL DEFAULT 0,    -- time in state running
  stage        INTEGER NOT NULL DEFAULT 0,    -- 0-based
  stage_seq    INTEGER NOT NULL DEFAULT 0,    -- lines of the stage are chosen by games up to here
  evidence_seq INTEGER NOT NULL DEFAULT 0,    -- games up to this commit_seq are in `evidence`
  trust_change INTEGER NOT NULL DEFAULT 0,    -- the last one in `evidence`
  counters     TEXT NOT NULL DEFAULT ''       -- JSON: with `evidence` and `seen_games` what the games
                                              -- up to evidence_seq add up to, so that a restart reads
                                              -- only those after it; '': there is no checkpoint
) STRICT;

-- The values that a run's book was imported with (book/database/imported_values.h), compressed.
CREATE TABLE imported_values (
  run   INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE sessions (
  session   INTEGER PRIMARY KEY AUTOINCREMENT,
  worker    TEXT NOT NULL,
  slots     INTEGER NOT NULL,
  build     TEXT NOT NULL,
  joined_ms INTEGER NOT NULL,
  left_ms   INTEGER
) STRICT;

-- A worker's right to some slots, written before it is handed out.
CREATE TABLE leases (
  lease      INTEGER PRIMARY KEY AUTOINCREMENT,
  run        INTEGER NOT NULL REFERENCES runs,
  worker     TEXT NOT NULL,
  session    INTEGER NOT NULL,
  stage      INTEGER NOT NULL,
  state      INTEGER NOT NULL,                -- 0 live, 1 finished, 2 expired, 3 given back
  granted_ms INTEGER NOT NULL,
  term_ms    INTEGER NOT NULL,
  slots      BLOB NOT NULL,                   -- coordinator/model/slot_codec.h
  process    INTEGER NOT NULL DEFAULT 0,      -- of the worker, 64 bits: another one has nothing of the
                                              -- lease in play
  replaces   INTEGER NOT NULL DEFAULT 1       -- 1: some of them are given out in place of lost ones
) STRICT;
CREATE INDEX unfinished_leases ON leases (run, state) WHERE state <> 1;
CREATE INDEX replacing_leases ON leases (run, lease) WHERE replaces <> 0;

------------------------------------------------------------------------------------------ Games

-- The truth: one row for each accepted game, never updated. Games are appended in the order of their
-- commits, and the ones after a checkpoint stand together.
CREATE TABLE games (
  commit_seq   INTEGER PRIMARY KEY,           -- total order over all runs, from 1
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,
  slot         INTEGER NOT NULL,
  stage        INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  payload_hash INTEGER NOT NULL,              -- of what the worker sent
  moves_hash   INTEGER NOT NULL,              -- of the whole game: tells identical games
  book_plies   INTEGER NOT NULL,              -- plies of the line
  result       INTEGER NOT NULL,
  termination  INTEGER NOT NULL,
  stale        INTEGER NOT NULL,              -- 1: accepted after its lease had expired
  nodes        INTEGER NOT NULL,
  think_ms     INTEGER NOT NULL,
  accepted_ms  INTEGER NOT NULL,
  moves        BLOB NOT NULL,                 -- 16 bits each, little-endian
  fault        TEXT,
  scores       BLOB,                          -- of the moves after the line: 16 bits each, signed,
                                              -- little-endian, side to move's view, -32768 unknown
  resign_check INTEGER NOT NULL DEFAULT 0,    -- had the rule of resignation ended the game: 0 it
                                              -- would not have, 1 rightly, 2 wrongly
  UNIQUE (run, lease, slot)
) STRICT;
CREATE INDEX fault_games ON games (run, stage) WHERE result = 0;

-- Figures of the sides of a match in a game, if the worker reported them.
CREATE TABLE match_uses (
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,
  slot         INTEGER NOT NULL,              -- with run and lease: the game's key
  a_moves      INTEGER NOT NULL,              -- that A's engine chose
  a_book_moves INTEGER NOT NULL,
  a_nodes      INTEGER NOT NULL,
  a_micros     INTEGER NOT NULL,              -- inside its engine
  b_moves      INTEGER NOT NULL,
  b_book_moves INTEGER NOT NULL,
  b_nodes      INTEGER NOT NULL,
  b_micros     INTEGER NOT NULL,
  PRIMARY KEY (run, lease, slot)
) STRICT, WITHOUT ROWID;

-- A second, different game under a key that already has one: kept, never counted.
CREATE TABLE conflicts (
  conflict     INTEGER PRIMARY KEY,
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,
  slot         INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  payload_hash INTEGER NOT NULL,
  seen_ms      INTEGER NOT NULL,
  moves        BLOB NOT NULL
) STRICT;
CREATE INDEX conflict_keys ON conflicts (run, lease, slot);

-- Games that stand in files beside the book as well, or alone (coordinator/store/archive_store.h).
CREATE TABLE archives (
  archive     INTEGER PRIMARY KEY,
  run         INTEGER NOT NULL,
  first_seq   INTEGER NOT NULL,               -- commit_seq of its first game
  last_seq    INTEGER NOT NULL,
  games       INTEGER NOT NULL,               -- this and the next ones: the seal
  first_wins  INTEGER NOT NULL,
  second_wins INTEGER NOT NULL,
  draws       INTEGER NOT NULL,
  faults      INTEGER NOT NULL,
  plies       INTEGER NOT NULL,
  file        TEXT NOT NULL,                  -- in the folder BOOK.archives
  sha256      BLOB NOT NULL,                  -- of the file
  bytes       INTEGER NOT NULL,
  dropped     INTEGER NOT NULL DEFAULT 0,     -- 1: its games are in the file alone
  UNIQUE (run, first_seq)
) STRICT;

-- Rows of games that are in an archive alone: enough to recognise a repeated one, and to compare a
-- copy.
CREATE TABLE archived_games (
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,
  slot         INTEGER NOT NULL,
  commit_seq   INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  payload_hash INTEGER NOT NULL,
  moves_hash   INTEGER NOT NULL,
  result       INTEGER NOT NULL,
  termination  INTEGER NOT NULL,
  nodes        INTEGER NOT NULL,
  PRIMARY KEY (run, lease, slot)
) STRICT, WITHOUT ROWID;

---------------------------------------------------------------------------------- The checkpoint

-- A checkpoint of the games' evidence; `joseki audit` rebuilds it from them.
CREATE TABLE evidence (
  run            INTEGER NOT NULL,
  edge           INTEGER NOT NULL,            -- index in the run's snapshot
  sum            INTEGER NOT NULL,
  wins           INTEGER NOT NULL,
  draws          INTEGER NOT NULL,
  losses         INTEGER NOT NULL,
  repeats        INTEGER NOT NULL,            -- identical games, in none of the counts before
  seq            INTEGER NOT NULL DEFAULT 0,  -- games up to here are in the row: at least
                                              -- runs.evidence_seq where a later game changed it
  stage          INTEGER NOT NULL DEFAULT -1, -- the run's when the row was written, -1 where the rule
                                              -- has none; the rest is what the row was when it began
  frozen_sum     INTEGER NOT NULL DEFAULT 0,
  frozen_wins    INTEGER NOT NULL DEFAULT 0,
  frozen_draws   INTEGER NOT NULL DEFAULT 0,
  frozen_losses  INTEGER NOT NULL DEFAULT 0,
  frozen_repeats INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, edge)
) STRICT, WITHOUT ROWID;

-- The moves hashes of different games with a commit_seq after the row before, up to `seq`.
CREATE TABLE seen_games (
  run    INTEGER NOT NULL,
  seq    INTEGER NOT NULL,
  hashes BLOB NOT NULL,                       -- 8 bytes each, little-endian, in order of commit
  PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

-- The weights by which the book answers on re-entry, as a step from the version before: needed to
-- judge a game that was played by them. Runs with re-entry only.
CREATE TABLE weight_versions (
  run     INTEGER NOT NULL,
  version INTEGER NOT NULL,                   -- from 1; of a staged policy the stage + 1
  seq     INTEGER NOT NULL,                   -- the last game counted in them
  games   INTEGER NOT NULL,                   -- of the run by then
  trust_change INTEGER NOT NULL,              -- that the evidence behind them was of
  base    INTEGER NOT NULL,                   -- version that `delta` leads from; 0: it stands alone
  delta   BLOB NOT NULL,                      -- book/weights_delta.h
  priors  INTEGER NOT NULL DEFAULT 0,         -- version of the priors behind them; 0: none
  PRIMARY KEY (run, version)
) STRICT, WITHOUT ROWID;

-- Lines that failed three times: out of selection, reported.
CREATE TABLE poisoned_lines (
  run      INTEGER NOT NULL,
  line     BLOB NOT NULL,                     -- moves
  attempts INTEGER NOT NULL,
  reason   TEXT NOT NULL,
  failed   TEXT NOT NULL DEFAULT '',          -- "LEASE:WORKER LEASE:WORKER ...": it is left out while
                                              -- enough of them are believed
                                              -- (coordinator/runs/lost_lines.h)
  freed    INTEGER NOT NULL DEFAULT 0,        -- by an operator: what failed under leases before this
                                              -- one counts no more
  PRIMARY KEY (run, line)
) STRICT, WITHOUT ROWID;

------------------------------------------------------------------------------------------- Trust

-- Games that a second worker plays again: the same slot under another key. Never evidence.
CREATE TABLE checks (
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,              -- with slot: the key that the second worker was given
  slot         INTEGER NOT NULL,
  of_lease     INTEGER NOT NULL,              -- with of_slot: the game that it plays again
  of_slot      INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  state        INTEGER NOT NULL,              -- 0 given out, 1 the same game, 2 another one, 3 a fault
  settled      INTEGER NOT NULL,              -- 1: nothing depends on it any more
  payload_hash INTEGER NOT NULL,              -- this and the rest as in games; 0 while given out
  moves_hash   INTEGER NOT NULL,
  result       INTEGER NOT NULL,
  termination  INTEGER NOT NULL,
  nodes        INTEGER NOT NULL,
  seen_ms      INTEGER NOT NULL,
  moves        BLOB NOT NULL,                 -- empty unless it is another game
  PRIMARY KEY (run, lease, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_checks ON checks (run) WHERE settled = 0;

-- Workers blocked and unblocked, in order, for good. The changes up to one of them say which games
-- are out of the evidence (coordinator/scheduling/trust.h).
CREATE TABLE trust_changes (
  change   INTEGER PRIMARY KEY,
  worker   TEXT NOT NULL,
  action   INTEGER NOT NULL,                  -- 1 block, 2 unblock, 3 unblock, its games stay out
  lease    INTEGER NOT NULL,                  -- the next one to be granted then
  by_check INTEGER NOT NULL,                  -- 1: found out; 0: an operator
  reason   TEXT NOT NULL,
  at_ms    INTEGER NOT NULL
) STRICT;

------------------------------------------------------------------------- Searches of positions

-- What an evaluation is evidence of: an engine by its behaviour, its options, and a node limit.
CREATE TABLE evaluation_profiles (
  profile        INTEGER PRIMARY KEY,
  engine_id      TEXT NOT NULL,
  engine_name    TEXT NOT NULL,               -- this and the rest as a run's specification says
  signature      INTEGER NOT NULL,
  weights_sha256 TEXT NOT NULL,
  options        TEXT NOT NULL,               -- JSON
  nodes          INTEGER NOT NULL,            -- limit of one search
  UNIQUE (engine_id, engine_name, signature, weights_sha256, options, nodes)
) STRICT;

-- Searches of book positions by workers, and faults in their place. Never updated.
CREATE TABLE evaluations (
  seq          INTEGER PRIMARY KEY,           -- total order over all runs
  run          INTEGER NOT NULL,
  lease        INTEGER NOT NULL,
  slot         INTEGER NOT NULL,
  worker       TEXT NOT NULL,
  payload_hash INTEGER NOT NULL,              -- of what the worker sent
  moves_hash   INTEGER NOT NULL,              -- of the moves and scores: what a second worker must find
  profile      INTEGER NOT NULL REFERENCES evaluation_profiles,
  position     BLOB NOT NULL,                 -- packed, 32 bytes
  score        INTEGER,                       -- centipawns for the side to move; NULL: none
  best         INTEGER NOT NULL,              -- move, 16 bits; 0: none
  depth        INTEGER NOT NULL,              -- 0: not told
  attempt      INTEGER NOT NULL,              -- how often the run had given the position out
  result       INTEGER NOT NULL,              -- of a game that is over there, else 0
  termination  INTEGER NOT NULL,              -- 0: it was searched; else how it ended there
  stale        INTEGER NOT NULL,              -- 1: accepted after its lease had expired
  nodes        INTEGER NOT NULL,
  think_ms     INTEGER NOT NULL,
  accepted_ms  INTEGER NOT NULL,
  fault        TEXT,
  -- Of a search along a line; all NULL: of a position of the book, for priors.
  line         BLOB,                          -- moves as far as it was followed, 16 bits each
  kind         INTEGER,                       -- of the slot
  searched_from INTEGER,                      -- of a reply: ply from which the opponent had no book
  excluded     BLOB,                          -- moves that the best one could not be, 16 bits each
  own          INTEGER,                       -- of a trial: the book's side, 0 moves first
  played       BLOB,                          -- of a trial: moves after the line, 16 bits each
  scores       BLOB,                          -- of these, 16 bits each, signed, little-endian
  UNIQUE (run, lease, slot)
) STRICT;

-- What the priors of a run were made of, from time to time (coordinator/model/prior_set.h).
CREATE TABLE prior_sets (
  run          INTEGER NOT NULL,
  version      INTEGER NOT NULL,              -- from 1
  evaluations  INTEGER NOT NULL,              -- of this run, up to this seq
  shared       INTEGER NOT NULL,              -- of other runs, up to this seq
  trust_change INTEGER NOT NULL,              -- less those that trust up to here excludes
  games_seq    INTEGER NOT NULL,              -- the scales and milli_games follow from the games up
                                              -- to here
  games        INTEGER NOT NULL,              -- of the run by then
  scale        INTEGER NOT NULL,              -- expected result 1 / (1 + exp(-score / scale))
  milli_games  INTEGER NOT NULL,              -- games that an evaluation counts for, thousandths
  positions    INTEGER NOT NULL,              -- with a score
  imported_scale       INTEGER NOT NULL DEFAULT 600, -- as scale, of imported values
  imported_milli_games INTEGER NOT NULL DEFAULT 60000,
  PRIMARY KEY (run, version)
) STRICT, WITHOUT ROWID;
