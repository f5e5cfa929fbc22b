#include "coordinator/worker_calls.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/core/attend.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/intake.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/match_store.h"
#include "coordinator/store/run_store.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

absl::Status CheckFields(const JoinInput& input) {
  if (!IsName(input.worker)) {
    return MakeProblem({.code = "bad_field",
                        .file = "worker",
                        .found = Quote(input.worker),
                        .expected = kNameWords});
  }
  if (input.protocol != kProtocol) {
    return Refuse("protocol", absl::StrCat("version ", input.protocol),
                  absl::StrCat("version ", kProtocol));
  }
  if (input.seats < 1 || input.seats > kMaxSlotsPerWorker) {
    return MakeProblem({.code = "bad_field",
                        .file = "slots",
                        .found = absl::StrCat(input.seats),
                        .expected = absl::StrCat("1 to ", kMaxSlotsPerWorker)});
  }
  return absl::OkStatus();
}

void Send(std::vector<SubmitReply>& replies) {
  for (SubmitReply& reply : replies) reply.done(std::move(reply.output));
  replies.clear();
}

}  // namespace

void WorkerCalls::Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done) {
  if (absl::Status status = CheckFields(input); !status.ok()) return done(status);
  const absl::StatusOr<SessionRow> row =
      gate_.Do([&](Tables& tables) { return AdmitWorker(tables, input); });
  if (!row.ok()) return done(row.status());
  WriteJob job;
  job.write = [row = *row](WriteBatch& batch) { return batch.rows.sessions().Insert(row); };
  job.done = [this, row = *row, input = std::move(input), done](absl::Status written) {
    if (!written.ok()) return done(Postpone(std::move(written)));
    const auto tell = [done, epoch = setting_.epoch](JoinOutput output) {
      output.epoch = epoch;
      done(std::move(output));
    };
    gate_.Do([&](Tables& tables) { OpenSession(tables, row, input, tell); });
  };
  if (!writer_.Push(std::move(job))) done(Postpone(QueueFull()));
}

std::string WorkerCalls::WorkerOf(SessionId session_id) const {
  return gate_.Look([&](const Tables& tables) {
    const Session* const session = tables.sessions.Find(session_id);
    return session == nullptr ? std::string() : session->worker;
  });
}

absl::StatusOr<BeatOutput> WorkerCalls::Beat(SessionId session,
                                             const std::vector<LeaseProgress>& progress,
                                             const std::optional<WorkerCost>& cost) {
  return gate_.Do([&](Tables& tables) { return NoteBeat(tables, session, progress, cost); });
}

void WorkerCalls::Leave(SessionId session, std::vector<SlotRef> unplayed,
                        std::function<void(absl::Status)> done) {
  const absl::Status status =
      gate_.Do([&](Tables& tables) { return CloseSession(tables, session, unplayed); });
  if (!status.ok()) return done(status);
  WriteJob job;
  job.done = done;
  if (!writer_.Push(std::move(job))) done(Postpone(QueueFull()));
}

void WorkerCalls::Acquire(AcquireInput input, AcquireDone done) {
  Granting granting{.input = std::move(input)};
  gate_.DoInPieces([&](Tables& tables) { return AcquireSome(tables, granting, done); });
}

namespace {

absl::Status WriteLeases(const Grants& leases, WriteBatch& batch) {
  for (const auto& grant : leases) {
    RETURN_IF_ERROR(batch.rows.leases().Insert(*grant));
    for (const PlannedSlot& plan : grant->slots) {
      if (!plan.IsCopy()) continue;
      RETURN_IF_ERROR(batch.rows.copies().Insert(grant->run, {grant->lease, plan.slot.slot},
                                                 plan.copy_of, grant->worker));
    }
  }
  return absl::OkStatus();
}

}  // namespace

void WorkerCalls::WriteAndHandOut(Effects::Work work) {
  auto leases = std::make_shared<const Grants>(std::move(work.granting.leases));
  WriteJob job;
  job.write = [leases](WriteBatch& batch) { return WriteLeases(*leases, batch); };
  job.done = [this, leases, done = work.done, output = std::move(work.granting.output)](
                 absl::Status status) { HandOut(*leases, done, output, std::move(status)); };
  if (!writer_.Push(std::move(job))) HandOut(*leases, work.done, {}, QueueFull());
}

void WorkerCalls::HandOut(const Grants& leases, const AcquireDone& done, AcquireOutput output,
                          absl::Status status) {
  if (status.ok()) {
    gate_.Do([&](Tables& tables) { HandedOut(tables, leases); });
    return done(WithLeases(leases, std::move(output)));
  }
  done(gate_.Do([&](Tables& tables) { return TakeBack(tables, leases, std::move(status)); }));
}

