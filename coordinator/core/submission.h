#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/store/run_store.h"
#include "engine/core/resignation.h"

namespace joseki::coordinator {

using AcquireDone = std::function<void(absl::StatusOr<AcquireOutput>)>;
using SubmitDone = std::function<void(absl::StatusOr<SubmitOutput>)>;

// One game on its way through Submit.
struct SubmittedItem {
  enum class Kind { kRejected, kKnown, kNew, kCopy, kEvaluation };
  Kind kind = Kind::kRejected;
  std::string reason;  // why it was rejected
  GameRow row;
  std::shared_ptr<const PlannedSlot> plan;  // a new game or a copy has one
  SessionId session = 0;                    // that the lease was granted to
  bool same = false;                        // a copy equals the game that it plays again
  // An evaluation has these; the moves of its row are those that were found.
  size_t followed = 0;  // moves of the line before them
  PackedPosition position;
  std::optional<int16_t> score;
  uint32_t depth = 0;
  std::optional<RunStore::Insert> insert;  // the writer's finding; nullopt: no such key
  bool kept_conflict = false;
};

// The slot and the rules of the run that a game is judged by.
struct GamePlace {
  bool known_run = false;
  MatchRules match;
  ResignRule resign;
  std::shared_ptr<const book::Graph> graph;  // a run with re-entry has them
  std::optional<LeaseTable::Found> slot;
};

// A lease on its way to the database, and then to the worker.
struct Granted {
  std::shared_ptr<const LeaseGrant> grant;
  int64_t granted_ms = 0;
};

// The slots of one reply, as they are planned.
struct Granting {
  AcquireInput input;
  AcquireOutput output;  // all but the leases
  std::vector<Granted> leases;
  uint32_t slots = 0;  // in them
  // How much of each run the worker gets in this reply yet, as long as the run has any to give.
  std::map<RunId, uint32_t> room;
};

// One call of Submit.
struct Submission {
  SessionId session = 0;
  std::vector<SubmittedItem> items;
  Granting work;  // wanted with the reply, and what is written with the games; want_slots 0: none
  SubmitDone done;
};

// What such a call is told once its games are committed.
struct SubmitReply {
  SubmitDone done;
  SubmitOutput output;
};

}  // namespace joseki::coordinator
