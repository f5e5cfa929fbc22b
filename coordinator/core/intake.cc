#include "coordinator/core/intake.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "coordinator/core/ended_leases.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/refusals.h"
#include "coordinator/core/serving.h"
#include "coordinator/core/verify.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/game_replay.h"
#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

// Bounds on one piece of work under the mutex: some hundred microseconds.
constexpr size_t kGamesAtOnce = 32;

GamePlace Locate(const Tables& tables, const SubmittedGame& game) {
  GamePlace place;
  const ActiveRun* run = tables.FindRun(game.run);
  if (run == nullptr) return place;
  const PlaySpec& play = run->state.row().spec.play;
  place.known_run = true;
  place.match = play.match;
  place.resign = play.resign;
  if (play.re_entry) place.graph = run->state.book().graph;
  place.slot = tables.leases.Find(game.lease, game.slot);
  place.put_away = tables.leases.IsPutAway(game.lease);
  return place;
}

}  // namespace

// ---- 1. Take in: its sender, and its slot ----

absl::StatusOr<TakenIn> TakeIn(Tables& tables, const SubmitInput& input, const std::string& epoch) {
  if (tables.holds.book_lost) return ShuttingDown();
  ASSIGN_OR_RETURN(const Session* const session, SessionOf(tables, input.work.session));
  NoteLoad(tables);
  if (tables.serving.pressure.Sheds(Pressure::Level::kNoSubmits)) return Later(tables, QueueFull());
  if (input.epoch != epoch) {
    return Refuse("epoch", absl::StrCat("games of epoch ", Quote(input.epoch)),
                  absl::StrCat("epoch ", epoch, ": the database was restored"));
  }
  if (input.games.size() > kMaxGamesPerSubmit) {
    return MakeProblem({.code = "bad_field",
                        .file = "games",
                        .found = absl::StrCat(input.games.size()),
                        .expected = absl::StrCat("at most ", kMaxGamesPerSubmit)});
  }
  TakenIn taken{.worker = session->worker, .places = {}};
  taken.places.reserve(input.games.size());
  for (const SubmittedGame& game : input.games) taken.places.push_back(Locate(tables, game));
  return taken;
}

// ---- 2. Examine: is it a game of that slot? ----

namespace {

SubmittedItem Rejected(SubmittedItem item, const absl::Status& reason) {
  item.kind = SubmittedItem::Kind::kRejected;
  item.reason = std::string(reason.message());
  return item;
}

// Examines a search of the slot, as far as it was made.
SubmittedItem ExamineSearch(const Rules& rules, SubmittedItem item, SubmittedGame&& game,
                            const GamePlace& place, const LeaseTable::Found& found) {
  const Slot& slot = found.plan->slot;
  const absl::StatusOr<CheckedEvaluation> checked = CheckEvaluation(rules, place.match, slot, game);
  if (!checked.ok()) return Rejected(std::move(item), checked.status());
  item.kind = found.plan->IsCopy() ? SubmittedItem::Kind::kCopy : SubmittedItem::Kind::kEvaluation;
  item.session = found.session;
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
  item.plan = found.plan;
  return item;
}

absl::StatusOr<SubmittedItem> ExamineGame(const Rules& rules, SubmittedItem item,
                                          SubmittedGame&& game, GamePlace& place,
                                          const LeaseTable::Found& found,
                                          const WeightsOf& weights_of) {
  const Slot& slot = found.plan->slot;
  book::AnswerBook book;
  if (place.graph != nullptr) {
    book.graph = std::move(place.graph);
    auto weights = weights_of(game.run, slot.weights_version);
    // Retry if the weights cannot be read now; if they are gone, the game can never be judged.
    if (absl::IsNotFound(weights.status()) || absl::IsDataLoss(weights.status())) {
      return Rejected(std::move(item), weights.status());
    }
    RETURN_IF_ERROR(weights.status());
    book.weights = *std::move(weights);
  }
  absl::StatusOr<CheckedGame> checked =
      CheckGame(rules, place.match, slot, game, book.graph != nullptr ? &book : nullptr);
  if (!checked.ok()) return Rejected(std::move(item), checked.status());
  item.kind = found.plan->IsCopy() ? SubmittedItem::Kind::kCopy : SubmittedItem::Kind::kNew;
  item.session = found.session;
  item.row.stage = found.stage;
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
  item.plan = found.plan;
  return item;
}

}  // namespace

