#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/core/effects.h"
#include "coordinator/core/submission.h"
#include "coordinator/gate.h"
#include "coordinator/model/messages.h"
#include "coordinator/runs/kept_weights.h"
#include "coordinator/setting.h"
#include "coordinator/store/writer.h"

namespace joseki::coordinator {

// Calls of workers (proto/joseki/v1/worker.proto), and the way of their games and leases through
// the writer.
//
// Thread-safe. A call that must wait for a commit or for work takes a callback, which runs exactly
// once, with no lock held. It runs on the writer's or the maintenance thread, or on the caller's if
// there is nothing to wait for. Nothing is acknowledged before it is committed with
// synchronous=FULL.
class WorkerCalls {
 public:
  // All must outlive this object.
  WorkerCalls(const Setting& setting, KeptWeights& weights, Gate& gate, Writer& writer)
      : setting_(setting), weights_(weights), gate_(gate), writer_(writer) {}

  void Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done);
  void Acquire(AcquireInput input, AcquireDone done);
  // Games are replayed on the calling thread, before the queue. If slots are wanted, their leases
  // are granted after the games are committed, and the reply waits for both.
  void Submit(SubmitInput input, SubmitDone done);
  // `cost`: of the worker so far, for the status.
  absl::StatusOr<BeatOutput> Beat(SessionId session, const std::vector<LeaseProgress>& progress,
                                  const std::optional<WorkerCost>& cost = {});
  void Leave(SessionId session, std::vector<SlotRef> unplayed,
             std::function<void(absl::Status)> done);
  // The worker of a session; empty if the session is unknown or superseded.
  std::string WorkerOf(SessionId session) const;

  // Writes the leases that an event has granted, and hands them out once they are committed.
  void WriteAndHandOut(Effects::Work work);
  // To be called on the writer's thread after a commit or rollback.
  void EndTransaction() { kept_conflicts_.clear(); }
  // To be called on the writer's thread after the callbacks of a transaction.
  void SendReplies();

 private:
  void HandOut(const Grants& leases, const AcquireDone& done, AcquireOutput output,
               absl::Status status);
  // Writes the rows and sets `insert` and the other findings of the items; called again if the
  // transaction has to be split. Used by the writer's thread, as the next.
  absl::Status WriteGames(Submission& submission, WriteBatch& batch);
  // Whether a further conflict of the game's worker should be kept.
  bool KeepsConflicts(const GameRow& game) const;
  RunSpec SpecOf(RunId run) const;
  void GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies);
  void GamesFailed(const Submission& submission, absl::Status status);
  // The status, with a delay before the retry.
  absl::Status Postpone(absl::Status status);

  const Setting& setting_;
  KeptWeights& weights_;  // for runs with re-entry
  Gate& gate_;
  Writer& writer_;

  // Used by the writer's thread.
  // Number of conflicts kept in the open transaction, by run and worker.
  std::map<std::pair<RunId, std::string>, uint32_t> kept_conflicts_;
  // Replies to the games of the last transaction, sent together so that their receivers are woken
  // once.
  std::vector<SubmitReply> replies_;
};

}  // namespace joseki::coordinator
