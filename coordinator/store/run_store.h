#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/hash.h"
#include "book/database/imported_values.h"
#include "book/database/store.h"
#include "book/graph.h"
#include "book/stats/series.h"
#include "book/tuning/policy.h"
#include "book/tuning/tuner.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/prior_set.h"
#include "coordinator/model/run_spec.h"
#include "coordinator/model/slot_codec.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/scheduling/verification.h"
#include "coordinator/store/run_counters.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

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
  uint64_t stage_seq = 0;     // lines of the stage are chosen by the games up to here
  uint64_t evidence_seq = 0;  // the checkpoint holds the games up to here
  uint64_t trust_change = 0;  // and none that trust up to this change excludes

  bool running() const { return state == "running"; }
  // Done, stopped or failed: nothing is played.
  bool over() const { return !running() && state != "paused"; }
  bool time_over() const {
    return spec.seconds > 0 && played_ms / 1000 >= static_cast<int64_t>(spec.seconds);
  }
  bool CanPlay() const { return running() && !time_over(); }
};

struct LeaseRow {
  LeaseGrant grant;
  LeaseState state = LeaseState::kLive;
  int64_t granted_ms = 0;
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
  // Not columns. What follows from the moves: CheckedGame::reentered of a game just taken in. And
  // what the slot says of a game that was (Slot::own; read back, OwnSides knows it).
  std::vector<book::EdgeId> reentered;
  std::optional<Color> own = {};
  std::array<book::SideUse, 2> used = {};  // of a match; match_store.h reads it back
};

struct SessionRow {
  SessionId session = 0;
  std::string worker;
  uint32_t seats = 0;
  std::string build;
  int64_t joined_ms = 0;
};

// A game that a second worker plays again, or played.
struct CopyRow {
  RunId run = 0;
  SlotRef key;            // what the second worker was given
  SlotRef of;             // the game that it plays again
  bool given_out = true;  // and has not come back
  Testimony testimony;    // of who plays it again; without an outcome while it is given out
  Testimony game;         // of who played the game
};

// Evidence of the games up to `seq` on one move.
struct EvidenceRow {
  book::EdgeId edge = 0;
  int64_t sum = 0;
  book::Evidence evidence;
  uint64_t seq = 0;
  int stage = -1;  // of the run at `seq`; -1: its rule has no stages
  // Evidence when that stage began; a staged rule has it.
  int64_t frozen_sum = 0;
  book::Evidence frozen_evidence;
  bool operator==(const EvidenceRow&) const = default;
};

// Sums over the games of a run up to `seq`, beside their evidence.
struct Checkpoint {
  uint64_t seq = 0;
  RunCounters counters;
  std::vector<uint64_t> seen;  // moves hashes of different games since the checkpoint before
};

// The rows of runs, leases, games, evidence, sessions and poisoned lines, over one connection.
// Thread rule: as the Store it stands on. Statements are prepared once and kept.
class RunStore {
 public:
  explicit RunStore(book::Store& store);
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  const std::string& epoch() const;
  // For the repositories beside this one (weight_store), inside the same transaction.
  book::Store& store();

  // One transaction. Begin takes the write lock at once, Unavailable while another program holds
  // it. After a failed Commit or any failed verb, Rollback undoes all since Begin; it never fails.
  absl::Status Begin();
  absl::Status Commit();
  void Rollback();

  // Everything until EndRead, which alone ends it, sees one state of the database. May stand inside
  // another one, which then says which state.
  absl::Status BeginRead();
  void EndRead();

  // The numbers that come next, after all that were ever used.
  struct Marks {
    RunId run = 1;
    LeaseId lease = 1;
    SessionId session = 1;
    uint64_t commit_seq = 0;  // the last one used
  };
  absl::StatusOr<Marks> ReadMarks();

  // Each as book/graph.h serializes it.
  absl::Status InsertSnapshot(const Sha256& sha256, std::string_view bytes, std::string_view links);
  absl::StatusOr<std::string> ReadSnapshot(const Sha256& sha256);  // NotFound
  absl::StatusOr<std::string> ReadLinks(const Sha256& sha256);     // empty if there are none
  absl::Status InsertRun(const RunRow& run);
  // The spec's share, state, reason, played_ms, stage, stage_seq.
  absl::Status UpdateRun(const RunRow& run);
  absl::StatusOr<std::vector<RunRow>> ReadRuns();
  absl::StatusOr<RunRow> ReadRun(RunId run);  // NotFound "unknown_run"

  absl::Status InsertSession(const SessionRow& session);
  absl::Status EndSession(SessionId session, int64_t left_ms);
  // Whether a worker of this name ever had one. Looks at all of them.
  absl::StatusOr<bool> HasSession(const std::string& worker);