namespace {

// The slot of a lease that ended long ago; nullopt if it has a game.
absl::StatusOr<std::optional<LeaseTable::Found>> ReadSlot(RunStore& rows, LeaseId lease_id,
                                                          uint32_t slot) {
  absl::StatusOr<LeaseRow> lease = rows.leases().Read(lease_id);
  if (absl::IsNotFound(lease.status())) return std::nullopt;
  RETURN_IF_ERROR(lease.status());
  const RunId run = lease->grant.run;
  ASSIGN_OR_RETURN(const std::set<uint32_t> filled, rows.leases().ReadFilledSlots(run, lease_id));
  if (filled.contains(slot)) return std::nullopt;
  for (PlannedSlot& plan : lease->grant.slots) {
    if (plan.slot.slot != slot) continue;
    ASSIGN_OR_RETURN(const std::vector<CopyRow> copies, rows.copies().ReadOpen(run));
    for (const CopyRow& copy : copies) {
      if (copy.given_out && copy.key == SlotRef{lease_id, slot}) plan.copy_of = copy.of;
    }
    LeaseTable::Found found{.run = run,
                            .stage = lease->grant.stage,
                            .worker = lease->grant.worker,
                            .session = lease->grant.session,
                            .plan = std::make_shared<const PlannedSlot>(std::move(plan))};
    return found;
  }
  return std::nullopt;
}

// Reads the slots that are in the database alone.
absl::Status ReadPutAway(const std::string& db_path, const std::vector<SubmittedGame>& games,
                         std::vector<GamePlace>& places) {
  std::unique_ptr<book::Store> store;
  for (size_t i = 0; i < games.size(); ++i) {
    if (!places[i].put_away) continue;
    if (store == nullptr) {
      ASSIGN_OR_RETURN(store, book::Store::Open(db_path, book::OpenMode::kReadOnly));
    }
    RunStore rows(*store);
    ASSIGN_OR_RETURN(places[i].slot, ReadSlot(rows, games[i].lease, games[i].slot));
  }
  return absl::OkStatus();
}

}  // namespace

// The numbers are those of coordinator/core/intake.h.
void WorkerCalls::Submit(SubmitInput input, SubmitDone done) {
  // 1. The sender of the games, and their slots.
  absl::StatusOr<TakenIn> taken =
      gate_.Do([&](Tables& tables) { return TakeIn(tables, input, setting_.epoch); });
  if (!taken.ok()) return done(taken.status());
  if (absl::Status read = ReadPutAway(setting_.options.db_path, input.games, taken->places);
      !read.ok()) {
    return done(std::move(read));
  }
  auto submission = std::make_shared<Submission>();
  submission->work.input = std::move(input.work);
  submission->done = std::move(done);

  // 2. Whether each is a game of its slot.
  const WeightsOf weights_of = [this](RunId run, uint32_t version) {
    return weights_.Get(run, version);
  };
  bool to_write = false;
  submission->items.reserve(input.games.size());
  for (size_t i = 0; i < input.games.size(); ++i) {
    absl::StatusOr<SubmittedItem> item =
        Examine(setting_.rules, taken->worker, std::move(input.games[i]),
                std::move(taken->places[i]), weights_of);
    if (!item.ok()) return submission->done(item.status());
    submission->items.push_back(*std::move(item));
    if (submission->items.back().kind != SubmittedItem::Kind::kRejected) to_write = true;
  }
  if (!to_write) {
    std::vector<SubmitReply> replies;
    GamesCommitted(*submission, replies);
    return Send(replies);
  }

  // 3. Work for the worker.
  WriteJob job;
  job.games = submission->items.size();
  job.patient = true;
  if (submission->work.input.want_slots > 0) {
    gate_.DoInPieces(
        [&](Tables& tables) { return GrantWithGames(tables, *submission, job.patient); });
  }

  // 4. The rows, on the writer's thread. Step 5, the debts, is the Payer's (payment.h).
  job.write = [this, submission](WriteBatch& batch) { return WriteGames(*submission, batch); };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return GamesFailed(*submission, std::move(written));
    GamesCommitted(*submission, replies_);
  };
  if (!writer_.Push(std::move(job))) GamesFailed(*submission, QueueFull());
}

// ---- 4. The rows of the games, and of the leases ----

