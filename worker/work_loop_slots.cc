// Play: what the thread of a seat does.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "proto/limits.h"
#include "worker/play/duel.h"
#include "worker/play/referee.h"
#include "worker/work_loop.h"
#include "worker/work_loop_words.h"

namespace joseki::worker {

std::optional<Assignment> WorkLoop::NextAssignment() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return mode_ != Mode::kWork || held_leases_.waiting() > 0; });
  if (mode_ > Mode::kFinishHeld) return std::nullopt;
  std::optional<Assignment> next = held_leases_.Next();
  if (next) changed_.notify_all();  // there is room among the held leases
  return next;
}

void WorkLoop::SeatLoop(size_t seat) {
  Crew crew;
  std::shared_ptr<const PlaySpec> play;  // the run that `crew` was made for
  constexpr uint64_t kFirstStream = 16;  // the other threads' back-offs use the streams below
  Backoff backoff({.first = options_.player_retry,
                   .most = std::max(options_.player_retry, options_.backoff.most)},
                  Rng(options_.seed).Split(kFirstStream + seat));
  while (const std::optional<Assignment> assignment = NextAssignment()) {
    if (crew.player == nullptr || play != assignment->play) {
      play = assignment->play;
      Dismiss(seat, crew);
      absl::StatusOr<Crew> made = MakeCrew(*play, seat);
      if (!made.ok()) {
        // A lack of memory is no crash: other runs may use smaller tables.
        const bool no_room = ProblemOf(made.status()).code == "no_memory";
        FinishedGame fault;
        fault.ending.termination = no_room ? Termination::kInterrupted : Termination::kCrash;
        fault.fault =
            absl::StrCat(no_room ? std::string(kCannotPlay) : "no player: ",
                         made.status().ToString(absl::StatusToStringMode::kWithNoExtraData));
        log_(LogLevel::kError,
             absl::StrCat("no_player run=", assignment->run, " ", Why(made.status())));
        FinishAssignment(*assignment, std::move(fault));
        Pause(backoff.Next(), fetch_stop_.get_token());
        continue;
      }
      crew = *std::move(made);
    }
    std::shared_ptr<const book::AnswerBook> book;
    const SlotKind kind = assignment->slot.kind;
    if (kind == SlotKind::kMatch || (play->re_entry && kind == SlotKind::kGame)) {
      book = AwaitBook(*assignment);
      if (book == nullptr) {
        FinishAssignment(*assignment, std::nullopt);
        continue;
      }
    }
    std::optional<FinishedGame> game = PlayAssignment(seat, *assignment, crew, book.get());
    // A player's state after a fault is unknown.
    if (!game || IsFault(game->ending.termination)) Dismiss(seat, crew);
    const Termination end = game ? game->ending.termination : Termination::kInterrupted;
    FinishAssignment(*assignment, std::move(game));
    if (IsFault(end) && end != Termination::kInterrupted) {
      Pause(backoff.Next(), fetch_stop_.get_token());
    } else if (!IsFault(end)) {
      backoff.Reset();
    }
  }
  Dismiss(seat, crew);
}

absl::StatusOr<WorkLoop::Crew> WorkLoop::MakeCrew(const PlaySpec& play, size_t seat) const {
  Crew crew;
  ASSIGN_OR_RETURN(crew.player, make_player_(play, seat));
  if (!play.opponent) return crew;
  crew.opponent_play = OpponentPlay(play);
  // A number beyond those of the seats keeps the engines' stderr files apart.
  ASSIGN_OR_RETURN(crew.opponent, make_player_(crew.opponent_play, seat + seats_.size()));
  return crew;
}

void WorkLoop::Dismiss(size_t seat, Crew& crew) {
  crew = {};
  // The engine has ended and counts among the children.
  meter_.Add(seat, absl::ZeroDuration(), absl::ZeroDuration());
}

std::shared_ptr<const book::AnswerBook> WorkLoop::AwaitBook(const Assignment& assignment) {
  // A worker that is to end gives the slot back rather than wait for bytes.
  const std::stop_token stop = fetch_stop_.get_token();
  Backoff backoff(options_.backoff,
                  Rng(options_.seed).Split(5).Split(assignment.lease).Split(assignment.slot.slot));
  if (books_ == nullptr) {
    log_(LogLevel::kError, absl::StrCat("no_books ", SlotText(assignment.run, assignment.lease,
                                                              assignment.slot.slot)));
    return nullptr;
  }
  for (;;) {
    // Count arriving bytes and positions as progress, like plies. All leases of the run must
    // outlast the first download, including those whose slots only wait.
    const auto progress = [&] {
      const std::lock_guard lock(mutex_);
      held_leases_.Advance(assignment.run);
    };
    auto book = books_(assignment, progress, stop);
    if (book.ok()) return *std::move(book);
    if (stop.stop_requested() || assignment.state->abandoned) return nullptr;
    const absl::Duration wait = backoff.Next();
    log_(LogLevel::kWarning,
         absl::StrCat("book_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                      SlotText(assignment.run, assignment.lease, assignment.slot.slot), " ",
                      Why(book.status())));
    if (!Pause(wait, stop) || assignment.state->abandoned) return nullptr;
  }
}

