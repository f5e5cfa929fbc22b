// What workers ask for.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/coordinator_impl.h"
#include "coordinator/intake.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

constexpr uint32_t kMaxSlotsPerWorker = 1024;
constexpr absl::Duration kLongestTerm = absl::Minutes(15);

absl::Status Refuse(std::string code, std::string found, std::string expected) {
  return MakeProblem(
      {.code = std::move(code), .found = std::move(found), .expected = std::move(expected)},
      absl::StatusCode::kFailedPrecondition);
}

absl::Status QueueFull() {
  return MakeProblem({.code = "queue_full",
                      .found = "more games waiting than can be written",
                      .expected = "the same call again a little later"},
                     absl::StatusCode::kResourceExhausted);
}

bool IsWorkerName(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

absl::Status CheckJoin(const JoinInput& input) {
  if (!IsWorkerName(input.worker)) {
    return MakeProblem({.code = "bad_field",
                        .file = "worker",
                        .found = Quote(input.worker),
                        .expected = "1 to 64 of A-Z a-z 0-9 . _ -"});
  }
  if (input.protocol != kProtocol) {
    return Refuse("protocol", absl::StrCat("version ", input.protocol),
                  absl::StrCat("version ", kProtocol));
  }
  if (input.slots < 1 || input.slots > kMaxSlotsPerWorker) {
    return MakeProblem({.code = "bad_field",
                        .file = "slots",
                        .found = absl::StrCat(input.slots),
                        .expected = "1 to 1024"});
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CoordinatorImpl::UnknownSession(SessionId session) {
  return Refuse("unknown_session", absl::StrCat("session ", session),
                "the newest session of a worker: join again");
}

void CoordinatorImpl::Join(JoinInput input, std::function<void(absl::StatusOr<JoinOutput>)> done) {
  absl::Status status = CheckJoin(input);
  if (!status.ok()) return done(status);
  SessionRow row;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) status = ShuttingDown();
    if (status.ok()) status = CheckEngines(input);
    if (status.ok()) row.session = marks_.session++;
  }
  if (!status.ok()) return done(status);
  row.worker = input.worker;
  row.slots = input.slots;
  row.build = input.build;
  row.joined_ms = NowMs();
  Writer::Job job;
  job.write = [row](Writer::Batch& batch) { return batch.rows.InsertSession(row); };
  job.done = [this, row, input = std::move(input), done](absl::Status written) {
    if (!written.ok()) return done(std::move(written));
    {
      const std::lock_guard lock(mutex_);
      Session session;
      session.id = row.session;
      session.worker = row.worker;
      session.slots = row.slots;
      session.engines = input.engines;
      session.build = row.build;
      session.seen = Now();
      refused_.erase(session.worker);
      sessions_.Open(std::move(session));
    }
    spdlog::info("worker_joined worker={} session={} slots={}", row.worker, row.session, row.slots);
    done(JoinOutput{row.session, epoch_, options_.beat, options_.acquire_wait});
  };
  if (!writer_->Push(std::move(job))) done(QueueFull());
}

void CoordinatorImpl::Acquire(AcquireInput input, AcquireDone done) {
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Session* session = sessions_.Find(input.session);
    if (session != nullptr) session->seen = Now();
    // One held call a session: the worker has given up on an earlier one.
    for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
      if (waiter->input.session != input.session) {
        ++waiter;
        continue;
      }
      calls.push_back([old = std::move(waiter->done)] { old(AcquireOutput()); });
      waiter = waiters_.erase(waiter);
    }
    if (stopping_) {
      calls.push_back([done] { done(ShuttingDown()); });
    } else if (session == nullptr || draining_ || session->draining ||
               !TryGrant(input, done, calls)) {
      waiters_.push_back({std::move(input), std::move(done), Now() + options_.acquire_wait});
      AnswerHopeless(calls);
    }
  }
  RunCalls(calls);
}

void CoordinatorImpl::AnswerHopeless(Calls& calls) {
  for (auto waiter = waiters_.begin(); waiter != waiters_.end();) {
    const Session* session = sessions_.Find(waiter->input.session);
    if (session == nullptr) {
      calls.push_back([done = std::move(waiter->done), id = waiter->input.session] {
        done(UnknownSession(id));
      });
    } else if (draining_ || session->draining) {
      AcquireOutput output;
      output.drain = true;
      calls.push_back([done = std::move(waiter->done), output] { done(output); });
    } else {
      ++waiter;
      continue;
    }
    waiter = waiters_.erase(waiter);
  }
}

