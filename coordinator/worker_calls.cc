#include "coordinator/worker_calls.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/core/attend.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/intake.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
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

// The numbers are those of coordinator/core/intake.h.
void WorkerCalls::Submit(SubmitInput input, SubmitDone done) {
  // 1. The sender of the games, and their slots.
  absl::StatusOr<TakenIn> taken =
      gate_.Do([&](Tables& tables) { return TakeIn(tables, input, setting_.epoch); });
  if (!taken.ok()) return done(taken.status());
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

  // 4. The rows, on the writer's thread; step 5, the debts, is the Payer's.
  job.write = [this, submission](WriteBatch& batch) {
    RETURN_IF_ERROR(
        game_writer_.Write(*submission, absl::ToUnixMillis(setting_.wall.Now()), batch));
    return WriteLeases(submission->work.leases, batch);
  };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return GamesFailed(*submission, std::move(written));
    GamesCommitted(*submission, replies_);
  };
  if (!writer_.Push(std::move(job))) GamesFailed(*submission, QueueFull());
}

void WorkerCalls::GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies) {
  std::vector<GameVerdict> verdicts;
  verdicts.reserve(submission.items.size());
  // 6. The effects of the games; the end of the event advances runs and serves held calls.
  gate_.DoInPieces([&](Tables& tables) { return ApplySome(tables, submission, verdicts); });
  // 7. The reply.
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
