#include "cli/load_workers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/backoff.h"
#include "base/problem.h"

namespace joseki::cli {
namespace {

using worker::FinishedGame;
using worker::GameVerdict;
using worker::Session;
using worker::SubmitOutput;
using worker::Verdict;

constexpr uint32_t kMostWanted = 1024;
// Shorter than a real worker's: a load test asks how soon there is work again, not who is polite.
constexpr Backoff::Options kBackoff{.first = absl::Milliseconds(200), .most = absl::Seconds(5)};

bool IsCommitted(Verdict verdict) {
  return verdict == Verdict::kAccepted || verdict == Verdict::kStaleAccepted ||
         verdict == Verdict::kDuplicate;
}

}  // namespace

LoadWorkers::LoadWorkers(Options options, LoadPayload& payload, MakePort make_port)
    : options_(options), payload_(payload), make_port_(std::move(make_port)) {}

LoadWorkers::~LoadWorkers() { Stop(); }

void LoadWorkers::Start() {
  began_ = absl::Now();
  for (int i = 0; i < options_.workers; ++i) {
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    worker.number = i;
    worker.port = make_port_(i);
  }
  for (const auto& each : workers_) {
    Worker& worker = *each;
    worker.fetch = std::thread([this, &worker] { FetchLoop(worker); });
    worker.submit = std::thread([this, &worker] { SubmitLoop(worker); });
  }
}

void LoadWorkers::Stop() {
  stop_.request_stop();
  for (const auto& worker : workers_) {
    const std::lock_guard lock(worker->mutex);
    worker->changed.notify_all();
  }
  for (const auto& worker : workers_) {
    if (worker->fetch.joinable()) worker->fetch.join();
    if (worker->submit.joinable()) worker->submit.join();
  }
}

LoadWorkers::Totals LoadWorkers::Collect() {
  Totals all;
  for (const auto& worker : workers_) {
    Totals& one = worker->totals;
    all.acknowledged.Add(one.acknowledged);
    all.acquired.Add(worker->acquired);
    all.games += one.games;
    all.plies += one.plies;
    for (const auto& [verdict, count] : one.verdicts) all.verdicts[verdict] += count;
    all.failed_calls += one.failed_calls;
    all.lost_replies += one.lost_replies;
    all.duplicates += one.duplicates;
    all.reordered += one.reordered;
    if (all.first_refusal.empty()) all.first_refusal = one.first_refusal;
    all.committed.insert(all.committed.end(), one.committed.begin(), one.committed.end());
  }
  return all;
}

bool LoadWorkers::Pause(Worker& worker, absl::Duration wait) {
  std::unique_lock lock(worker.mutex);
  worker.changed.wait_for(lock, absl::ToChronoNanoseconds(wait),
                          [this] { return stop_.stop_requested(); });
  return !stop_.stop_requested();
}

std::optional<Session> LoadWorkers::SessionOf(Worker& worker) {
  Backoff backoff(kBackoff, Rng(options_.seed).Split(worker.number));
  for (;;) {
    {
      // Both threads may come here: one joins, the other waits for it.
      const std::lock_guard lock(worker.mutex);
      if (stop_.stop_requested()) return std::nullopt;
      if (worker.session) return worker.session;
      worker::JoinInput input;
      input.worker = absl::StrCat("load-", worker.number);
      input.slots = static_cast<uint32_t>(options_.slots_per_worker);
      input.engines = {{.id = "load", .name = "load generator"}};
      input.build = "joseki loadgen";
      absl::StatusOr<Session> joined = worker.port->Join(input, stop_.get_token());
      if (joined.ok()) {
        worker.session = *std::move(joined);
        return worker.session;
      }
    }
    if (!Pause(worker, backoff.Next())) return std::nullopt;
  }
}

void LoadWorkers::Forget(Worker& worker, const Session& session, const absl::Status& status) {
  if (!absl::IsFailedPrecondition(status)) return;
  const std::lock_guard lock(worker.mutex);
  if (worker.session && worker.session->session == session.session) worker.session.reset();
}

void LoadWorkers::FetchLoop(Worker& worker) {
  Backoff backoff(kBackoff, Rng(options_.seed).Split(worker.number).Split(1));
  const auto most = static_cast<size_t>(options_.slots_per_worker);
  for (;;) {
    worker::AcquireInput input;
    {
      std::unique_lock lock(worker.mutex);
      worker.changed.wait(
          lock, [&] { return stop_.stop_requested() || worker.stock.size() <= most / 2; });
      if (stop_.stop_requested()) return;
      const size_t room = most - worker.stock.size();
      input.want_slots = static_cast<uint32_t>(std::min<size_t>(room, kMostWanted));
      input.known_runs.assign(worker.runs.begin(), worker.runs.end());
    }
    const std::optional<Session> session = SessionOf(worker);
    if (!session) return;
    const absl::Time began = absl::Now();
    absl::StatusOr<worker::AcquireOutput> work =
        worker.port->Acquire(*session, input, stop_.get_token());
    if (!work.ok()) {
      Forget(worker, *session, work.status());
      if (!Pause(worker, backoff.Next())) return;
      continue;
    }
    backoff.Reset();
    if (work->leases.empty()) {
      if (!Pause(worker, work->retry)) return;
      continue;
    }
    const std::lock_guard lock(worker.mutex);
    // A held call waits for work to come up; it says nothing of how fast leases are made.
    if (measuring_) worker.acquired.Add(absl::Now() - began);
    for (const auto& [run, play] : work->runs) worker.runs.insert(run);
    for (worker::Lease& lease : work->leases) {
      for (worker::Slot& slot : lease.slots) {
        worker.stock.push_back({lease.run, lease.lease, std::move(slot)});
      }
    }
    worker.changed.notify_all();
  }
}

LoadWorkers::Batch LoadWorkers::TakeBatch(Worker& worker) {
  const auto count = static_cast<size_t>(options_.games_per_call);
  std::vector<Work> taken;
  {
    std::unique_lock lock(worker.mutex);
    worker.changed.wait(lock,
                        [&] { return stop_.stop_requested() || worker.stock.size() >= count; });
    if (stop_.stop_requested()) return {};
    for (size_t i = 0; i < count; ++i) {
      taken.push_back(std::move(worker.stock.front()));
      worker.stock.pop_front();
    }
    const auto low = static_cast<size_t>(options_.slots_per_worker) / 2;
    if (worker.stock.size() <= low) worker.changed.notify_all();
  }
  Batch batch;
  batch.reserve(taken.size());
  for (const Work& work : taken) {
    FinishedGame& game = batch.emplace_back();
    game.run = work.run;
    game.lease = work.lease;
    game.slot = work.slot.slot;
    const LoadPayload::Game* played =
        payload_.Take(work.slot.start, work.slot.line, work.slot.seed);
    if (played == nullptr) {
      game.ending.termination = Termination::kInterrupted;
      continue;
    }
    game.moves = played->moves;
    game.ending = played->ending;
    game.nodes = 1000 * played->moves.size();
    game.think_ms = 1;
  }
  return batch;
}

void LoadWorkers::SubmitLoop(Worker& worker) {
  Rng rng = Rng(options_.seed).Split(worker.number).Split(2);
  Batch put_off;
  while (!stop_.stop_requested()) {
    Batch batch = TakeBatch(worker);
    if (batch.empty()) break;
    absl::Time due = absl::Now();
    if (options_.rate > 0) {
      const double calls = options_.rate / options_.games_per_call;
      due = began_ + absl::Seconds(static_cast<double>(arrivals_++) / calls);
      if (!Pause(worker, due - absl::Now())) break;
    }
    if (put_off.empty() && rng.Unit() < options_.reorder) {
      ++worker.totals.reordered;
      put_off = std::move(batch);
      continue;
    }
    if (!Send(worker, batch, due, rng)) break;
    if (!put_off.empty() && !Send(worker, std::exchange(put_off, {}), absl::Now(), rng)) break;
  }
}

bool LoadWorkers::Send(Worker& worker, const Batch& batch, absl::Time due, Rng& rng) {
  Backoff backoff(kBackoff, rng.Split(3));
  const bool measured = measuring_;
  const bool lost = rng.Unit() < options_.lost_replies;
  const bool twice = rng.Unit() < options_.duplicates;
  for (int attempt = 0;; ++attempt) {
    const std::optional<Session> session = SessionOf(worker);
    if (!session) return false;
    std::thread twin;
    if (attempt == 0 && twice) {
      ++worker.totals.duplicates;
      twin = std::thread([this, &worker, &batch] { SendAtOnce(worker, batch); });
    }
    const absl::StatusOr<SubmitOutput> answer =
        worker.port->Submit(session->session, {session->epoch, batch, {}}, stop_.get_token());
    if (twin.joinable()) twin.join();
    if (attempt == 0 && lost && answer.ok()) {
      // It was committed, and nobody knows.
      ++worker.totals.lost_replies;
      continue;
    }
    if (answer.ok() && answer->verdicts.size() == batch.size()) {
      Note(worker, batch, answer->verdicts, due, measured && measuring_);
      return true;
    }
    if (stop_.stop_requested()) return false;
    ++worker.totals.failed_calls;
    if (!answer.ok()) Forget(worker, *session, answer.status());
    if (!Pause(worker, backoff.Next())) return false;
  }
}

// The same games once more beside the call that counts; its answer is of no interest.
void LoadWorkers::SendAtOnce(Worker& worker, const Batch& batch) {
  const std::optional<Session> session = SessionOf(worker);
  if (!session) return;
  worker.port->Submit(session->session, {session->epoch, batch, {}}, stop_.get_token())
      .status()
      .IgnoreError();
}

void LoadWorkers::Note(Worker& worker, const Batch& batch, const std::vector<GameVerdict>& verdicts,
                       absl::Time due, bool measured) {
  Totals& totals = worker.totals;
  if (measured) totals.acknowledged.Add(absl::Now() - due);
  uint64_t committed = 0;
  for (size_t i = 0; i < batch.size(); ++i) {
    const GameVerdict& verdict = verdicts[i];
    ++totals.verdicts[verdict.verdict];
    if (!IsCommitted(verdict.verdict)) {
      if (totals.first_refusal.empty()) totals.first_refusal = verdict.reason;
      continue;
    }
    // Sent once more after a lost reply, a game is a duplicate and new all the same.
    ++committed;
    totals.committed.emplace_back(batch[i].lease, batch[i].slot);
    if (!measured) continue;
    ++totals.games;
    totals.plies += batch[i].moves.size();
  }
  accepted_ += committed;
}

}  // namespace joseki::cli