bool CoordinatorImpl::AnyAvailable() const {
  if (!storage_problem_.empty()) return false;
  return std::any_of(runs_.begin(), runs_.end(), [](const auto& entry) {
    return entry.second.state.Available() > 0 || entry.second.verification.waiting() > 0;
  });
}

void CoordinatorImpl::ServeWaiters(Calls& calls) {
  if (waiters_.empty()) return;
  AnswerHopeless(calls);
  for (auto waiter = waiters_.begin(); waiter != waiters_.end() && AnyAvailable();) {
    waiter =
        TryGrant(waiter->input, waiter->done, calls) ? waiters_.erase(waiter) : std::next(waiter);
  }
}

bool CoordinatorImpl::TryGrant(const AcquireInput& input, AcquireDone& done, Calls& calls) {
  if (!storage_problem_.empty() || stopping_ || runs_.empty()) return false;
  const Session& session = *sessions_.Find(input.session);
  const absl::Time now = Now();
  uint32_t want = std::clamp<uint32_t>(input.want_slots, 1, kMaxSlotsPerWorker);
  auto rows = std::make_shared<std::vector<LeaseRow>>();
  AcquireOutput output;
  auto next = runs_.upper_bound(last_served_);
  for (size_t turn = 0; turn < runs_.size() && want > 0; ++turn) {
    if (next == runs_.end()) next = runs_.begin();
    Run& run = next->second;
    const RunId id = next->first;
    ++next;
    if (!MayServe(session, run)) continue;
    const uint32_t least = HasChecks(run, session) ? 1 : 0;
    uint32_t share = std::min(want, std::max(ShareOf(run.state), least));
    while (share > 0 && (run.state.Available() > 0 || HasChecks(run, session))) {
      LeaseRow row;
      row.grant.lease = marks_.lease++;
      row.grant.run = id;
      row.grant.slots =
          PlanSlots(run, session, row.grant.lease, std::min(share, options_.slots_per_lease));
      if (row.grant.slots.empty()) {
        Settle(run);  // every line is poisoned
        break;
      }
      const auto count = static_cast<uint32_t>(row.grant.slots.size());
      row.grant.worker = session.worker;
      row.grant.session = session.id;
      row.grant.stage = run.state.row().stage;
      row.grant.term = TermFor(run.state, count, session.slots);
      row.granted_ms = absl::ToUnixMillis(now);
      share -= count;
      want -= count;
      output.leases.push_back({row.grant.lease, id, row.grant.term, {}});
      for (const PlannedSlot& plan : row.grant.slots) {
        output.leases.back().slots.push_back(plan.slot);
      }
      // A fresh id and a lease with slots: Grant has nothing to refuse.
      if (const absl::Status granted = leases_.Grant(row.grant, now); !granted.ok()) {
        spdlog::error("lease_refused reason=\"{}\"", std::string(granted.message()));
      }
      rows->push_back(std::move(row));
      last_served_ = id;
      if (std::find(input.known_runs.begin(), input.known_runs.end(), id) ==
          input.known_runs.end()) {
        PlaySpec& play = output.runs[id] = run.state.spec().play;
        const Sha256& snapshot = run.state.row().snapshot;
        if (play.re_entry) play.snapshot.assign(snapshot.begin(), snapshot.end());
      }
    }
  }
  if (rows->empty()) return false;
  Writer::Job job;
  job.write = [rows](Writer::Batch& batch) {
    absl::Status status;
    for (const LeaseRow& row : *rows) {
      if (status.ok()) status = batch.rows.InsertLease(row);
      for (const PlannedSlot& plan : row.grant.slots) {
        if (!status.ok() || !plan.IsCheck()) continue;
        status = batch.rows.InsertCheck(row.grant.run, {row.grant.lease, plan.slot.slot},
                                        plan.checks, row.grant.worker);
      }
    }
    return status;
  };
  job.done = [this, rows, done, output](absl::Status status) {
    HandOut(*rows, done, output, std::move(status));
  };
  if (!writer_->Push(std::move(job))) {
    // HandOut takes the mutex: after this call.
    calls.push_back([this, rows, done] { HandOut(*rows, done, {}, QueueFull()); });
  }
  return true;
}

