#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// An accepted game.
struct GameRow {
  RunId run = 0;
  LeaseId lease = 0;
  uint32_t slot = 0;
  uint64_t commit_seq = 0;
  int stage = 0;
  std::string worker;
  uint64_t payload_hash = 0;
  uint64_t moves_hash = 0;
  uint32_t book_plies = 0;
  Ending ending;
  bool stale = false;
  uint64_t nodes = 0;
  uint32_t think_ms = 0;
  int64_t accepted_ms = 0;
  std::vector<Move> moves;
  std::string fault;
  std::vector<int16_t> scores;  // of the moves after the line, or empty
  ResignCheck resign_check = ResignCheck::kNone;
  // Not columns. What follows from the moves: CheckedGame::reentered of a game just taken in. And
  // what the slot says of a game that was (Slot::own; read back, OwnSides knows it).
  std::vector<book::EdgeId> reentered;
  std::optional<Color> own = {};
  std::array<book::SideUse, 2> used = {};  // of a match; match_store.h reads it back
};

// What a key had when a game came under it: nothing, the same game, or another one.
enum class Inserted { kNew, kDuplicate, kConflict };

// The tables `games` and `conflicts`, and the games in archives.
class GameRows {
 public:
  explicit GameRows(Statements& sql) : sql_(sql) {}

  // Adds the game under its key unless that has one, which then stays: the same payload hash is a
  // duplicate, another a conflict.
  absl::StatusOr<Inserted> Insert(const GameRow& game);
  // What Insert, or CopyRows::Finish, would find under the game's key: nullopt where it has no
  // game, and where that is another one, of another worker.
  absl::StatusOr<std::optional<Inserted>> Compare(const GameRow& game);
  // Keeps the first conflict of a key; whether this is it.
  absl::StatusOr<bool> InsertConflict(const GameRow& game, int64_t seen_ms);
  absl::StatusOr<uint64_t> CountConflicts(RunId run);

  // Games of the run with commit_seq > after, ascending: those of dropped archives, with the errors
  // of ReadArchivedGames, then those of the database. Stops at the first error of `visit`;
  // Cancelled from it means enough and is no error.
  absl::Status ForEach(RunId run, uint64_t after,
                       const std::function<absl::Status(const GameRow&)>& visit);
  // The faults of a stage, by commit_seq.
  absl::StatusOr<std::vector<GameRow>> ReadFaults(RunId run, int stage);

 private:
  Statements& sql_;
};

// GameRows::ForEach for games that are in the database itself.
absl::Status ForEachStoredGame(book::Store& store, RunId run, uint64_t after,
                               const std::function<absl::Status(const GameRow&)>& visit);

}  // namespace joseki::coordinator
