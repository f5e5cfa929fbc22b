#include "tests/simulation/sim_worker.h"

#include <algorithm>
#include <utility>

#include "base/problem.h"
#include "worker/play/player.h"
#include "worker/play/referee.h"
#include "worker/spool.h"

namespace joseki::testing {
namespace {

using worker::Assignment;
using worker::FinishedGame;
using worker::GameVerdict;
using worker::Session;
using worker::Verdict;

constexpr size_t kBatchGames = 32;
constexpr absl::Duration kBatchDelay = absl::Seconds(1);
constexpr absl::Duration kDrainGrace = absl::Seconds(30);
constexpr uint64_t kEngineSignature = 77;

// Plays any legal move that is allowed, by the slot's seed, and crashes for certain slots. Another
// `engine` plays other moves.
class RandomPlayer final : public worker::Player {
 public:
  RandomPlayer(const Rules& rules, uint64_t engine, bool crashes)
      : rules_(rules), engine_(engine), crashes_(crashes) {}

  absl::Status NewGame(uint64_t seed) override {
    rng_ = Rng(seed + engine_);
    return absl::OkStatus();
  }
  absl::StatusOr<worker::Choice> Choose(const worker::GameLine& game,
                                        const worker::Limits& limits) override {
    if (crashes_) return absl::UnavailableError("the engine went away");
    auto state = rules_.Start(game.start, MatchRules());
    if (!state.ok()) return state.status();
    for (const Move move : game.moves) (*state)->Play(move);
    std::vector<Move> moves = (*state)->LegalMoves();
    std::erase_if(moves, [&](Move move) {
      return std::find(limits.excluded.begin(), limits.excluded.end(), move) !=
             limits.excluded.end();
    });
    if (moves.empty()) moves = (*state)->LegalMoves();
    worker::Choice choice;
    choice.move = moves[rng_.Below(moves.size())];
    choice.nodes = 10;
    return choice;
  }
  void Stop() override {}

 private:
  const Rules& rules_;
  const uint64_t engine_;
  const bool crashes_;
  Rng rng_{0};
};

// One record as worker/spool.h lays it out.
std::string Record(const FinishedGame& game) {
  const std::string payload = worker::EncodeGame(game);
  std::string record;
  const auto put = [&record](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) record += static_cast<char>(value >> (8 * i) & 0xff);
  };
  put(payload.size(), 4);
  put(Hash64(payload), 8);
  return record + payload;
}

}  // namespace

SimWorker::SimWorker(int index, Kind kind, uint32_t slots, World& world, SimNetwork& network,
                     SimLedger& ledger, const Rules& rules)
    : index_(index),
      kind_(kind),
      slots_(slots),
      world_(world),
      network_(network),
      ledger_(ledger),
      rules_(rules),
      rng_(world.rng.Split(static_cast<uint64_t>(index) + 1000)),
      file_(worker::kSpoolHeader),
      synced_(file_.size()) {}

void SimWorker::Start() {
  running_ = true;
  ++life_;
  frozen_until_ = absl::InfinitePast();
  draining_ = leaving_ = joining_ = fetching_ = submitting_ = submit_due_ = false;
  session_.reset();
  waiting_for_session_.clear();
  held_leases_ = worker::HeldLeases();
  requests_.emplace(slots_, held_leases_);
  process_ = kind_ == Kind::kPlain ? 0 : rng_.Next() | 1;
  for (auto* backoff : {&join_backoff_, &fetch_backoff_, &submit_backoff_}) {
    backoff->emplace(Backoff::Options(), Rng(rng_.Next()));
  }
  LoadSpool();
  world_.Trace("w", index_, " starts pending=", pending_.size());
  SubmitSoon();
  Fetch();
  Beat();
}

void SimWorker::Kill() {
  if (!running_) return;
  running_ = false;
  ++life_;
  // Unsynced data may survive completely, partly or not at all.
  file_.resize(synced_ + rng_.Below(file_.size() - synced_ + 1));
  world_.Trace("w", index_, " killed playing=", held_leases_.playing(),
               " pending=", pending_.size());
}