void CoordinatorImpl::HandOut(const std::vector<LeaseRow>& rows, const AcquireDone& done,
                              AcquireOutput output, absl::Status status) {
  if (status.ok()) return done(std::move(output));
  {
    const std::lock_guard lock(mutex_);
    for (const LeaseRow& row : rows) {
      if (!leases_.IsLive(row.grant.lease)) continue;
      leases_.Cancel(row.grant.lease);
      Run& run = runs_.at(row.grant.run);
      run.state.Withdraw(row.grant.slots);
      LoseChecks(run, row.grant.slots);
    }
  }
  done(std::move(status));
}

uint32_t CoordinatorImpl::ShareOf(const RunState& run) const {
  // Near the end of a stage what is left is spread over the workers rather than given to the first.
  const uint64_t workers = std::max<uint64_t>(sessions_.all().size(), 1);
  const uint64_t available = run.Available();
  const uint64_t share = available / workers + (available % workers != 0 ? 1 : 0);
  return static_cast<uint32_t>(std::min<uint64_t>(share, kMaxSlotsPerWorker));
}

absl::Duration CoordinatorImpl::TermFor(const RunState& run, size_t slots,
                                        uint32_t worker_slots) const {
  // Four times what the games of a lease took so far: a worker plays `worker_slots` at once.
  const RunCounters& counters = run.counters();
  if (counters.games == 0) return options_.lease_term;
  const auto mean = absl::Milliseconds(counters.think_ms) / static_cast<double>(counters.games);
  const size_t rounds = (slots + worker_slots - 1) / std::max<uint32_t>(worker_slots, 1);
  const absl::Duration wanted = mean * (4 * static_cast<double>(rounds));
  return std::clamp(wanted, options_.lease_term, std::max(options_.lease_term, kLongestTerm));
}

void CoordinatorImpl::Submit(SubmitInput input, SubmitDone done) {
  Session session;
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    Session* found = sessions_.Find(input.session);
    if (stopping_) {
      status = ShuttingDown();
    } else if (found == nullptr) {
      status = UnknownSession(input.session);
    } else {
      found->seen = Now();
      session = *found;
    }
  }
  if (status.ok() && input.epoch != epoch_) {
    status = Refuse("epoch", absl::StrCat("games of epoch ", Quote(input.epoch)),
                    absl::StrCat("epoch ", epoch_, ": the database was restored"));
  }
  if (status.ok() && input.games.size() > kMaxGamesPerSubmit) {
    status = MakeProblem({.code = "bad_field",
                          .file = "games",
                          .found = absl::StrCat(input.games.size()),
                          .expected = absl::StrCat("at most ", kMaxGamesPerSubmit)});
  }
  if (!status.ok()) return done(status);
  auto submission = std::make_shared<Submission>();
  submission->session = session.id;
  submission->done = std::move(done);
  bool to_write = false;
  for (const SubmittedGame& game : input.games) {
    absl::StatusOr<Item> item = Examine(session, game);
    if (!item.ok()) return submission->done(item.status());
    submission->items.push_back(*std::move(item));
    if (submission->items.back().kind != Item::Kind::kRejected) to_write = true;
  }
  if (!to_write) return GamesCommitted(*submission);
  Writer::Job job;
  job.games = submission->items.size();
  job.write = [this, submission](Writer::Batch& batch) { return WriteGames(*submission, batch); };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return submission->done(std::move(written));
    GamesCommitted(*submission);
  };
  if (!writer_->Push(std::move(job))) submission->done(QueueFull());
}

