#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "coordinator/model/rows.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// The tables `games` and `conflicts`, and the games in archives.
class GameRows {
 public:
  explicit GameRows(Statements& sql) : sql_(sql) {}

  // Adds the game under its key. A game that is already there stays: an equal payload hash is a
  // duplicate, another one a conflict.
  absl::StatusOr<Inserted> Insert(const GameRow& game);
  // The result that Insert, or CopyRows::Finish, would have. Nullopt if the key has no game, or
  // another one of another worker.
  absl::StatusOr<std::optional<Inserted>> Compare(const GameRow& game);
  // Stores the first conflict of a key; returns whether this is the first.
  absl::StatusOr<bool> InsertConflict(const GameRow& game, int64_t seen_ms);
  absl::StatusOr<uint64_t> CountConflicts(RunId run);

  // Visits games of the run with commit_seq > after, ascending. Those of dropped archives come
  // first, with the errors of ReadArchivedGames, then those of the database. Stops at the first
  // error of `visit`; Cancelled ends the visit without an error.
  absl::Status ForEach(RunId run, uint64_t after,
                       const std::function<absl::Status(const GameRow&)>& visit);
  // Whether ForEach would visit any. Reads keys of the run alone: where there are none, ForEach
  // reads every later game of other runs.
  absl::StatusOr<bool> HasAfter(RunId run, uint64_t after);
  // Faults of a stage, by commit_seq.
  absl::StatusOr<std::vector<GameRow>> ReadFaults(RunId run, int stage);

 private:
  Statements& sql_;
};

// GameRows::ForEach for games that are in the database itself.
absl::Status ForEachStoredGame(book::Store& store, RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit);

}  // namespace joseki::coordinator