  absl::Status InsertLease(const LeaseGrant& grant, int64_t granted_ms,
                           LeaseState state = LeaseState::kLive);
  absl::Status InsertLease(const LeaseRow& lease) {
    return InsertLease(lease.grant, lease.granted_ms, lease.state);
  }
  absl::Status SetLeaseState(LeaseId lease, LeaseState state);
  absl::StatusOr<LeaseRow> ReadLease(LeaseId lease);  // NotFound
  // Leases of the run that are not finished, ascending.
  absl::StatusOr<std::vector<LeaseRow>> ReadUnfinishedLeases(RunId run);
  absl::StatusOr<std::set<uint32_t>> ReadFilledSlots(RunId run, LeaseId lease);
  // Which lost slots of the run were given out again, in leases after `after`.
  absl::StatusOr<std::vector<SlotRef>> ReadReplaced(RunId run, LeaseId after);

  enum class Insert { kNew, kDuplicate, kConflict };
  // Adds the game under its key unless that has one, which then stays: the same payload hash is a
  // duplicate, another a conflict.
  absl::StatusOr<Insert> InsertGame(const GameRow& game);
  // What InsertGame, or FinishCopy, would find under the game's key: nullopt where it has no game,
  // and where that is another one, of another worker.
  absl::StatusOr<std::optional<Insert>> CompareGame(const GameRow& game);
  // Keeps the first conflict of a key; whether this is it.
  absl::StatusOr<bool> InsertConflict(const GameRow& game, int64_t seen_ms);
  // Games of the run with commit_seq > after, ascending. Stops at the first error of `visit`;
  // Cancelled from it means enough and is no error.
  absl::Status ForEachGame(RunId run, uint64_t after,
                           const std::function<absl::Status(const GameRow&)>& visit);

  // The faults of a stage, by commit_seq.
  absl::StatusOr<std::vector<GameRow>> ReadFaults(RunId run, int stage);

  // A checkpoint is written in two steps, which may be transactions apart: first every row that
  // games up to checkpoint.seq changed, each as it is by then or later; then the checkpoint.
  // Nothing happens where the run's evidence is of another trust by now.
  absl::Status SaveEvidence(RunId run, std::span<const EvidenceRow> rows,
                            uint64_t trust_change = 0);
  absl::Status SaveCheckpoint(RunId run, const Checkpoint& checkpoint, uint64_t trust_change = 0);
  absl::StatusOr<std::vector<EvidenceRow>> ReadEvidence(RunId run);
  // Nullopt: there is no checkpoint, and evidence rows, if any, are of no use.
  absl::StatusOr<std::optional<RunCounters>> ReadCounters(RunId run);
  // Every moves hash of the checkpoint, in order of commit, chunk by chunk.
  absl::Status ForEachSeen(RunId run, const std::function<void(std::span<const uint64_t>)>& visit);
  // Makes the run's checkpoint void: the evidence follows from the games alone, with the trust up
  // to this change.
  absl::Status DropCheckpoint(RunId run, uint64_t trust_change);

  // With the lease that gives it out.
  absl::Status InsertCopy(RunId run, const SlotRef& key, const SlotRef& of,
                          const std::string& worker);
  struct FinishedCopy {
    Insert insert = Insert::kNew;
    bool same = false;  // as the game; if new
  };
  // The copy came back, or ended by a fault. `game` has its key, no commit_seq and no evidence. As
  // InsertGame if it came before.
  absl::StatusOr<FinishedCopy> FinishCopy(const GameRow& game, const SlotRef& of);
  // Nothing depends on the copies of the game any more.
  absl::Status CloseCopies(RunId run, const SlotRef& of);
  // Copies that something depends on: those that are given out, and all of a dispute. In order of
  // their keys.
  absl::StatusOr<std::vector<CopyRow>> ReadOpenCopies(RunId run);
  // The keys of all copies that came back, faults included.
  absl::StatusOr<std::vector<SlotRef>> ReadFinishedCopies(RunId run);
  struct CopyCounts {
    uint64_t same = 0;
    uint64_t others = 0;
  };
  absl::StatusOr<CopyCounts> CountCopies(RunId run);

  absl::Status InsertTrustChange(const TrustChange& change);
  // In order.
  absl::StatusOr<std::vector<TrustChange>> ReadTrustChanges();

  // Takes the place of what was said of the line before.
  absl::Status InsertPoisoned(RunId run, const PoisonedLine& line);
  absl::StatusOr<std::vector<PoisonedLine>> ReadPoisoned(RunId run);
  absl::StatusOr<uint64_t> CountConflicts(RunId run);

  // Writes and commits something of some size, then takes it away: whether writing works again.
  absl::Status Probe();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki::coordinator