namespace {

// Limits on conflicting games that are kept: enough for a diagnosis.
constexpr uint64_t kMostConflicts = 10'000;  // of a run
constexpr uint32_t kMostOfWorker = 100;      // since this coordinator started

absl::Status WriteGame(SubmittedItem& item, WriteBatch& batch) {
  item.row.commit_seq = batch.commit_seq + 1;
  ASSIGN_OR_RETURN(item.insert, batch.rows.games().Insert(item.row));
  if (item.insert != Inserted::kNew) return absl::OkStatus();
  batch.commit_seq = item.row.commit_seq;
  if (item.plan->slot.kind != SlotKind::kMatch) return absl::OkStatus();
  return InsertMatchUse(batch.rows.store(), item.row);
}

absl::Status WriteCopy(SubmittedItem& item, WriteBatch& batch) {
  ASSIGN_OR_RETURN(const FinishedCopy finished,
                   batch.rows.copies().Finish(item.row, item.plan->copy_of));
  item.insert = finished.insert;
  item.same = finished.same;
  item.of_seq = finished.of_seq;
  return absl::OkStatus();
}

absl::Status WriteEvaluation(SubmittedItem& item, const RunSpec& spec, WriteBatch& batch) {
  const Slot& slot = item.plan->slot;
  std::optional<AlongLine> along;
  if (spec.line_searches.wanted()) {
    along = {.line = item.FollowedLine(),
             .kind = slot.kind,
             .searched_from = slot.searched_from,
             .excluded = slot.excluded,
             .own = slot.own,
             .scores = item.row.scores};
  }
  ASSIGN_OR_RETURN(const InsertedEvaluation inserted,
                   InsertEvaluation(batch.rows.store(),
                                    {.game = item.row,
                                     .position = item.position,
                                     .score = item.score,
                                     .depth = item.depth,
                                     .attempt = item.plan->failures + 1,
                                     .limit = slot.nodes,
                                     .along = std::move(along)},
                                    spec));
  item.insert = inserted.insert;
  item.row.commit_seq = inserted.seq;
  return absl::OkStatus();
}

}  // namespace

absl::Status WorkerCalls::WriteGames(Submission& submission, WriteBatch& batch) {
  gate_.Look([&](const Tables& tables) {
    for (SubmittedItem& item : submission.items) {
      item.row.stale = !tables.leases.IsLive(item.row.lease);
    }
  });
  const int64_t now_ms = absl::ToUnixMillis(setting_.wall.Now());
  for (SubmittedItem& item : submission.items) {
    item.insert.reset();
    item.kept_conflict = false;
    item.row.accepted_ms = now_ms;
    switch (item.kind) {
      case SubmittedItem::Kind::kRejected:
        break;
      case SubmittedItem::Kind::kKnown: {
        ASSIGN_OR_RETURN(item.insert, batch.rows.games().Compare(item.row));
        break;
      }
      case SubmittedItem::Kind::kNew:
        RETURN_IF_ERROR(WriteGame(item, batch));
        break;
      case SubmittedItem::Kind::kCopy:
        RETURN_IF_ERROR(WriteCopy(item, batch));
        break;
      case SubmittedItem::Kind::kEvaluation:
        RETURN_IF_ERROR(WriteEvaluation(item, SpecOf(item.row.run), batch));
        break;
    }
    if (item.insert == Inserted::kConflict && KeepsConflicts(item.row)) {
      ASSIGN_OR_RETURN(item.kept_conflict, batch.rows.games().InsertConflict(item.row, now_ms));
      if (item.kept_conflict) ++kept_conflicts_[{item.row.run, item.row.worker}];
    }
  }
  return WriteLeases(submission.work.leases, batch);
}

bool WorkerCalls::KeepsConflicts(const GameRow& game) const {
  uint32_t of_worker = 0;
  uint64_t of_run = 0;
  gate_.Look([&](const Tables& tables) {
    const auto tally = tables.standing.tallies.find(game.worker);
    if (tally != tables.standing.tallies.end()) of_worker = tally->second.conflicts;
    of_run = tables.runs.at(game.run).conflicts;
  });
  for (const auto& [whose, kept] : kept_conflicts_) {
    if (whose.first == game.run) of_run += kept;
    if (whose.second == game.worker) of_worker += kept;
  }
  return of_run < kMostConflicts && of_worker < kMostOfWorker;
}

RunSpec WorkerCalls::SpecOf(RunId run) const {
  return gate_.Look([&](const Tables& tables) { return tables.runs.at(run).state.row().spec; });
}

// ---- 6 and 7. The effects of the committed games, and the reply ----

void WorkerCalls::GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies) {
  std::vector<GameVerdict> verdicts;
  verdicts.reserve(submission.items.size());
  // The end of this event advances runs and serves held calls, before the worker's own.
  gate_.DoInPieces([&](Tables& tables) { return ApplySome(tables, submission, verdicts); });
  gate_.Do([&](Tables& tables) { Conclude(tables, submission, std::move(verdicts), replies); });
}

void WorkerCalls::GamesFailed(const Submission& submission, absl::Status status) {
  const auto done = [&submission](const absl::StatusOr<AcquireOutput>& work) {
    submission.done(work.status());
  };
  HandOut(submission.work.leases, done, {}, std::move(status));
}

void WorkerCalls::SendReplies() { Send(replies_); }

absl::Status WorkerCalls::Postpone(absl::Status status) {
  return gate_.Do([&](Tables& tables) { return Later(tables, std::move(status)); });
}

}  // namespace joseki::coordinator