void SimWorker::Drain() {
  if (!running_ || draining_) return;
  world_.Trace("w", index_, " drains");
  draining_ = true;
  drain_until_ = world_.Now() + kDrainGrace;
  After(kDrainGrace + absl::Seconds(10), [this] {
    drain_until_ = absl::InfinitePast();
    EndWhenDrained();
  });
  SubmitSoon();
  EndWhenDrained();
}

void SimWorker::Freeze(absl::Duration duration) {
  world_.Trace("w", index_, " frozen");
  frozen_until_ = std::max(frozen_until_, world_.Now() + duration);
}

void SimWorker::After(absl::Duration delay, std::function<void()> what) {
  world_.After(delay, [this, life = life_, what = std::move(what)] {
    if (life != life_) return;
    if (world_.Now() < frozen_until_) return After(frozen_until_ - world_.Now(), what);
    what();
  });
}

template <typename Reply>
std::function<void(absl::StatusOr<Reply>)> SimWorker::InThisLife(
    std::function<void(absl::StatusOr<Reply>)> done) {
  return [this, life = life_, done = std::move(done)](absl::StatusOr<Reply> reply) {
    if (life != life_) return;
    if (world_.Now() >= frozen_until_) return done(std::move(reply));
    After(frozen_until_ - world_.Now(), [done, reply] { done(reply); });
  };
}

// ---- The session ----

void SimWorker::WithSession(std::function<void(const Session&)> then) {
  if (session_) return then(*session_);
  waiting_for_session_.push_back(std::move(then));
  if (!joining_) Join();
}

void SimWorker::Join() {
  joining_ = true;
  worker::JoinInput input;
  input.worker = absl::StrCat("w", index_);
  input.seats = slots_;
  input.process = process_;
  input.engines = {{.id = "toy-engine", .name = "Toy", .signature = kEngineSignature}};
  network_.Join(index_, std::move(input), InThisLife<Session>([this](auto session) {
                  if (!session.ok()) {
                    if (absl::IsFailedPrecondition(session.status())) {
                      ledger_.Violation(
                          absl::StrCat("w", index_, " was refused: ", session.status().message()));
                    }
                    return After(join_backoff_->Next(), [this] { Join(); });
                  }
                  joining_ = false;
                  join_backoff_->Reset();
                  requests_->Enter(session->epoch);
                  session_ = *session;
                  world_.Trace("w", index_, " joined session=", session->session);
                  for (auto& then : std::exchange(waiting_for_session_, {})) then(*session);
                }));
}

bool SimWorker::IsUnknownSession(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) && ProblemOf(status).code == "unknown_session";
}

bool SimWorker::IsOtherEpoch(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) && ProblemOf(status).code == "epoch";
}

void SimWorker::Forget(worker::SessionId session) {
  if (session_ && session_->session == session) session_.reset();
}

// ---- Work in ----

worker::AcquireInput SimWorker::Ask() {
  if (draining_) return {};
  worker::AcquireInput input = requests_->Open(world_.Now());
  if (kind_ == Kind::kPlain) input.after_lease.reset();
  return input;
}

void SimWorker::Fetch() {
  if (fetching_ || draining_ || requests_->Wanted() == 0) return;
  // A game that is about to be submitted brings slots with its reply.
  if (kind_ != Kind::kPlain && held_leases_.waiting() > 0 && !pending_.empty()) return;
  fetching_ = true;
  WithSession([this](const Session& session) {
    worker::AcquireInput input = Ask();
    if (input.want_slots == 0) {
      fetching_ = false;
      return;
    }
    const auto again = [this](absl::Duration after) {
      requests_->Close();
      After(after, [this] {
        fetching_ = false;
        Fetch();
      });
    };
    network_.Acquire(index_, session, std::move(input),
                     InThisLife<worker::AcquireOutput>([this, session, again](auto work) {
                       if (!work.ok()) {
                         const bool unknown = IsUnknownSession(work.status());
                         if (unknown) Forget(session.session);
                         return again(unknown ? absl::ZeroDuration() : fetch_backoff_->Next());
                       }
                       fetch_backoff_->Reset();
                       const bool idle = work->leases.empty();
                       const absl::Duration retry = std::max(work->retry, absl::Milliseconds(1));
                       TakeWork(session, *std::move(work));
                       again(idle ? retry * (1 + rng_.Unit() / 2) : absl::ZeroDuration());
                     }));
  });
}