absl::StatusOr<CoordinatorImpl::Item> CoordinatorImpl::Examine(const Session& session,
                                                               const SubmittedGame& game) {
  Item item;
  item.row.run = game.run;
  item.row.lease = game.lease;
  item.row.slot = game.slot;
  item.row.worker = session.worker;
  const auto rejected = [&item](const absl::Status& reason) {
    item.kind = Item::Kind::kRejected;
    item.reason = std::string(reason.message());
    return item;
  };
  std::optional<LeaseTable::Found> found;
  MatchRules match;
  book::AnswerBook book;
  bool re_entry = false;
  ResignRule resign;
  {
    const std::lock_guard lock(mutex_);
    const Run* run = FindRun(game.run);
    if (run == nullptr) {
      return rejected(Refuse("unknown_run", absl::StrCat("run ", game.run), "a run"));
    }
    match = run->state.spec().play.match;
    re_entry = run->state.spec().play.re_entry;
    book.graph = run->state.shared_graph();
    resign = run->state.spec().play.resign;
    found = leases_.Find(game.lease, game.slot);
  }
  if (found && (found->run != game.run || found->worker != session.worker)) {
    return rejected(Refuse("foreign_lease", absl::StrCat("lease ", game.lease),
                           absl::StrCat("a lease of ", session.worker, " in run ", game.run)));
  }
  if (game.nodes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return rejected(Refuse("bad_field", absl::StrCat(game.nodes, " nodes"), "less than 2^63"));
  }
  if (!found || found->filled) {
    // Sent again, or never ours: the writer compares it with what is under its key.
    if (game.moves.size() > kMaxMoves) {
      return rejected(Refuse("bad_field", absl::StrCat(game.moves.size(), " moves"), "fewer"));
    }
    item.kind = Item::Kind::kKnown;
    item.row.payload_hash = PayloadHash(game);
    item.row.moves = game.moves;
    return item;
  }
  if (re_entry) {
    auto weights = weights_.Get(game.run, found->plan.slot.weights_version);
    // Weights that cannot be read now may be later; without any the game can never be judged.
    if (absl::IsNotFound(weights.status()) || absl::IsDataLoss(weights.status())) {
      return rejected(weights.status());
    }
    RETURN_IF_ERROR(weights.status());
    book.weights = *std::move(weights);
  }
  const absl::StatusOr<CheckedGame> checked =
      CheckGame(rules_, match, found->plan.slot, game, re_entry ? &book : nullptr);
  if (!checked.ok()) return rejected(checked.status());
  item.kind = found->plan.IsCheck() ? Item::Kind::kCheck : Item::Kind::kNew;
  item.session = found->session;
  item.row.stage = found->stage;
  item.row.payload_hash = checked->payload_hash;
  item.row.moves_hash = checked->moves_hash;
  item.row.book_plies =
      static_cast<uint32_t>(std::min(found->plan.slot.line.size(), game.moves.size()));
  item.row.ending = checked->ending;
  item.row.nodes = game.nodes;
  item.row.think_ms = game.think_ms;
  item.row.moves = game.moves;
  item.row.reentered = checked->reentered;
  item.row.scores = game.scores;
  item.row.resign_check = CheckResignation(resign, checked->chooser, game.scores, checked->ending);
  item.row.fault = IsFault(checked->ending.termination) ? game.fault : "";
  item.plan = std::move(found->plan);
  return item;
}

absl::Status CoordinatorImpl::WriteGames(Submission& submission, Writer::Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    for (Item& item : submission.items) item.row.stale = !leases_.IsLive(item.row.lease);
  }
  const int64_t now_ms = NowMs();
  for (Item& item : submission.items) {
    item.insert.reset();
    if (item.kind == Item::Kind::kRejected) continue;
    if (item.kind == Item::Kind::kNew) {
      item.row.commit_seq = batch.commit_seq + 1;
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::Insert> inserted = batch.rows.InsertGame(item.row);
      if (!inserted.ok()) return inserted.status();
      item.insert = *inserted;
      if (item.insert == RunStore::Insert::kNew) batch.commit_seq = item.row.commit_seq;
    } else if (item.kind == Item::Kind::kCheck) {
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::FinishedCheck> finished =
          batch.rows.FinishCheck(item.row, item.plan.checks);
      if (!finished.ok()) return finished.status();
      item.insert = finished->insert;
      item.same = finished->same;
    } else {
      const absl::StatusOr<std::optional<RunStore::Insert>> known = batch.rows.CompareGame(
          item.row.run, item.row.lease, item.row.slot, item.row.payload_hash);
      if (!known.ok()) return known.status();
      item.insert = *known;
    }
    if (item.insert == RunStore::Insert::kConflict) {
      const absl::Status kept = batch.rows.InsertConflict(item.row, now_ms);
      if (!kept.ok()) return kept;
    }
  }
  return absl::OkStatus();
}

