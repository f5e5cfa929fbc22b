#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/rows.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/runs/line_searches.h"
#include "coordinator/scheduling/lease_table.h"
#include "engine/core/resignation.h"

namespace joseki::coordinator {

using AcquireDone = std::function<void(absl::StatusOr<AcquireOutput>)>;
using SubmitDone = std::function<void(absl::StatusOr<SubmitOutput>)>;

// One game on its way through Submit.
struct SubmittedItem {
  enum class Kind { kRejected, kKnown, kNew, kCopy, kEvaluation };
  Kind kind = Kind::kRejected;
  std::string reason;  // reason of the rejection
  GameRow row;
  std::shared_ptr<const PlannedSlot> plan;  // set for a new game or a copy
  SessionId session = 0;                    // the session to which the lease was granted
  bool same = false;                        // whether a copy equals the game that it repeats
  uint64_t of_seq = 0;                      // seq of the search that is the same; 0: none
  // For an evaluation; the moves of its row are those that the search found.
  size_t followed = 0;  // moves of the line before them
  PackedPosition position;
  std::optional<int16_t> score;
  uint32_t depth = 0;
  std::optional<Inserted> insert;  // result of the writer; nullopt: no such key
  bool kept_conflict = false;

  // The line of an evaluation as far as it was followed.
  std::vector<Move> FollowedLine() const {
    const std::vector<Move>& line = plan->slot.line;
    return {line.begin(), line.begin() + static_cast<std::ptrdiff_t>(followed)};
  }
  // The result of a search along a line. REQUIRES: an evaluation or its copy, and no fault.
  LineSearch FoundAlongLine() const {
    LineSearch found{.line = FollowedLine(),
                     .best = std::nullopt,
                     .score = score,
                     .over = row.ending.termination != Termination::kNone,
                     .worker = row.worker,
                     .lease = row.lease};
    if (!row.moves.empty()) found.best = row.moves.front();
    return found;
  }
};

// The slot of a game, and the rules of its run.
struct GamePlace {
  bool known_run = false;
  MatchRules match;
  ResignRule resign;
  std::shared_ptr<const book::Graph> graph;  // of a run with re-entry
  std::optional<LeaseTable::Found> slot;
  bool put_away = false;  // the slot, if there is one, has to be read from the database
};

// Leases on their way to the database, and then to the worker.
using Grants = std::vector<std::shared_ptr<const LeaseGrant>>;

// The slots of one reply while they are planned.
struct Granting {
  AcquireInput input;
  AcquireOutput output;  // without the leases
  Grants leases;
  uint32_t slots = 0;  // number of slots in them
  // The number of slots of each run that this reply may still get, if the run has them.
  std::map<RunId, uint32_t> room;
};

// One call of Submit.
struct Submission {
  std::vector<SubmittedItem> items;
  Granting work;  // wanted with the reply, and leases written with the games
  SubmitDone done;
};

// The reply to such a call once its games are committed.
struct SubmitReply {
  SubmitDone done;
  SubmitOutput output;
};

}  // namespace joseki::coordinator
