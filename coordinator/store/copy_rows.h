#pragma once

#include <cstdint>
#include <map>
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
  SlotRef key;            // slot of the second worker
  SlotRef of;             // game that is repeated
  bool given_out = true;  // not yet returned
  Testimony testimony;    // the second worker's; without an outcome while given out
  Testimony game;         // the testimony of the worker that played the game
};

// A worker's copy of a search that found the same.
struct SearchedAgain {
  LeaseId lease = 0;
  std::string worker;
};

struct FinishedCopy {
  Inserted insert = Inserted::kNew;
  bool same = false;    // equal to the game; if new
  uint64_t of_seq = 0;  // seq of the search that is the same; 0: a game, or another result
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
  // Records a copy that came back, or ended by a fault. `game` has its key, no commit_seq and no
  // evidence. Errors as GameRows::Insert if it came before.
  absl::StatusOr<FinishedCopy> Finish(const GameRow& game, const SlotRef& of);
  // Closes the game's copies, on which nothing depends any more.
  absl::Status Close(RunId run, const SlotRef& of);
  // Copies on which something depends: those given out, and all of a dispute. In order of their
  // keys.
  absl::StatusOr<std::vector<CopyRow>> ReadOpen(RunId run);
  // The keys of all copies that came back, faults included.
  absl::StatusOr<std::vector<SlotRef>> ReadFinished(RunId run);
  // The searches of the run that were made again with the same result, by their keys.
  absl::StatusOr<std::map<SlotRef, std::vector<SearchedAgain>>> ReadSearchedAgain(RunId run);
  absl::StatusOr<CopyCounts> Count(RunId run);

 private:
  Statements& sql_;
};

}  // namespace joseki::coordinator