absl::StatusOr<SubmittedItem> Examine(const Rules& rules, const std::string& worker,
                                      SubmittedGame&& game, GamePlace&& place,
                                      const WeightsOf& weights_of) {
  SubmittedItem item;
  item.row.run = game.run;
  item.row.lease = game.lease;
  item.row.slot = game.slot;
  item.row.worker = worker;
  if (!place.known_run) {
    return Rejected(std::move(item),
                    Refuse("unknown_run", absl::StrCat("run ", game.run), "a run"));
  }
  const std::optional<LeaseTable::Found>& found = place.slot;
  if (found && (found->run != game.run || found->worker != worker)) {
    return Rejected(std::move(item),
                    Refuse("foreign_lease", absl::StrCat("lease ", game.lease),
                           absl::StrCat("a lease of ", worker, " in run ", game.run)));
  }
  if (game.nodes > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
    return Rejected(std::move(item),
                    Refuse("bad_field", absl::StrCat(game.nodes, " nodes"), "less than 2^63"));
  }
  if (!found || found->filled) {
    // A repeated game, or a foreign one: the writer compares it with the row under its key.
    if (game.moves.size() > kMaxMoves) {
      return Rejected(std::move(item),
                      Refuse("bad_field", absl::StrCat(game.moves.size(), " moves"), "fewer"));
    }
    item.kind = SubmittedItem::Kind::kKnown;
    item.row.payload_hash = PayloadHash(game);
    item.row.moves = std::move(game.moves);
    return item;
  }
  if (IsSearch(found->plan->slot.kind)) {
    return ExamineSearch(rules, std::move(item), std::move(game), place, *found);
  }
  return ExamineGame(rules, std::move(item), std::move(game), place, *found, weights_of);
}

// ---- 3. Grant what its worker plays next ----

bool GrantWithGames(Tables& tables, Submission& submission, bool& busy) {
  Granting& work = submission.work;
  if (work.slots == 0) {
    const Session* const session = tables.sessions.Find(work.input.session);
    if (session == nullptr) return false;  // no reply could carry them
    const size_t seats = session->seats + submission.items.size();
    busy = tables.leases.OpenSlotsOf(session->worker) >= seats;
    if (tables.serving.waiters.First(AvailableRuns(tables)) || RepliesAtOnce(tables, work.input)) {
      return false;
    }
  }
  return GrantSome(tables, work);
}

// ---- 4 and 5 are the writer's: the game is committed ----

// ---- 6. Apply: its slot and its line ----

