#include "worker/loop/seat.h"

#include <algorithm>
#include <stop_token>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/backoff.h"
#include "base/problem.h"
#include "base/rng.h"
#include "proto/limits.h"
#include "worker/loop/words.h"

namespace joseki::worker {
namespace {

// Streams of the jitter.
constexpr uint64_t kBookStream = 5;
constexpr uint64_t kFirstSeatStream = 16;  // other threads use the streams below

// The game of a slot for which no player can be made.
FinishedGame UnplayedGame(const Assignment& assignment, const absl::Status& status) {
  // A lack of memory is no crash: other runs may use smaller tables.
  const bool no_room = ProblemOf(status).code == "no_memory";
  RefereedGame record;
  record.ending.termination = no_room ? Termination::kInterrupted : Termination::kCrash;
  record.fault = absl::StrCat(no_room ? std::string(kCannotPlay) : "no player: ",
                              status.ToString(absl::StatusToStringMode::kWithNoExtraData));
  return {std::move(record), assignment.epoch, assignment.run, assignment.lease,
          assignment.slot.slot};
}

}  // namespace

void Seat::Run() {
  const LoopOptions& options = shared_.options;
  const std::stop_token stop = shared_.life.At(Phase::kFinishHeld);
  Backoff backoff(
      {.first = options.player_retry, .most = std::max(options.player_retry, options.backoff.most)},
      Rng(options.seed).Split(kFirstSeatStream + number_));
  while (const std::optional<Assignment> assignment = Next()) {
    const absl::Status ready = crew_.Prepare(assignment->play);
    std::optional<FinishedGame> game;
    if (ready.ok()) {
      game = Play(*assignment);
    } else if (!absl::IsCancelled(ready)) {
      shared_.log(LogLevel::kError,
                  absl::StrCat("no_player run=", assignment->run, " ", Why(ready)));
      game = UnplayedGame(*assignment, ready);
    }
    const Termination end = game ? game->ending.termination : Termination::kInterrupted;
    Finish(*assignment, std::move(game));
    if (!IsFault(end)) {
      backoff.Reset();
    } else if (!ready.ok() || end != Termination::kInterrupted) {
      shared_.life.Pause(backoff.Next(), stop);
    }
  }
  crew_.Dismiss();
}

std::optional<Assignment> Seat::Next() {
  Lifecycle& life = shared_.life;
  Lifecycle::Lock lock = life.Hold();
  life.Await(lock, [&] { return life.phase() != Phase::kWork || shared_.leases.waiting() > 0; });
  if (life.phase() > Phase::kFinishHeld) return std::nullopt;
  std::optional<Assignment> next = shared_.leases.Next();
  if (next) life.Notify();  // there is room among the held leases
  return next;
}

std::optional<FinishedGame> Seat::Play(const Assignment& assignment) {
  std::shared_ptr<const book::AnswerBook> book;
  const SlotKind kind = assignment.slot.kind;
  if (kind == SlotKind::kMatch || (assignment.play->re_entry && kind == SlotKind::kGame)) {
    book = AwaitBook(assignment);
    if (book == nullptr) return std::nullopt;
  }
  FinishedGame game = crew_.Play(assignment, book.get());
  const Termination end = game.ending.termination;
  if (!IsFault(end)) return game;
  crew_.Dismiss();
  const bool aborted = shared_.life.At(Phase::kBreakOff).stop_requested() || assignment.abandoned();
  if (end == Termination::kInterrupted && aborted) return std::nullopt;
  shared_.log(LogLevel::kWarning,
              absl::StrCat("fault ", SlotText(assignment), " termination=", std::string(Name(end)),
                           " text=", Quote(game.fault, 300)));
  return game;
}

std::shared_ptr<const book::AnswerBook> Seat::AwaitBook(const Assignment& assignment) {
  if (shared_.books == nullptr) {
    shared_.log(LogLevel::kError, absl::StrCat("no_books ", SlotText(assignment)));
    return nullptr;
  }
  // A worker that is to end gives the slot back rather than wait for bytes.
  const std::stop_token stop = shared_.life.At(Phase::kFinishHeld);
  const Rng jitter = Rng(shared_.options.seed).Split(kBookStream);
  Backoff backoff(shared_.options.backoff,
                  jitter.Split(assignment.lease).Split(assignment.slot.slot));
  // Count arriving bytes and positions as progress, like plies. All leases of the run must outlast
  // the first download, including those whose slots only wait.
  const auto progress = [&] {
    const Lifecycle::Lock lock = shared_.life.Hold();
    shared_.leases.Advance(assignment.run);
  };
  for (;;) {
    auto book = shared_.books(assignment, progress, stop);
    if (book.ok()) return *std::move(book);
    if (stop.stop_requested() || assignment.abandoned()) return nullptr;
    const absl::Duration wait = backoff.Next();
    shared_.log(LogLevel::kWarning,
                absl::StrCat("book_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                             SlotText(assignment), " ", Why(book.status())));
    if (!shared_.life.Pause(wait, stop) || assignment.abandoned()) return nullptr;
  }
}

void Seat::Finish(const Assignment& assignment, std::optional<FinishedGame> game) {
  const bool played = game.has_value();
  // Spool the game before releasing its lease: without held leases, the spool has everything.
  if (played && !assignment.abandoned()) outbox_.Add(*std::move(game));
  const Lifecycle::Lock lock = shared_.life.Hold();
  shared_.leases.Done(assignment, played);
  shared_.requests.NoteWork(shared_.clock.Now());
  shared_.life.Notify();
}

}  // namespace joseki::worker
