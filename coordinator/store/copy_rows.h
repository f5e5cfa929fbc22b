#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "coordinator/scheduling/verification.h"
#include "coordinator/store/game_rows.h"

namespace joseki::coordinator {

class Statements;  // coordinator/store/statements.h

// A game that a second worker plays again, or played.
struct CopyRow {
  RunId run = 0;
  SlotRef key;            // what the second worker was given
  SlotRef of;             // the game that it plays again
  bool given_out = true;  // and has not come back
  Testimony testimony;    // of who plays it again; without an outcome while it is given out
  Testimony game;         // of who played the game
};

struct FinishedCopy {
  Inserted insert = Inserted::kNew;
  bool same = false;  // as the game; if new
};
struct CopyCounts {
  uint64_t same = 0;
  uint64_t others = 0;
};

// The table `checks`: games and searches that a second worker makes again.
class CopyRows {
 public:
  explicit CopyRows(Statements& sql) : sql_(sql) {}

  // With the lease that gives it out.
  absl::Status Insert(RunId run, const SlotRef& key, const SlotRef& of, const std::string& worker);
  // The copy came back, or ended by a fault. `game` has its key, no commit_seq and no evidence. As
  // GameRows::Insert if it came before.
  absl::StatusOr<FinishedCopy> Finish(const GameRow& game, const SlotRef& of);
  // Nothing depends on the copies of the game any more.
  absl::Status Close(RunId run, const SlotRef& of);
  // Copies that something depends on: those that are given out, and all of a dispute. In order of
  // their keys.
  absl::StatusOr<std::vector<CopyRow>> ReadOpen(RunId run);
  // The keys of all copies that came back, faults included.
  absl::StatusOr<std::vector<SlotRef>> ReadFinished(RunId run);
  absl::StatusOr<CopyCounts> Count(RunId run);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