namespace {

// Credits the game to its line, and notes it among those of its worker, for comparison with others.
void ApplyGame(Tables& tables, ActiveRun& run, const SubmittedItem& item, bool open) {
  const GameRow& game = item.row;
  const bool fault = IsFault(game.ending.termination);
  const bool had_trials = run.state.evidence().calibration().WhyNoTrials().empty();
  const std::optional<Expectation> expectation = run.state.Credit(game, *item.plan, open);
  if (const std::string_view why = run.state.evidence().calibration().WhyNoTrials();
      had_trials && !why.empty()) {
    tables.effects.Warn("trials_off run={} reason=\"{}\"", game.run, why);
  }
  if (!fault) OfferToOthers(tables, run, item);
  ResidualGame observed;
  observed.termination = game.ending.termination;
  observed.plies = static_cast<uint32_t>(game.moves.size());
  observed.nodes = game.nodes;
  observed.think_ms = game.think_ms;
  if (expectation) {
    observed.scored = true;
    observed.score = expectation->score;
    observed.before = expectation->before;
  }
  tables.standing.residuals.Add(game.worker, observed);
  run.rate.Add(tables.moment.now, fault ? 0 : 1);
}

void ApplyEvaluation(Tables& tables, ActiveRun& run, const SubmittedItem& item, bool open) {
  const GameRow& row = item.row;
  const bool searched = SearchesAlongLines(run);
  if (IsFault(row.ending.termination)) {
    std::optional<LineFailure> failed(LineFailure{row.lease, row.worker});
    if (row.ending.termination == Termination::kInterrupted) failed.reset();
    run.state.searches().CountFault();
    run.state.searches().Lose(*item.plan, open, failed);
    WarnOfSearchesOff(tables, run, searched);
    tables.effects.Warn("evaluation_failed run={} lease={} slot={} worker={} termination={}",
                        row.run, row.lease, row.slot, row.worker, Name(row.ending.termination));
    return;
  }
  OfferToOthers(tables, run, item);
  if (run.state.searches().along_lines() != nullptr) {
    run.state.searches().Add(*item.plan, open, item.FoundAlongLine());
    WarnOfSearchesOff(tables, run, searched);
    return;
  }
  run.state.searches().Add(*item.plan, open,
                           {.seq = row.commit_seq,
                            .score = item.score,
                            .older = false,
                            .worker = row.worker,
                            .lease = row.lease});
}

// Charges a fault to its worker first, and suspends a worker most of whose slots end in faults.
void NoteFault(Tables& tables, const GameRow& game) {
  if (game.ending.termination == Termination::kInterrupted) return;
  tables.standing.faults.Add(game.worker, IsFault(game.ending.termination), game.fault);
  if (!IsFault(game.ending.termination)) return;
  if (const std::optional<std::string> why = tables.standing.faults.WhyFaulty(game.worker)) {
    Suspend(tables, game.worker, *why);
  }
}

// Handles a worker's statement that it cannot play the run: it gets no more of it in this session.
// The slot is no failure of its line, so the same worker would be asked for it again at once.
void NoteCannotPlay(Tables& tables, Session& session, const GameRow& game) {
  if (game.ending.termination != Termination::kInterrupted ||
      !session.cannot.emplace(game.run, game.fault).second) {
    return;
  }
  tables.effects.Warn("worker_cannot_play run={} worker={} reason={}", game.run, session.worker,
                      Quote(game.fault, kMaxFaultBytes));
  std::erase(session.serves, game.run);
  tables.notes.sessions.insert(session.id);
  tables.serving.waiters.RemoveRuns(session.id);
  for (const RunId run : session.serves) tables.serving.waiters.AddRun(session.id, run);
  EndLeases(tables, tables.leases.RevokeWorker(session.worker, game.run), LeaseState::kGivenBack);
}

// `session` may be null.
GameVerdict Apply(Tables& tables, const SubmittedItem& item, Session* session) {
  GameVerdict verdict{item.row.lease, item.row.slot, Verdict::kRejected, item.reason};
  if (item.kind == SubmittedItem::Kind::kRejected) return verdict;
  if (!item.insert) {
    verdict.reason = std::string(
        Refuse("unknown_slot", absl::StrCat("slot ", item.row.slot, " of lease ", item.row.lease),
               "a slot that was handed out")
            .message());
    return verdict;
  }
  ActiveRun& run = tables.runs.at(item.row.run);
  switch (*item.insert) {
    case Inserted::kDuplicate:
      ++run.duplicates;
      verdict.verdict = Verdict::kDuplicate;
      return verdict;
    case Inserted::kConflict:
      tables.standing.residuals.AddConflict(item.row.worker);
      if (item.kept_conflict) {
        ++run.conflicts;
        ++tables.standing.tallies[item.row.worker].conflicts;
        tables.effects.Warn("game_conflict run={} lease={} slot={} worker={}", item.row.run,
                            item.row.lease, item.row.slot, item.row.worker);
      }
      verdict.verdict = Verdict::kConflict;
      verdict.reason = "another game was committed under this key";
      return verdict;
    case Inserted::kNew:
      break;
  }
  tables.Touch(item.row.run);
  const absl::StatusOr<LeaseTable::Completion> completion =
      tables.leases.Complete(item.row.lease, item.row.slot, tables.moment.now);
  const bool open = completion.ok() && !completion->stale;
  if (item.kind == SubmittedItem::Kind::kCopy) {
    ApplyCopy(tables, run, item);
  } else if (item.kind == SubmittedItem::Kind::kEvaluation) {
    ApplyEvaluation(tables, run, item, open);
  } else {
    ApplyGame(tables, run, item, open);
  }
  NoteFault(tables, item.row);
  if (session != nullptr) NoteCannotPlay(tables, *session, item.row);
  if (completion.ok() && completion->finished)
    tables.ledger.OweEnd(item.row.lease, LeaseState::kFinished);
  const bool fault = IsFault(item.row.ending.termination);
  if (fault) run.last_fault = item.row.fault;
  if (session != nullptr) {
    session->faults += fault;
    session->games += !fault && item.kind != SubmittedItem::Kind::kEvaluation;
  }
  verdict.verdict = item.row.stale ? Verdict::kStaleAccepted : Verdict::kAccepted;
  return verdict;
}

}  // namespace