void SimWorker::TakeWork(const Session& session, worker::AcquireOutput work) {
  const bool drain = work.drain;
  const std::vector<worker::LeaseId> unknown =
      requests_->Take(session.epoch, std::move(work), /*play=*/!draining_, world_.Now());
  if (!unknown.empty()) {
    ledger_.Violation(absl::StrCat("w", index_, " got a lease of an unknown run"));
  }
  StartGames();
  if (drain) Drain();
}

// ---- Play ----

void SimWorker::StartGames() {
  while (!leaving_ && held_leases_.playing() < slots_) {
    std::optional<Assignment> next = held_leases_.Next();
    if (!next) return;
    const absl::Duration takes = absl::Seconds(2) + absl::Seconds(38) * rng_.Unit();
    After(takes, [this, assignment = *std::move(next)] { Finish(assignment); });
  }
}

void SimWorker::Finish(const Assignment& assignment) {
  if (!assignment.abandoned()) {
    // One line in forty is one that the engine cannot survive, and one game in a hundred another
    // accident.
    std::string line;
    for (const Move move : assignment.slot.line) absl::StrAppend(&line, move.raw(), " ");
    const bool crashes = Hash64(line) % 40 == 0 || Rng(assignment.slot.seed).Below(100) == 0;
    const uint64_t engine = kind_ == Kind::kWrong ? 1 + static_cast<uint64_t>(index_) : 0;
    RandomPlayer player(rules_, engine, crashes);
    FinishedGame game{worker::PlayGame(rules_, *assignment.play, assignment.slot, player,
                                       [](int) { return true; }),
                      assignment.epoch, assignment.run, assignment.lease, assignment.slot.slot};
    assignment.state->plies += static_cast<uint32_t>(game.moves.size());
    game.think_ms = 1000;
    faults += IsFault(game.ending.termination);
    Append(std::move(game));
  }
  held_leases_.Done(assignment, /*played=*/true);
  StartGames();
  Fetch();
  SubmitSoon();
  EndWhenDrained();
}

void SimWorker::Beat() {
  WithSession([this](const Session& session) {
    After(session.beat, [this, session] {
      network_.Beat(index_, session.session, held_leases_.Progress(),
                    InThisLife<worker::BeatOutput>([this, session](auto reply) {
                      if (!reply.ok()) {
                        if (IsUnknownSession(reply.status())) Forget(session.session);
                        return Beat();
                      }
                      for (const worker::LeaseId lease : reply->cancelled)
                        held_leases_.Abandon(lease);
                      if (reply->drain) Drain();
                      Beat();
                    }));
    });
  });
}

// ---- Games out ----

void SimWorker::LoadSpool() {
  pending_.clear();
  const auto contents = worker::ReadSpool(file_);
  if (!contents.ok()) return ledger_.Violation("a spool that cannot be read");
  file_ = worker::kSpoolHeader;
  for (const FinishedGame& game : contents->games) {
    file_ += Record(game);
    pending_.push_back({next_ticket_++, game});
  }
  synced_ = file_.size();
}

void SimWorker::Append(FinishedGame game) {
  file_ += Record(game);
  pending_.push_back({next_ticket_++, std::move(game)});
}

void SimWorker::SubmitSoon() {
  if (pending_.empty() || submitting_) return;
  if (pending_.size() >= kBatchGames || draining_) return Submit();
  if (std::exchange(submit_due_, true)) return;
  After(kBatchDelay, [this] {
    submit_due_ = false;
    Submit();
  });
}

