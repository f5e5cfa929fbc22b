#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "book/graph.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"

// Rows of the database as plain values. Their tables are in coordinator/store/.
namespace joseki::coordinator {

// A run, with its place in the budget.
struct RunRow {
  RunId run = 0;
  std::string request_id;  // may be empty
  RunSpec spec;
  Sha256 snapshot{};
  std::string state = "running";
  std::string reason;
  int64_t created_ms = 0;
  int64_t played_ms = 0;
  int stage = 0;              // 0-based; the number of stages once all are over
  uint64_t stage_seq = 0;     // the stage's lines are chosen by the games up to here
  uint64_t evidence_seq = 0;  // the checkpoint holds the games up to here
  uint64_t trust_change = 0;  // change of trust that the checkpoint is of

  bool running() const { return state == "running"; }
  // Whether the run is done, stopped or failed: nothing is played.
  bool over() const { return !running() && state != "paused"; }
  bool time_over() const {
    return spec.seconds > 0 && played_ms / 1000 >= static_cast<int64_t>(spec.seconds);
  }
  bool CanPlay() const { return running() && !time_over(); }
};

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
  // Not columns: CheckedGame::reentered of a game just taken in, and Slot::own of its slot.
  // OwnSides derives the latter again for a game that is read back.
  std::vector<book::EdgeId> reentered;
  std::optional<Color> own = {};
  std::array<book::SideUse, 2> used = {};  // of a match, in a table of their own
};

// State of a key before a game came under it: no game, the same one, or another one.
enum class Inserted { kNew, kDuplicate, kConflict };

// One life of a worker.
struct SessionRow {
  SessionId session = 0;
  std::string worker;
  uint32_t seats = 0;
  std::string build;
  int64_t joined_ms = 0;
};

// The next numbers, after all that were ever used.
struct Marks {
  RunId run = 1;
  LeaseId lease = 1;
  SessionId session = 1;
  uint64_t commit_seq = 0;  // the last one used
};

}  // namespace joseki::coordinator
