// What workers bring.

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/coordinator.h"
#include "coordinator/refusals.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/intake.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/match_store.h"
#include "proto/limits.h"
#include "spdlog/spdlog.h"

namespace joseki::coordinator {
namespace {

// What may be done before somebody else gets the mutex: some hundred microseconds.
constexpr size_t kGamesAtOnce = 32;
// Of conflicting games so many are kept: enough to see what is wrong.
constexpr uint64_t kMostConflicts = 10'000;  // of a run
constexpr uint32_t kMostOfWorker = 100;      // since this coordinator started

}  // namespace

void Coordinator::Submit(SubmitInput input, SubmitDone done) {
  absl::Status status;
  std::string worker;
  std::vector<GamePlace> places;
  {
    const std::lock_guard lock(mutex_);
    Session* session = sessions_.Find(input.session);
    if (stopping_) {
      status = ShuttingDown();
    } else if (session == nullptr) {
      status = UnknownSession(input.session);
    } else {
      session->HeardAt(Now());
      worker = session->worker;
      NoteLoad(session->seen);
      if (pressure_.Sheds(Pressure::Level::kNoSubmits)) status = Later(QueueFull(), lock);
    }
    if (status.ok() && input.epoch == epoch_ && input.games.size() <= kMaxGamesPerSubmit) {
      places.reserve(input.games.size());
      for (const SubmittedGame& game : input.games) places.push_back(Locate(game));
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
  submission->session = input.session;
  submission->work.input = {.session = input.session,
                            .want_slots = input.want_slots,
                            .known_runs = std::move(input.known_runs),
                            .after_lease = input.after_lease};
  submission->done = std::move(done);
  bool to_write = false;
  submission->items.reserve(input.games.size());
  for (size_t i = 0; i < input.games.size(); ++i) {
    absl::StatusOr<SubmittedItem> item =
        Examine(worker, std::move(input.games[i]), std::move(places[i]));
    if (!item.ok()) return submission->done(item.status());
    submission->items.push_back(*std::move(item));
    if (submission->items.back().kind != SubmittedItem::Kind::kRejected) to_write = true;
  }
  if (!to_write) {
    std::vector<SubmitReply> replies;
    GamesCommitted(*submission, replies);
    return GiveReplies(replies);
  }
  Writer::Job job;
  job.games = submission->items.size();
  job.patient = submission->work.input.want_slots == 0 || GrantWithGames(*submission);
  job.write = [this, submission](Writer::Batch& batch) {
    RETURN_IF_ERROR(WriteGames(*submission, batch));
    return WriteLeases(submission->work.leases, batch);
  };
  job.done = [this, submission](absl::Status written) {
    if (!written.ok()) return GamesFailed(*submission, std::move(written));
    GamesCommitted(*submission, replies_);
  };
  if (!writer_->Push(std::move(job))) GamesFailed(*submission, QueueFull());
}

bool Coordinator::GrantWithGames(Submission& submission) {
  const std::lock_guard lock(mutex_);
  const Session* const session = sessions_.Find(submission.session);
  if (session == nullptr) return true;  // there is no reply that it could wait for
  const size_t seats = session->seats + submission.items.size();
  const bool busy = leases_.OpenSlotsOf(session->worker) >= seats;
  const bool others_wait = waiters_.First(AvailableRuns()).has_value();
  if (others_wait || ReplyAtOnce(submission.work.input)) return busy;
  while (GrantSome(submission.work)) mutex_.LetOthers();
  return busy;
}

GamePlace Coordinator::Locate(const SubmittedGame& game) const {
  GamePlace place;
  const Run* run = FindRun(game.run);
  if (run == nullptr) return place;
  const PlaySpec& play = run->state.spec().play;
  place.known_run = true;
  place.match = play.match;
  place.resign = play.resign;
  if (play.re_entry) place.graph = run->state.shared_graph();
  place.slot = leases_.Find(game.lease, game.slot);
  return place;
}

absl::StatusOr<SubmittedItem> Coordinator::Examine(const std::string& worker, SubmittedGame&& game,
                                                   GamePlace&& place) {
  SubmittedItem item;
  item.row.run = game.run;
  item.row.lease = game.lease;
  item.row.slot = game.slot;
  item.row.worker = worker;
  const auto rejected = [&item](const absl::Status& reason) {
    item.kind = SubmittedItem::Kind::kRejected;
    item.reason = std::string(reason.message());
    return item;
  };
  if (!place.known_run) {
    return rejected(Refuse("unknown_run", absl::StrCat("run ", game.run), "a run"));
  }
  std::optional<LeaseTable::Found>& found = place.slot;
  if (found && (found->run != game.run || found->worker != worker)) {
    return rejected(Refuse("foreign_lease", absl::StrCat("lease ", game.lease),
                           absl::StrCat("a lease of ", worker, " in run ", game.run)));
  }
  if (game.nodes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return rejected(Refuse("bad_field", absl::StrCat(game.nodes, " nodes"), "less than 2^63"));
  }
  if (!found || found->filled) {
    // Sent again, or never ours: the writer compares it with what is under its key.
    if (game.moves.size() > kMaxMoves) {
      return rejected(Refuse("bad_field", absl::StrCat(game.moves.size(), " moves"), "fewer"));
    }
    item.kind = SubmittedItem::Kind::kKnown;
    item.row.payload_hash = PayloadHash(game);
    item.row.moves = std::move(game.moves);
    return item;
  }
  const Slot& slot = found->plan->slot;
  if (IsSearch(slot.kind)) {
    const absl::StatusOr<CheckedEvaluation> checked =
        CheckEvaluation(rules_, place.match, slot, game);
    if (!checked.ok()) return rejected(checked.status());
    item.kind =
        found->plan->IsCopy() ? SubmittedItem::Kind::kCopy : SubmittedItem::Kind::kEvaluation;
    item.session = found->session;
    item.row.payload_hash = checked->payload_hash;
    item.row.moves_hash = checked->found_hash;
    item.row.ending = checked->ending;
    item.row.nodes = game.nodes;
    item.row.think_ms = game.think_ms;
    item.followed = std::min(checked->followed, game.moves.size());
    item.row.moves.assign(game.moves.begin() + static_cast<std::ptrdiff_t>(item.followed),
                          game.moves.end());
    item.row.scores = std::move(game.scores);
    if (IsFault(checked->ending.termination)) item.row.fault = std::move(game.fault);
    item.position = checked->position;
    item.score = checked->score;
    item.depth = game.depth;
    item.plan = std::move(found->plan);
    return item;
  }
  book::AnswerBook book;
  if (place.graph != nullptr) {
    book.graph = std::move(place.graph);
    auto weights = weights_.Get(game.run, slot.weights_version);
    // Weights that cannot be read now may be later; without any the game can never be judged.
    if (absl::IsNotFound(weights.status()) || absl::IsDataLoss(weights.status())) {
      return rejected(weights.status());
    }
    RETURN_IF_ERROR(weights.status());
    book.weights = *std::move(weights);
  }
  absl::StatusOr<CheckedGame> checked =
      CheckGame(rules_, place.match, slot, game, book.graph != nullptr ? &book : nullptr);
  if (!checked.ok()) return rejected(checked.status());
  item.kind = found->plan->IsCopy() ? SubmittedItem::Kind::kCopy : SubmittedItem::Kind::kNew;
  item.session = found->session;
  item.row.stage = found->stage;
  item.row.payload_hash = checked->payload_hash;
  item.row.moves_hash = checked->moves_hash;
  item.row.book_plies = static_cast<uint32_t>(std::min(slot.line.size(), game.moves.size()));
  item.row.ending = checked->ending;
  item.row.nodes = game.nodes;
  item.row.think_ms = game.think_ms;
  item.row.resign_check =
      CheckResignation(place.resign, checked->chooser, game.scores, checked->ending);
  item.row.moves = std::move(game.moves);
  item.row.reentered = std::move(checked->reentered);
  item.row.own = slot.own;
  item.row.used = game.used;
  item.row.scores = std::move(game.scores);
  if (IsFault(checked->ending.termination)) item.row.fault = std::move(game.fault);
  item.plan = std::move(found->plan);
  return item;
}

absl::Status Coordinator::WriteGames(Submission& submission, Writer::Batch& batch) {
  {
    const std::lock_guard lock(mutex_);
    for (SubmittedItem& item : submission.items) item.row.stale = !leases_.IsLive(item.row.lease);
  }
  const int64_t now_ms = NowMs();
  for (SubmittedItem& item : submission.items) {
    item.insert.reset();
    if (item.kind == SubmittedItem::Kind::kRejected) continue;
    if (item.kind == SubmittedItem::Kind::kNew) {
      item.row.commit_seq = batch.commit_seq + 1;
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::Insert> inserted = batch.rows.InsertGame(item.row);
      if (!inserted.ok()) return inserted.status();
      item.insert = *inserted;
      if (item.insert == RunStore::Insert::kNew) {
        batch.commit_seq = item.row.commit_seq;
        if (item.plan->slot.kind == SlotKind::kMatch) {
          RETURN_IF_ERROR(InsertMatchUse(batch.rows.store(), item.row));
        }
      }
    } else if (item.kind == SubmittedItem::Kind::kCopy) {
      item.row.accepted_ms = now_ms;
      const absl::StatusOr<RunStore::FinishedCopy> finished =
          batch.rows.FinishCopy(item.row, item.plan->copy_of);
      if (!finished.ok()) return finished.status();
      item.insert = finished->insert;
      item.same = finished->same;
    } else if (item.kind == SubmittedItem::Kind::kEvaluation) {
      item.row.accepted_ms = now_ms;
      RETURN_IF_ERROR(WriteEvaluation(item, batch));
    } else {
      const absl::StatusOr<std::optional<RunStore::Insert>> known =
          batch.rows.CompareGame(item.row);
      if (!known.ok()) return known.status();
      item.insert = *known;
    }
    item.kept_conflict = false;
    if (item.insert == RunStore::Insert::kConflict && KeepsConflicts(item.row)) {
      ASSIGN_OR_RETURN(item.kept_conflict, batch.rows.InsertConflict(item.row, now_ms));
      if (item.kept_conflict) ++conflicts_now_[{item.row.run, item.row.worker}];
    }
  }
  return absl::OkStatus();
}

bool Coordinator::KeepsConflicts(const GameRow& game) const {
  const std::lock_guard lock(mutex_);
  const auto tally = worker_tallies_.find(game.worker);
  uint32_t of_worker = tally == worker_tallies_.end() ? 0 : tally->second.conflicts;
  uint64_t of_run = runs_.at(game.run).conflicts;
  for (const auto& [whose, kept] : conflicts_now_) {
    if (whose.first == game.run) of_run += kept;
    if (whose.second == game.worker) of_worker += kept;
  }
  return of_run < kMostConflicts && of_worker < kMostOfWorker;
}

absl::Status Coordinator::WriteEvaluation(SubmittedItem& item, Writer::Batch& batch) {
  RunSpec spec;
  {
    const std::lock_guard lock(mutex_);
    spec = runs_.at(item.row.run).state.spec();
  }
  const Slot& slot = item.plan->slot;
  std::optional<AlongLine> along;
  if (spec.line_searches.wanted()) {
    along = {
        .line = {slot.line.begin(), slot.line.begin() + static_cast<std::ptrdiff_t>(item.followed)},
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

void Coordinator::ApplyEvaluation(Run& run, const SubmittedItem& item, bool open) {
  const GameRow& row = item.row;
  if (IsFault(row.ending.termination)) {
    std::optional<LineFailure> failed(LineFailure{row.lease, row.worker});
    if (row.ending.termination == Termination::kInterrupted) failed.reset();
    run.state.AddEvaluationFault(*item.plan, open, failed);
    spdlog::warn("evaluation_failed run={} lease={} slot={} worker={} termination={}", row.run,
                 row.lease, row.slot, row.worker, Name(row.ending.termination));
    return;
  }
  OfferToOthers(run, item);
  if (run.state.line_searches() != nullptr) {
    const auto followed = item.plan->slot.line.begin() + static_cast<std::ptrdiff_t>(item.followed);
    LineSearch found{.line = {item.plan->slot.line.begin(), followed},
                     .best = std::nullopt,
                     .score = item.score,
                     .worker = row.worker,
                     .lease = row.lease};
    if (!row.moves.empty()) found.best = row.moves.front();
    run.state.AddLineSearch(*item.plan, open, found);
    return;
  }
  run.state.AddEvaluation(*item.plan, open,
                          {.seq = row.commit_seq,
                           .score = item.score,
                           .older = false,
                           .worker = row.worker,
                           .lease = row.lease});
}

GameVerdict Coordinator::Apply(const SubmittedItem& item, Session* session) {
  GameVerdict verdict{item.row.lease, item.row.slot, Verdict::kRejected, item.reason};
  if (item.kind == SubmittedItem::Kind::kRejected) return verdict;
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
      if (session != nullptr) ++session->conflicts;
      residuals_.AddConflict(item.row.worker);
      if (item.kept_conflict) {
        ++run.conflicts;
        ++worker_tallies_[item.row.worker].conflicts;
        spdlog::warn("game_conflict run={} lease={} slot={} worker={}", item.row.run,
                     item.row.lease, item.row.slot, item.row.worker);
      }
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
  if (item.kind == SubmittedItem::Kind::kCopy) {
    ApplyCopy(run, item);
  } else if (item.kind == SubmittedItem::Kind::kEvaluation) {
    ApplyEvaluation(run, item, open);
  } else {
    Observe(run, item, run.state.Credit(item.row, *item.plan, open));
    run.rate.Add(now, IsFault(item.row.ending.termination) ? 0 : 1);
  }
  NoteFault(item.row);
  if (session != nullptr) NoteCannotPlay(*session, item.row);
  if (completion.ok() && completion->finished) ledger_.OweEnd(item.row.lease, LeaseState::kFinished);
  if (session != nullptr && item.kind != SubmittedItem::Kind::kEvaluation) {
    ++(IsFault(item.row.ending.termination) ? session->faults : session->games);
  }
  verdict.verdict = item.row.stale ? Verdict::kStaleAccepted : Verdict::kAccepted;
  return verdict;
}

void Coordinator::NoteFault(const GameRow& game) {
  if (game.ending.termination == Termination::kInterrupted) return;
  fault_rates_.Add(game.worker, IsFault(game.ending.termination));
  if (!IsFault(game.ending.termination)) return;
  if (const std::optional<std::string> why = fault_rates_.WhyFaulty(game.worker)) {
    Quarantine(game.worker, *why, /*automatic=*/true);
  }
}

void Coordinator::NoteCannotPlay(Session& session, const GameRow& game) {
  if (game.ending.termination != Termination::kInterrupted ||
      !game.fault.starts_with(kCannotPlay) ||
      !session.cannot.emplace(game.run, game.fault).second) {
    return;
  }
  spdlog::warn("worker_cannot_play run={} worker={} reason={}", game.run, session.worker,
               Quote(game.fault, kMaxFaultBytes));
  const bool counts = session.counts;
  CountAsServer(session, false);
  std::erase(session.serves, game.run);
  CountAsServer(session, counts);
  waiters_.RemoveRuns(session.id);
  for (const RunId run : session.serves) waiters_.AddRun(session.id, run);
  EndLeases(leases_.RevokeWorker(session.worker, game.run), LeaseState::kGivenBack);
}

void Coordinator::GiveReplies(std::vector<SubmitReply>& replies) {
  for (SubmitReply& reply : replies) reply.done(std::move(reply.output));
  replies.clear();
}

void Coordinator::GamesCommitted(Submission& submission, std::vector<SubmitReply>& replies) {
  std::vector<GameVerdict> verdicts;
  Calls calls;
  {
    const std::lock_guard lock(mutex_);
    verdicts.reserve(submission.items.size());
    for (const SubmittedItem& item : submission.items) {
      if (!verdicts.empty() && verdicts.size() % kGamesAtOnce == 0) {
        mutex_.LetOthers();
      }
      verdicts.push_back(Apply(item, sessions_.Find(submission.session)));
    }
    for (auto& [id, run] : runs_) FollowUp(run);
    ServeWaiters(calls);
    if (submission.work.input.want_slots > 0) {
      ReplyWithWork(submission, std::move(verdicts), calls);
    } else {
      replies.push_back(
          {std::move(submission.done), SubmitOutput{.verdicts = std::move(verdicts), .work = {}}});
    }
  }
  RunCalls(calls);
}

void Coordinator::GamesFailed(const Submission& submission, absl::Status status) {
  const auto done = [&submission](const absl::StatusOr<AcquireOutput>& work) {
    submission.done(work.status());
  };
  HandOut(submission.work.leases, done, {}, std::move(status));
}

void Coordinator::ReplyWithWork(Submission& submission, std::vector<GameVerdict> verdicts,
                                Calls& calls) {
  AcquireDone done = [done = submission.done,
                      verdicts = std::move(verdicts)](const absl::StatusOr<AcquireOutput>& work) {
    // The games are committed, whatever became of the leases.
    SubmitOutput output{.verdicts = verdicts, .work = AcquireOutput()};
    if (work.ok()) output.work = *work;
    done(std::move(output));
  };
  Granting& work = submission.work;
  if (!work.leases.empty()) {
    calls.push_back([this, done, leases = std::move(work.leases), output = std::move(work.output)] {
      HandOut(leases, done, output, {});
    });
  } else if (auto reply = ReplyAtOnce(work.input)) {
    calls.push_back([done, reply = *std::move(reply)] { done(reply); });
  } else if (TryGrant(work.input, done, calls) == 0) {
    calls.push_back([done] { done(AcquireOutput()); });
  }
}

}  // namespace joseki::coordinator
