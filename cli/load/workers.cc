#include "cli/load/workers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/limits.h"

namespace joseki::cli {
namespace {

using worker::FinishedGame;
using worker::GameVerdict;
using worker::Session;
using worker::SubmitOutput;
using worker::Verdict;

// A worker asks for more when this many slots are free, or half of its seats.
constexpr size_t kRefill = 64;
// Shorter than a real worker's backoff: a load test measures how soon there is work again.
constexpr Backoff::Options kBackoff{.first = absl::Milliseconds(200), .most = absl::Seconds(5)};

bool IsCommitted(Verdict verdict) {
  return verdict == Verdict::kAccepted || verdict == Verdict::kStaleAccepted ||
         verdict == Verdict::kDuplicate;
}

}  // namespace

LoadWorkers::Worker::Worker(int worker_number, const Rng& seeds)
    : number(worker_number),
      rng(seeds.Split(2)),
      join_backoff(kBackoff, seeds),
      fetch_backoff(kBackoff, seeds.Split(1)),
      send_backoff(kBackoff, seeds.Split(3)) {}

LoadWorkers::LoadWorkers(Options options, LoadPayload& payload, MakeClient make_client)
    : options_(options), payload_(payload), make_client_(std::move(make_client)) {}

LoadWorkers::~LoadWorkers() { Stop(); }

void LoadWorkers::Start() {
  const Rng seeds(options_.seed);
  for (int i = 0; i < options_.workers; ++i) {
    workers_.push_back(std::make_unique<Worker>(i, seeds.Split(static_cast<uint64_t>(i))));
    workers_.back()->client = make_client_(i);
  }
  timers_.emplace();
  began_ = absl::Now();
  for (const auto& worker : workers_) {
    const Lock lock(worker->mutex);
    Continue(*worker);
  }
}

void LoadWorkers::Stop() {
  stopping_ = true;
  // Wait for callbacks that hold a mutex; later ones see `stopping_` and start nothing.
  for (const auto& worker : workers_) const Lock lock(worker->mutex);
  for (const auto& worker : workers_) worker->client.reset();
  timers_.reset();
}

LoadWorkers::Totals LoadWorkers::Collect() {
  Totals all;
  for (const auto& worker : workers_) {
    Totals& one = worker->totals;
    all.acknowledged.Add(one.acknowledged);
    all.acquired.Add(one.acquired);
    all.games += one.games;
    all.plies += one.plies;
    for (const auto& [verdict, count] : one.verdicts) all.verdicts[verdict] += count;
    all.failed_calls += one.failed_calls;
    all.lost_replies += one.lost_replies;
    all.duplicates += one.duplicates;
    all.reordered += one.reordered;
    if (all.first_refusal.empty()) all.first_refusal = one.first_refusal;
    if (all.first_failure.ok()) all.first_failure = one.first_failure;
    all.committed.insert(all.committed.end(), one.committed.begin(), one.committed.end());
  }
  return all;
}

void LoadWorkers::After(Worker& worker, absl::Duration wait, std::function<void()> then) {
  timers_->At(absl::Now() + wait, [this, &worker, then = std::move(then)] {
    const Lock lock(worker.mutex);
    if (!stopping_) then();
  });
}

void LoadWorkers::Continue(Worker& worker) {
  if (stopping_) return;
  if (!worker.session) {
    if (!worker.joining) Join(worker);
    return;
  }
  if (std::exchange(worker.resend, false)) Send(worker);
  if (!worker.sending) SendNext(worker);
  const bool by_acquire = options_.acquire_apart || !worker.sending;
  if (by_acquire && !worker.fetching && NeedsSlots(worker)) Fetch(worker);
}

bool LoadWorkers::NeedsSlots(const Worker& worker) const {
  const auto most = static_cast<size_t>(options_.seats_per_worker);
  return worker.stock.size() + std::min((most + 1) / 2, kRefill) <= most;
}

worker::AcquireInput LoadWorkers::Wish(const Worker& worker) const {
  const size_t room = static_cast<size_t>(options_.seats_per_worker) - worker.stock.size();
  return {.want_slots = static_cast<uint32_t>(std::min<size_t>(room, kMaxSlotsPerWorker)),
          .known_runs = {worker.runs.begin(), worker.runs.end()},
          .after_lease = worker.newest_lease};
}

void LoadWorkers::Join(Worker& worker) {
  worker::JoinInput input;
  input.evaluates = false;  // its payload has games only
  input.worker = absl::StrCat("load-", worker.number);
  input.seats =
      std::clamp(static_cast<uint32_t>(options_.seats_per_worker), 1u, kMaxSlotsPerWorker);
  input.engines = {{.id = "load", .name = "load generator"}};
  input.build = "joseki loadgen";
  input.process = static_cast<uint64_t>(worker.number) + 1;
  worker.joining = true;
  const absl::Status begun =
      worker.client->Join(input, [this, &worker](absl::StatusOr<Session> session) {
        const Lock lock(worker.mutex);
        Joined(worker, std::move(session));
      });
  if (!begun.ok()) Joined(worker, begun);
}

void LoadWorkers::Joined(Worker& worker, absl::StatusOr<Session> session) {
  if (!session.ok()) {
    if (stopping_) return;
    ++worker.totals.failed_calls;
    if (worker.totals.first_failure.ok()) worker.totals.first_failure = session.status();
    return After(worker, worker.join_backoff.Next(), [this, &worker] {
      worker.joining = false;
      Continue(worker);
    });
  }
  worker.joining = false;
  worker.join_backoff.Reset();
  worker.session = std::make_shared<const Session>(*std::move(session));
  Continue(worker);
}

void LoadWorkers::Forget(Worker& worker, const Session& session, const absl::Status& status) {
  if (!absl::IsFailedPrecondition(status)) return;
  if (worker.session && worker.session->session == session.session) worker.session.reset();
}

void LoadWorkers::Fetch(Worker& worker) {
  const worker::AcquireInput input = Wish(worker);
  worker.fetching = true;
  const std::shared_ptr<const Session> session = worker.session;
  const absl::Time began = absl::Now();
  const absl::Status begun = worker.client->Acquire(
      *session, input, [this, &worker, session, began](absl::StatusOr<worker::AcquireOutput> work) {
        const Lock lock(worker.mutex);
        Fetched(worker, *session, began, std::move(work));
      });
  if (!begun.ok()) Fetched(worker, *session, began, begun);
}

void LoadWorkers::Fetched(Worker& worker, const Session& session, absl::Time began,
                          absl::StatusOr<worker::AcquireOutput> work) {
  if (stopping_) return;
  if (!work.ok() || work->leases.empty()) {
    if (!work.ok()) {
      Forget(worker, session, work.status());
      ++worker.totals.failed_calls;
    }
    const absl::Duration wait = work.ok() ? work->retry : worker.fetch_backoff.Next();
    return After(worker, wait, [this, &worker] {
      worker.fetching = false;
      Continue(worker);
    });
  }
  worker.fetching = false;
  worker.fetch_backoff.Reset();
  // Includes the wait for work in a held call, so this is no measure of granting alone.
  if (measuring_) worker.totals.acquired.Add(absl::Now() - began);
  AddStock(worker, *std::move(work));
  Continue(worker);
}

void LoadWorkers::AddStock(Worker& worker, worker::AcquireOutput work) {
  for (const auto& [run, play] : work.runs) worker.runs.insert(run);
  for (worker::Lease& lease : work.leases) {
    worker.newest_lease = std::max(lease.lease, worker.newest_lease.value_or(0));
    for (worker::Slot& slot : lease.slots) {
      worker.stock.push_back({lease.run, lease.lease, std::move(slot)});
    }
  }
}

bool LoadWorkers::TakeBatch(Worker& worker) {
  const auto count = static_cast<size_t>(options_.games_per_call);
  if (worker.stock.size() < count) return false;
  worker.batch = {};
  worker.batch.games.resize(count);
  for (FinishedGame& game : worker.batch.games) {
    const Work& work = worker.stock.front();
    game.run = work.run;
    game.lease = work.lease;
    game.slot = work.slot.slot;
    const LoadPayload::Game* played =
        payload_.Take(work.slot.start, work.slot.line, work.slot.seed);
    if (played == nullptr) {
      game.ending.termination = Termination::kInterrupted;
    } else {
      game.moves = played->moves;
      game.ending = played->ending;
      game.nodes = 1000 * played->moves.size();
      game.think_ms = 1;
    }
    worker.stock.pop_front();
  }
  return true;
}

void LoadWorkers::SendNext(Worker& worker) {
  if (!TakeBatch(worker)) return;
  worker.sending = true;
  worker.batch.due = absl::Now();
  if (options_.rate > 0) {
    const double calls = options_.rate / options_.games_per_call;
    worker.batch.due = began_ + absl::Seconds(static_cast<double>(arrivals_++) / calls);
    if (const absl::Duration wait = worker.batch.due - absl::Now(); wait > absl::ZeroDuration()) {
      return After(worker, wait, [this, &worker] { Deliver(worker); });
    }
  }
  Deliver(worker);
}

void LoadWorkers::Deliver(Worker& worker) {
  if (worker.put_off.empty() && worker.rng.Unit() < options_.reorder) {
    ++worker.totals.reordered;
    worker.put_off = std::move(worker.batch.games);
    worker.sending = false;
    // These games go out after the next batch, which depends on the stock.
    return Continue(worker);
  }
  SendFirst(worker);
}

void LoadWorkers::SendFirst(Worker& worker) {
  worker.batch.measured = measuring_;
  worker.batch.lost = worker.rng.Unit() < options_.lost_replies;
  worker.batch.twice = worker.rng.Unit() < options_.duplicates;
  Send(worker);
}

void LoadWorkers::Send(Worker& worker) {
  if (!worker.session) {
    worker.resend = true;
    return Continue(worker);
  }
  const std::shared_ptr<const Session> session = worker.session;
  Batch& batch = worker.batch;
  worker::SubmitInput input{session->epoch, batch.games, {}};
  if (batch.attempt == 0 && batch.twice) {
    ++worker.totals.duplicates;
    // A duplicate beside the call that counts; its reply is ignored.
    worker.client->Submit(session->session, input, [](const absl::StatusOr<SubmitOutput>&) {})
        .IgnoreError();
  }
  if (!options_.acquire_apart && !worker.fetching && NeedsSlots(worker)) {
    worker.fetching = batch.asks = true;
    input.work = Wish(worker);
  }
  const absl::Status begun = worker.client->Submit(
      session->session, input, [this, &worker, session](absl::StatusOr<SubmitOutput> reply) {
        const Lock lock(worker.mutex);
        Sent(worker, *session, std::move(reply));
      });
  if (!begun.ok()) Sent(worker, *session, begun);
}

void LoadWorkers::Sent(Worker& worker, const Session& session, absl::StatusOr<SubmitOutput> reply) {
  Batch& batch = worker.batch;
  const bool first = batch.attempt++ == 0;
  const bool lost = first && batch.lost && reply.ok();
  if (std::exchange(batch.asks, false)) {
    worker.fetching = false;
    // Slots of a lost reply are granted again to the next call that names the newest lease.
    if (!lost && reply.ok() && reply->work) AddStock(worker, *std::move(reply->work));
  }
  if (lost) {
    // The coordinator has committed the batch, and the worker does not know it.
    ++worker.totals.lost_replies;
    if (!stopping_) Send(worker);
    return;
  }
  if (reply.ok() && reply->verdicts.size() == batch.games.size()) {
    Note(worker, reply->verdicts);
    worker.send_backoff.Reset();
    if (stopping_) return;
    if (!worker.put_off.empty()) {
      batch = {.games = std::exchange(worker.put_off, {}), .due = absl::Now()};
      return SendFirst(worker);
    }
    worker.sending = false;
    return Continue(worker);
  }
  if (stopping_) return;
  ++worker.totals.failed_calls;
  if (!reply.ok()) Forget(worker, session, reply.status());
  After(worker, worker.send_backoff.Next(), [this, &worker] { Send(worker); });
}

void LoadWorkers::Note(Worker& worker, const std::vector<GameVerdict>& verdicts) {
  Totals& totals = worker.totals;
  const Batch& batch = worker.batch;
  const bool measured = batch.measured && measuring_;
  if (measured) totals.acknowledged.Add(absl::Now() - batch.due);
  uint64_t committed = 0;
  for (size_t i = 0; i < batch.games.size(); ++i) {
    const GameVerdict& verdict = verdicts[i];
    ++totals.verdicts[verdict.verdict];
    if (!IsCommitted(verdict.verdict)) {
      if (totals.first_refusal.empty()) totals.first_refusal = verdict.reason;
      continue;
    }
    // After a lost reply a new game arrives as a duplicate: count both verdicts.
    ++committed;
    totals.committed.emplace_back(batch.games[i].lease, batch.games[i].slot);
    if (!measured) continue;
    ++totals.games;
    totals.plies += batch.games[i].moves.size();
  }
  accepted_ += committed;
}

}  // namespace joseki::cli