GameVerdict CoordinatorImpl::Apply(const Item& item, Session* session) {
  GameVerdict verdict{item.row.lease, item.row.slot, Verdict::kRejected, item.reason};
  if (item.kind == Item::Kind::kRejected) return verdict;
  if (!item.insert) {
    verdict.reason = std::string(
        Refuse("unknown_slot", absl::StrCat("slot ", item.row.slot, " of lease ", item.row.lease),
               "a slot that was handed out")
            .message());
    return verdict;
  }
  Run& run = runs_.at(item.row.run);
  switch (*item.insert) {
    case RunStore::Insert::kDuplicate:
      ++run.duplicates;
      verdict.verdict = Verdict::kDuplicate;
      return verdict;
    case RunStore::Insert::kConflict:
      ++run.conflicts;
      if (session != nullptr) ++session->conflicts;
      residuals_.AddConflict(item.row.worker);
      spdlog::warn("game_conflict run={} lease={} slot={} worker={}", item.row.run, item.row.lease,
                   item.row.slot, item.row.worker);
      verdict.verdict = Verdict::kConflict;
      verdict.reason = "another game was committed under this key";
      return verdict;
    case RunStore::Insert::kNew:
      break;
  }
  const absl::Time now = Now();
  const absl::StatusOr<LeaseTable::Completion> completion =
      leases_.Complete(item.row.lease, item.row.slot, now);
  const bool open = completion.ok() && !completion->stale;
  if (item.kind == Item::Kind::kCheck) {
    ApplyCheck(run, item);
  } else {
    Observe(run, item, run.state.Credit(item.row, item.plan, open));
    run.rate.Add(now, IsFault(item.row.ending.termination) ? 0 : 1);
  }
  if (completion.ok() && completion->finished) debt_.leases[item.row.lease] = LeaseState::kFinished;
  if (session != nullptr) {
    ++(IsFault(item.row.ending.termination) ? session->faults : session->games);
  }
  verdict.verdict = item.row.stale ? Verdict::kStaleAccepted : Verdict::kAccepted;
  return verdict;
}

void CoordinatorImpl::GamesCommitted(Submission& submission) {
  std::vector<GameVerdict> verdicts;
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    Session* session = sessions_.Find(submission.session);
    for (const Item& item : submission.items) verdicts.push_back(Apply(item, session));
    for (auto& [id, run] : runs_) Settle(run);
    ServeWaiters(calls);
  }
  submission.done(SubmitOutput{.verdicts = std::move(verdicts)});
  RunCalls(calls);
}

std::string CoordinatorImpl::WorkerOf(SessionId session_id) const {
  const std::lock_guard lock(mutex_);
  const Session* const session = sessions_.Find(session_id);
  return session == nullptr ? std::string() : session->worker;
}

absl::StatusOr<BeatOutput> CoordinatorImpl::Beat(SessionId session_id,
                                                 const std::vector<LeaseProgress>& progress) {
  const std::lock_guard lock(mutex_);
  if (stopping_) return ShuttingDown();
  Session* session = sessions_.Find(session_id);
  if (session == nullptr) return UnknownSession(session_id);
  const absl::Time now = Now();
  session->seen = now;
  BeatOutput output;
  for (const LeaseProgress& lease : progress) {
    const absl::Status renewed = leases_.Renew(lease.lease, session->worker, lease.plies, now);
    // A lease that is forgotten is finished, and nothing of it is left to abandon.
    if (!renewed.ok() && (leases_.IsOver(lease.lease) || leases_.IsLive(lease.lease))) {
      output.cancelled.push_back(lease.lease);
    }
  }
  output.drain = draining_ || session->draining;
  return output;
}

void CoordinatorImpl::Leave(SessionId session_id, std::vector<SlotRef> unplayed,
                            std::function<void(absl::Status)> done) {
  Calls calls;
  absl::Status status;
  {
    const std::lock_guard lock(mutex_);
    const Session* session = sessions_.Find(session_id);
    if (stopping_) {
      status = ShuttingDown();
    } else if (session == nullptr) {
      status = UnknownSession(session_id);
    } else {
      std::vector<LeaseTable::Ended> ended;
      for (const SlotRef& slot : unplayed) {
        // A lease is named once for each of its slots; it ends at the first.
        auto lease = leases_.GiveBack(slot.lease, session->worker);
        if (lease.ok()) ended.push_back(*std::move(lease));
      }
      spdlog::info("worker_left worker={} session={} leases_given_back={}", session->worker,
                   session_id, ended.size());
      debt_.left[session_id] = NowMs();
      sessions_.Close(session_id);
      EndLeases(ended, LeaseState::kGivenBack);
      ServeWaiters(calls);
    }
  }
  RunCalls(calls);
  if (!status.ok()) return done(status);
  Writer::Job job;
  job.write = [](Writer::Batch&) { return absl::OkStatus(); };  // the debt is what is written
  job.done = done;
  if (!writer_->Push(std::move(job))) done(QueueFull());
}

}  // namespace joseki::coordinator
