#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "book/stats/series.h"
#include "worker/play/cost.h"
#include "worker/play/play_spec.h"
#include "worker/play/referee.h"

// Messages between a worker and its coordinator, as plain values with the meaning of
// proto/joseki/v1/worker.proto. The work loop depends on these alone, and on no wire format.
namespace joseki::worker {

using RunId = uint64_t;
using LeaseId = uint64_t;
using SessionId = uint64_t;

inline constexpr uint32_t kProtocol = 1;

struct Lease {
  LeaseId lease = 0;
  RunId run = 0;
  std::vector<Slot> slots;
};

struct JoinInput {
  std::string worker;
  uint32_t seats = 0;  // games played at once
  std::vector<EngineIdentity> engines;
  std::string build;
  uint64_t process = 0;   // random number of this process of the worker
  uint64_t instance = 0;  // equal for all processes of the worker (worker/instance.h)
  std::map<std::string, std::string> labels;
  uint32_t memory_mb = 0;  // per seat; 0: unknown
  uint32_t cores = 0;
  bool evaluates = true;  // accepts evaluation slots beside games
};

struct Session {
  SessionId session = 0;
  std::string epoch;
  absl::Duration beat;
  absl::Duration wait;    // longest time for which Acquire may be held
  absl::Duration spread;  // window of the first Join after a lost connection
};

struct AcquireInput {
  uint32_t want_slots = 0;
  std::vector<RunId> known_runs;
  std::optional<LeaseId> after_lease = {};  // newest lease received
};

struct AcquireOutput {
  std::vector<Lease> leases;
  std::map<RunId, PlaySpec> runs;
  absl::Duration retry;
  bool drain = false;
  uint32_t ahead = 0;  // slots to keep ready beyond those in play; 0: choose
};

// A game, or the fault that ended it, as it is spooled and submitted, without `search`. The epoch
// is that of the session whose Acquire granted the slot.
struct FinishedGame : RefereedGame {
  std::string epoch = {};
  RunId run = 0;
  LeaseId lease = 0;
  uint32_t slot = 0;
  std::array<book::SideUse, 2> used = {};  // effort of A and B in a match
  bool operator==(const FinishedGame&) const = default;
};

// Values are those of the wire.
enum class Verdict : uint8_t {
  kAccepted = 1,
  kDuplicate = 2,
  kStaleAccepted = 3,
  kConflict = 4,
  kRejected = 5,
};

struct GameVerdict {
  LeaseId lease = 0;
  uint32_t slot = 0;
  Verdict verdict = Verdict::kRejected;
  std::string reason;
};

// Games of one epoch, and the request for slots with the reply: none if `work.want_slots` is 0.
struct SubmitInput {
  std::string epoch;
  std::span<const FinishedGame> games;
  AcquireInput work;
};

struct SubmitOutput {
  std::vector<GameVerdict> verdicts;  // one per game, in order
  std::optional<AcquireOutput> work;
};

struct LeaseProgress {
  LeaseId lease = 0;
  uint32_t plies = 0;
};

struct BeatInput {
  std::span<const LeaseProgress> leases;
  WorkerCost cost = {};
};

struct BeatOutput {
  std::vector<LeaseId> cancelled;
  bool drain = false;
  absl::Duration beat = {};    // zero: unchanged
  absl::Duration spread = {};  // zero: unchanged
};

struct SlotRef {
  LeaseId lease = 0;
  uint32_t slot = 0;
};

// A coordinator. Each verb is one attempt with a deadline of its own, and blocks until the reply.
// Verbs return Cancelled soon after `stop` is requested; retries are the work loop's. A session
// that the coordinator does not know, or no longer knows, gets a problem "unknown_session".
// Thread-safe: verbs may run concurrently.
class CoordinatorPort {
 public:
  virtual ~CoordinatorPort() = default;

  virtual absl::StatusOr<Session> Join(const JoinInput& input, std::stop_token stop) = 0;
  // The coordinator may hold the call for up to session.wait.
  virtual absl::StatusOr<AcquireOutput> Acquire(const Session& session, const AcquireInput& input,
                                                std::stop_token stop) = 0;
  // REQUIRES: every game is of the epoch given.
  virtual absl::StatusOr<SubmitOutput> Submit(SessionId session, const SubmitInput& input,
                                              std::stop_token stop) = 0;
  virtual absl::StatusOr<BeatOutput> Beat(SessionId session, const BeatInput& input,
                                          std::stop_token stop) = 0;
  virtual absl::Status Leave(SessionId session, std::span<const SlotRef> unplayed,
                             std::stop_token stop) = 0;
};

}  // namespace joseki::worker