bool ApplySome(Tables& tables, const Submission& submission, std::vector<GameVerdict>& verdicts) {
  const std::vector<SubmittedItem>& items = submission.items;
  const size_t end = std::min(items.size(), verdicts.size() + kGamesAtOnce);
  while (verdicts.size() < end) {
    verdicts.push_back(
        Apply(tables, items[verdicts.size()], tables.sessions.Find(submission.work.input.session)));
  }
  const bool more = verdicts.size() < items.size();
  if (!more) tables.notes.serve = true;
  return more;
}

// ---- 7. Conclude: the worker gets its reply ----

namespace {

// Replies to a committed Submit that also wants slots.
void ReplyWithWork(Tables& tables, Submission& submission, std::vector<GameVerdict> verdicts) {
  AcquireDone done = [done = std::move(submission.done),
                      verdicts = std::move(verdicts)](absl::StatusOr<AcquireOutput> work) mutable {
    // The games are committed even if the leases failed.
    SubmitOutput output{.verdicts = std::move(verdicts), .work = AcquireOutput()};
    if (work.ok()) output.work = *std::move(work);
    done(std::move(output));
  };
  Granting& work = submission.work;
  if (!work.leases.empty()) {
    HandedOut(tables, work.leases);
    tables.effects.replies.push_back([done = std::move(done), leases = std::move(work.leases),
                                      output = std::move(work.output)]() mutable {
      done(WithLeases(leases, std::move(output)));
    });
  } else if (auto reply = ReplyAtOnce(tables, work.input)) {
    tables.effects.replies.push_back(
        [done = std::move(done), reply = *std::move(reply)] { done(reply); });
  } else if (TryGrant(tables, work.input, done) == 0) {
    tables.effects.replies.push_back([done = std::move(done)] { done(AcquireOutput()); });
  }
}

}  // namespace

void Conclude(Tables& tables, Submission& submission, std::vector<GameVerdict> verdicts,
              std::vector<SubmitReply>& replies) {
  if (submission.work.input.want_slots > 0) {
    ReplyWithWork(tables, submission, std::move(verdicts));
  } else {
    replies.push_back(
        {std::move(submission.done), SubmitOutput{.verdicts = std::move(verdicts), .work = {}}});
  }
}

}  // namespace joseki::coordinator