void SimWorker::Submit() {
  if (pending_.empty() || submitting_) return;
  submitting_ = true;
  WithSession([this](const Session& session) {
    synced_ = file_.size();
    std::vector<Pending> batch;
    std::vector<FinishedGame> games;
    for (const Pending& entry : pending_) {
      if (games.size() == 512 || (!games.empty() && entry.game.epoch != games[0].epoch)) break;
      batch.push_back(entry);
      games.push_back(entry.game);
    }
    if (batch.empty()) {
      submitting_ = false;
      return;
    }
    worker::AcquireInput work = kind_ == Kind::kPlain ? worker::AcquireInput() : Ask();
    const bool asked = work.want_slots > 0;
    network_.Submit(
        index_, session.session, std::move(games), std::move(work),
        InThisLife<worker::SubmitOutput>([this, session, batch, asked](auto output) {
          if (asked) requests_->Close();
          if (!output.ok() && IsUnknownSession(output.status())) {
            Forget(session.session);
            return SubmitAgain(absl::ZeroDuration());
          }
          if (!output.ok() && !IsOtherEpoch(output.status())) {
            if (absl::IsFailedPrecondition(output.status()) ||
                absl::IsInvalidArgument(output.status())) {
              ledger_.Violation(absl::StrCat("games refused: ", output.status().message()));
            }
            return SubmitAgain(submit_backoff_->Next());
          }
          submit_backoff_->Reset();
          submitting_ = false;
          if (output.ok()) {
            TakeVerdicts(batch, std::move(output->verdicts));
            if (output->work) TakeWork(session, *std::move(output->work));
          } else {
            for (const Pending& entry : batch) ledger_.OfALostEpoch(entry.game);
            Forget(batch);
          }
          SubmitSoon();
          Fetch();
          EndWhenDrained();
        }));
  });
}

void SimWorker::SubmitAgain(absl::Duration after) {
  After(after, [this] {
    submitting_ = false;
    Submit();
    Fetch();
  });
}

void SimWorker::Forget(const std::vector<Pending>& batch) {
  for (const Pending& gone : batch) {
    std::erase_if(pending_, [&](const Pending& entry) { return entry.ticket == gone.ticket; });
  }
  if (pending_.empty()) {
    file_ = worker::kSpoolHeader;
    synced_ = file_.size();
  }
}

void SimWorker::TakeVerdicts(const std::vector<Pending>& batch, std::vector<GameVerdict> verdicts) {
  if (verdicts.size() != batch.size()) return ledger_.Violation("verdicts of other games");
  for (size_t i = 0; i < batch.size(); ++i) {
    const FinishedGame& game = batch[i].game;
    const GameVerdict& verdict = verdicts[i];
    if (verdict.lease != game.lease || verdict.slot != game.slot) {
      ledger_.Violation("a verdict of another game");
    }
    switch (verdict.verdict) {
      case Verdict::kAccepted:
      case Verdict::kDuplicate:
      case Verdict::kStaleAccepted:
        ledger_.Acknowledged(game, verdict.verdict);
        break;
      case Verdict::kConflict:
      case Verdict::kRejected:
        ledger_.Violation(absl::StrCat("an honest game was refused: ", verdict.reason));
        break;
    }
  }
  Forget(batch);
}

void SimWorker::EndWhenDrained() {
  if (!draining_ || leaving_) return;
  const bool in_time = world_.Now() < drain_until_;
  if (in_time && (held_leases_.playing() > 0 || !pending_.empty())) return;
  leaving_ = true;
  const auto end = [this] {
    running_ = false;
    ++life_;
    world_.Trace("w", index_, " left");
  };
  if (!session_) return end();
  network_.Leave(index_, session_->session, held_leases_.TakeUnplayed(),
                 InThisLife<bool>([end](const auto&) { end(); }));
}

}  // namespace joseki::testing