std::optional<FinishedGame> WorkLoop::PlayAssignment(size_t seat, const Assignment& assignment,
                                                     const Crew& crew,
                                                     const book::AnswerBook* book) {
  // The game is known: its player was made.
  const Rules& rules = **rules_of_(assignment.play->game);
  std::optional<Duel> duel;
  if (crew.opponent != nullptr) {
    const Color own = assignment.slot.own.value_or(Color::kFirst);
    DuelSide ours{crew.player.get(), assignment.play.get(), book->own, {}};
    if (const auto& use = assignment.play->own_book) ours.rules = use->rules;
    const DuelSide theirs{crew.opponent.get(), &crew.opponent_play, book->opponent,
                          assignment.play->opponent->rules};
    duel.emplace(rules, own == Color::kFirst ? ours : theirs, own == Color::kFirst ? theirs : ours);
  }
  Player& player = duel ? static_cast<Player&>(*duel) : *crew.player;
  {
    const std::lock_guard lock(mutex_);
    seats_[seat] = {.player = &player, .state = assignment.state};
  }
  uint32_t reported = 0;
  const KeepGoing keep_going = [&](int plies) {
    assignment.state->plies += static_cast<uint32_t>(plies) - reported;
    reported = static_cast<uint32_t>(plies);
    const std::lock_guard lock(mutex_);
    return !breaking_off_ && !assignment.state->abandoned;
  };
  const bool match = assignment.slot.kind == SlotKind::kMatch;  // the duel has its books
  RefereedGame record = PlayGame(rules, *assignment.play, assignment.slot, player, keep_going,
                                 match ? nullptr : book);
  meter_.Add(seat, record.search, player.EngineTime().value_or(absl::ZeroDuration()));
  {
    const std::lock_guard lock(mutex_);
    seats_[seat] = {};
    const bool stopped = breaking_off_ || assignment.state->abandoned;
    if (stopped && record.ending.termination == Termination::kInterrupted) return std::nullopt;
  }
  if (IsFault(record.ending.termination)) {
    log_(LogLevel::kWarning,
         absl::StrCat("fault ", SlotText(assignment.run, assignment.lease, assignment.slot.slot),
                      " termination=", std::string(Name(record.ending.termination)),
                      " text=", Quote(record.fault, 300)));
  }
  FinishedGame game;
  game.moves = std::move(record.moves);
  game.ending = record.ending;
  game.nodes = record.nodes;
  game.think_ms = record.think_ms;
  game.fault = std::move(record.fault);
  game.scores = std::move(record.scores);
  game.depth = record.depth;
  if (match && duel) {
    const Color own = assignment.slot.own.value_or(Color::kFirst);
    game.used = {duel->used(own), duel->used(~own)};
  }
  return game;
}

void WorkLoop::FinishAssignment(const Assignment& assignment, std::optional<FinishedGame> game) {
  const bool played = game.has_value();
  // Spool the game before releasing its lease: without held leases, the spool has everything.
  if (played && !assignment.state->abandoned) {
    game->epoch = assignment.epoch;
    game->run = assignment.run;
    game->lease = assignment.lease;
    game->slot = assignment.slot.slot;
    spool_.Append(*std::move(game)).IgnoreError();  // NoteRoom reports the error
  }
  {
    const std::lock_guard lock(mutex_);
    if (!played && !assignment.state->abandoned) {
      unplayed_.push_back({.lease = assignment.lease, .slot = assignment.slot.slot});
    }
    held_leases_.Done(assignment.lease);
    worked_ = absl::Now();
    changed_.notify_all();
  }
  NoteRoom();
}

void WorkLoop::StopPlayers() {
  for (const Seat& seat : seats_) {
    if (seat.player != nullptr && (breaking_off_ || seat.state->abandoned)) seat.player->Stop();
  }
}

void WorkLoop::AbandonLease(LeaseId lease) {
  bool held = false;
  {
    const std::lock_guard lock(mutex_);
    held = held_leases_.Abandon(lease);
    StopPlayers();
    changed_.notify_all();
  }
  if (held) log_(LogLevel::kInfo, absl::StrCat("abandoned lease=", lease));
}

}  // namespace joseki::worker
