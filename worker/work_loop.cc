#include "worker/work_loop.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "worker/duel.h"
#include "worker/referee.h"

namespace joseki::worker {
namespace {

// What one Submit may carry (proto/joseki/v1/worker.proto), with room for the wire's own bytes.
constexpr size_t kMostSubmittedGames = 512;
constexpr uint64_t kMostSubmittedBytes = 900'000;
constexpr size_t kMostBeatLeases = 1024;
constexpr size_t kMostKnownRuns = 1000;
constexpr size_t kMostWanted = 1024;

// Refusals that the same Join would meet again.
bool IsRefusal(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kUnauthenticated:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

// The games are of a database that was replaced by a backup of it: they have no slots any more.
bool IsOtherEpoch(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) && ProblemOf(status).code == "epoch";
}

absl::string_view Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAccepted:
      return "accepted";
    case Verdict::kDuplicate:
      return "duplicate";
    case Verdict::kStaleAccepted:
      return "stale_accepted";
    case Verdict::kConflict:
      return "conflict";
    case Verdict::kRejected:
      return "rejected";
  }
  return "unknown";
}

std::string Key(RunId run, LeaseId lease, uint32_t slot) {
  return absl::StrCat("run=", run, " lease=", lease, " slot=", slot);
}

std::string Key(const FinishedGame& game) { return Key(game.run, game.lease, game.slot); }

std::string Why(const absl::Status& status) {
  return absl::StrCat("error=", Quote(status.ToString(), 300));
}

std::chrono::nanoseconds Nanoseconds(absl::Duration duration) {
  // Longer waits overflow the clock's arithmetic.
  return absl::ToChronoNanoseconds(std::min(duration, absl::Hours(24)));
}

}  // namespace

WorkLoop::WorkLoop(Options options, const Rules& rules, PlayerFactory make_player,
                   CoordinatorPort& port, Spool& spool, LogSink log, BookProvider books)
    : options_(std::move(options)),
      rules_(rules),
      make_player_(std::move(make_player)),
      port_(port),
      spool_(spool),
      log_(std::move(log)),
      books_(std::move(books)),
      meter_(options_.join.slots),
      seats_(options_.join.slots) {}

absl::Status WorkLoop::Run() {
  {
    const std::lock_guard lock(mutex_);
    worked_ = absl::Now();
  }
  std::thread fetch([this] { FetchLoop(); });
  std::thread submit([this] { SubmitLoop(); });
  std::thread beat([this] { BeatLoop(); });
  std::vector<std::thread> slots;
  for (size_t seat = 0; seat < seats_.size(); ++seat) {
    slots.emplace_back([this, seat] { SlotLoop(seat); });
  }

  std::optional<Session> session;
  std::vector<SlotRef> unplayed;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return mode_ != Mode::kWork; });
    changed_.wait(lock, [&] { return mode_ != Mode::kFinishHand || hand_.empty(); });
    for (const SlotRef& slot : hand_.TakeWaiting()) unplayed_.push_back(slot);
    changed_.wait_for(lock, Nanoseconds(options_.drain_grace),
                      [&] { return mode_ == Mode::kStop || hand_.playing() == 0; });
    breaking_off_ = true;
    StopPlayers();
    // The slots' threads must not wait for work that will not come.
    mode_ = std::max(mode_, Mode::kFinishPlaying);
    changed_.notify_all();
  }
  fetch.join();
  for (std::thread& slot : slots) slot.join();
  {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, Nanoseconds(options_.flush_grace),
                      [&] { return mode_ == Mode::kStop || spool_.pending() == 0; });
    for (const SlotRef& slot : hand_.TakeWaiting()) unplayed_.push_back(slot);
    unplayed = unplayed_;
    if (mode_ != Mode::kStop) session = session_;
  }
  if (session) {
    const absl::Status left = port_.Leave(session->session, unplayed, stop_.get_token());
    log_(left.ok() ? LogLevel::kInfo : LogLevel::kWarning,
         absl::StrCat("left session=", session->session, " unplayed=", unplayed.size(),
                      left.ok() ? "" : " " + Why(left)));
  }
  stop_.request_stop();
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    changed_.notify_all();
  }
  submit.join();
  beat.join();

  const absl::Status synced = spool_.Sync();
  const std::lock_guard lock(mutex_);
  if (!failure_.ok()) return failure_;
  if (spool_.pending() > 0) {
    if (!synced.ok()) return synced;
    return absl::UnavailableError(absl::StrCat(spool_.pending(), " games wait in the spool"));
  }
  if (mode_ == Mode::kStop) return absl::CancelledError("interrupted");
  return absl::OkStatus();
}

void WorkLoop::Drain() { Advance(Mode::kFinishPlaying); }

void WorkLoop::Interrupt() { Advance(Mode::kStop); }

void WorkLoop::Advance(Mode mode) {
  fetch_stop_.request_stop();
  if (mode == Mode::kStop) stop_.request_stop();
  const std::lock_guard lock(mutex_);
  if (mode <= mode_) return;
  mode_ = mode;
  if (mode == Mode::kStop) {
    breaking_off_ = true;
    StopPlayers();
  }
  changed_.notify_all();
}

void WorkLoop::Fail(absl::Status status) {
  log_(LogLevel::kError, absl::StrCat("refused ", Why(status)));
  {
    const std::lock_guard lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  Advance(Mode::kStop);
}

bool WorkLoop::Pause(absl::Duration duration, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_for(lock, Nanoseconds(duration), [&] { return stop.stop_requested(); });
}

bool WorkLoop::PauseAfter(const absl::Status& status, absl::Duration wait,
                          const std::stop_token& stop) {
  // Whoever was told to come later is known to a coordinator; a new session changes nothing.
  const bool obey = RetryAfterOf(status).has_value();
  std::unique_lock lock(mutex_);
  const uint64_t joins = joins_;
  changed_.wait_for(lock, Nanoseconds(wait),
                    [&] { return stop.stop_requested() || (!obey && joins_ != joins); });
  return !stop.stop_requested();
}

absl::Duration WorkLoop::WaitAfter(const absl::Status& status, Backoff& backoff, Rng& rng) {
  const absl::Duration wait = backoff.Next();
  const std::optional<absl::Duration> asked = RetryAfterOf(status);
  return asked ? std::max(wait, *asked * (1.0 + rng.Unit() / 4)) : wait;
}

// ---- The session ----

absl::StatusOr<Session> WorkLoop::CurrentSession(std::stop_token stop) {
  const std::lock_guard joining(join_mutex_);
  Backoff backoff(options_.backoff, Rng(options_.seed).Split(1));
  Rng rng = Rng(options_.seed).Split(5);
  absl::Duration spread;
  {
    const std::lock_guard lock(mutex_);
    if (session_) return *session_;
    if (std::exchange(lost_session_, false)) spread = spread_;
  }
  // Not all workers of a coordinator that comes back shall come at once.
  const Rng place(Hash64(options_.join.worker));
  if (spread > absl::ZeroDuration() && !Pause(spread * Rng(place).Unit(), stop)) {
    return absl::CancelledError("stopped");
  }
  for (;;) {
    if (stop.stop_requested()) return absl::CancelledError("stopped");
    const absl::StatusOr<Session> session = port_.Join(options_.join, stop);
    if (session.ok()) {
      Adopt(*session);
      return session;
    }
    if (absl::IsCancelled(session.status()) && stop.stop_requested()) return session.status();
    if (IsRefusal(session.status())) {
      Fail(session.status());
      return session.status();
    }
    const absl::Duration wait = WaitAfter(session.status(), backoff, rng);
    log_(LogLevel::kWarning, absl::StrCat("join_failed wait_ms=", absl::ToInt64Milliseconds(wait),
                                          " ", Why(session.status())));
    if (!Pause(wait, stop)) return absl::CancelledError("stopped");
  }
}

void WorkLoop::Adopt(const Session& session) {
  log_(LogLevel::kInfo, absl::StrCat("joined session=", session.session, " epoch=", session.epoch));
  const std::lock_guard lock(mutex_);
  if (session.epoch != epoch_) {
    // Another database: its leases and runs are others, whatever their numbers.
    hand_.AbandonAll();
    StopPlayers();
    runs_.clear();
    unplayed_.clear();
    newest_lease_ = 0;
    epoch_ = session.epoch;
  }
  session_ = session;
  ++joins_;
  beat_.reset();
  spread_ = session.spread;
  backlog_ = spool_.pending() > 0;
  changed_.notify_all();
}

bool WorkLoop::Forget(SessionId session, const absl::Status& status) {
  const bool unknown =
      absl::IsFailedPrecondition(status) && ProblemOf(status).code == "unknown_session";
  // Who has lost his rights is refused as he joins again, and that ends the worker.
  const bool no_rights = absl::IsPermissionDenied(status) || absl::IsUnauthenticated(status);
  if (!unknown && !no_rights) return false;
  const std::lock_guard lock(mutex_);
  if (session_ && session_->session == session) {
    session_.reset();
    lost_session_ = true;
  }
  return true;
}

// ---- Work in ----

size_t WorkLoop::Wanted() const {
  if (!room_.ok() || asking_ || mode_ != Mode::kWork) return 0;
  // So many games lie ready that no slot waits for an answer; where nobody says how many, a quarter
  // of the slots' number. More are asked for when half of them are gone.
  const size_t slots = seats_.size();
  const size_t ahead = ahead_ > 0 ? ahead_ : (slots + 3) / 4;
  const size_t have = hand_.waiting() + hand_.playing();
  return have > slots + ahead / 2 ? 0 : std::min(slots + ahead - have, kMostWanted);
}

bool WorkLoop::MayFetch() const {
  if (Wanted() == 0 || backlog_) return false;
  // A game that is about to be submitted brings slots with its answer, if none is needed before.
  return hand_.waiting() == 0 || spool_.pending() == 0;
}

AcquireInput WorkLoop::Ask() {
  const std::lock_guard lock(mutex_);
  AcquireInput input;
  input.want_slots = static_cast<uint32_t>(Wanted());
  if (input.want_slots == 0) return input;
  asking_ = true;
  input.after_lease = newest_lease_;
  for (const auto& [run, unused] : runs_) {
    if (input.known_runs.size() < kMostKnownRuns) input.known_runs.push_back(run);
  }
  return input;
}

absl::Duration WorkLoop::IdleFor() {
  const std::lock_guard lock(mutex_);
  return hand_.empty() ? absl::Now() - worked_ : absl::ZeroDuration();
}

void WorkLoop::EndAsking() {
  const std::lock_guard lock(mutex_);
  asking_ = false;
  changed_.notify_all();
}

void WorkLoop::FetchLoop() {
  const std::stop_token stop = fetch_stop_.get_token();
  Backoff backoff(options_.backoff, Rng(options_.seed).Split(2));
  Rng rng = Rng(options_.seed).Split(3);
  for (;;) {
    // First the session: after a new one the spool's games go first.
    const absl::StatusOr<Session> session = CurrentSession(stop);
    if (!session.ok()) return;  // stopped or refused
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return mode_ != Mode::kWork || !session_ || MayFetch(); });
      if (mode_ != Mode::kWork) return;
      if (!session_) continue;
    }
    const AcquireInput input = Ask();
    if (input.want_slots == 0) continue;
    absl::StatusOr<AcquireOutput> work = port_.Acquire(*session, input, stop);
    if (!work.ok()) {
      EndAsking();
      if (stop.stop_requested()) return;
      if (Forget(session->session, work.status())) continue;
      const absl::Duration wait = WaitAfter(work.status(), backoff, rng);
      log_(LogLevel::kWarning,
           absl::StrCat("acquire_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                        Why(work.status())));
      if (!PauseAfter(work.status(), wait, stop)) return;
      continue;
    }
    backoff.Reset();
    const bool drain = work->drain;
    const bool idle = work->leases.empty();
    const absl::Duration retry = work->retry;
    TakeWork(*session, *std::move(work));
    EndAsking();
    if (drain || IdleFor() >= options_.exit_when_idle) {
      log_(LogLevel::kInfo, drain ? "draining reason=coordinator" : "draining reason=idle");
      Advance(Mode::kFinishHand);
      return;
    }
    // Half a retry of jitter, so that workers that were answered together do not return together.
    if (idle && !Pause(retry * (1.0 + rng.Unit() / 2), stop)) return;
  }
}

void WorkLoop::TakeWork(const Session& session, AcquireOutput work) {
  std::vector<LeaseId> unknown;
  {
    const std::lock_guard lock(mutex_);
    if (session.epoch != epoch_) return;  // joined another database meanwhile
    if (!work.leases.empty()) {
      ahead_ = work.ahead;
      worked_ = absl::Now();
    }
    for (auto& [run, play] : work.runs) {
      runs_.try_emplace(run, std::make_shared<const PlaySpec>(std::move(play)));
    }
    for (Lease& lease : work.leases) {
      newest_lease_ = std::max(newest_lease_, lease.lease);
      const auto run = runs_.find(lease.run);
      if (run == runs_.end()) unknown.push_back(lease.lease);
      if (run != runs_.end() && mode_ == Mode::kWork) {
        hand_.Add(epoch_, std::move(lease), run->second);
        continue;
      }
      for (const Slot& slot : lease.slots) {
        unplayed_.push_back({.lease = lease.lease, .slot = slot.slot});
      }
    }
    changed_.notify_all();
  }
  for (const LeaseId lease : unknown) {
    log_(LogLevel::kError, absl::StrCat("lease_of_unknown_run lease=", lease));
  }
}

// ---- Play ----

std::optional<Assignment> WorkLoop::NextAssignment() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return mode_ != Mode::kWork || hand_.waiting() > 0; });
  if (mode_ > Mode::kFinishHand) return std::nullopt;
  std::optional<Assignment> next = hand_.Next();
  if (next) changed_.notify_all();  // there is room in the hand
  return next;
}

void WorkLoop::SlotLoop(size_t seat) {
  Crew crew;
  std::shared_ptr<const PlaySpec> play;  // whom `crew` was made for
  constexpr uint64_t kFirstStream = 16;  // the back-offs of the other threads come before
  Backoff backoff({.first = options_.player_retry,
                   .most = std::max(options_.player_retry, options_.backoff.most)},
                  Rng(options_.seed).Split(kFirstStream + seat));
  while (const std::optional<Assignment> assignment = NextAssignment()) {
    if (crew.player == nullptr || play != assignment->play) {
      play = assignment->play;
      Dismiss(seat, crew);
      absl::StatusOr<Crew> made = MakeCrew(*play, seat);
      if (!made.ok()) {
        FinishedGame fault;
        fault.ending.termination = Termination::kCrash;
        fault.fault = absl::StrCat("no player: ", made.status().ToString());
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
    // What a player is worth after a fault, nobody knows.
    if (!game || IsFault(game->ending.termination)) Dismiss(seat, crew);
    const Termination end = game ? game->ending.termination : Termination::kInterrupted;
    FinishAssignment(*assignment, std::move(game));
    if (end == Termination::kCrash || end == Termination::kStall) {
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
  // Another number than any seat has: what engines say is kept apart.
  ASSIGN_OR_RETURN(crew.opponent, make_player_(crew.opponent_play, seat + seats_.size()));
  return crew;
}

void WorkLoop::Dismiss(size_t seat, Crew& crew) {
  crew = {};
  // Its engine has ended and is counted among the children.
  meter_.Add(seat, absl::ZeroDuration(), absl::ZeroDuration());
}

std::shared_ptr<const book::AnswerBook> WorkLoop::AwaitBook(const Assignment& assignment) {
  // A worker that is told to end gives the slot back rather than wait for bytes.
  const std::stop_token stop = fetch_stop_.get_token();
  Backoff backoff(options_.backoff,
                  Rng(options_.seed).Split(5).Split(assignment.lease).Split(assignment.slot.slot));
  if (books_ == nullptr) {
    log_(LogLevel::kError,
         absl::StrCat("no_books ", Key(assignment.run, assignment.lease, assignment.slot.slot)));
    return nullptr;
  }
  for (;;) {
    // Bytes that arrive and positions that are read are progress as plies are: the leases must
    // outlast the first download, those too that wait behind this one.
    const auto progress = [&] {
      const std::lock_guard lock(mutex_);
      hand_.Advance(assignment.run);
    };
    auto book = books_(assignment, progress, stop);
    if (book.ok()) return *std::move(book);
    if (stop.stop_requested() || assignment.state->abandoned) return nullptr;
    const absl::Duration wait = backoff.Next();
    log_(LogLevel::kWarning,
         absl::StrCat("book_failed wait_ms=", absl::ToInt64Milliseconds(wait), " ",
                      Key(assignment.run, assignment.lease, assignment.slot.slot), " ",
                      Why(book.status())));
    if (!Pause(wait, stop) || assignment.state->abandoned) return nullptr;
  }
}

std::optional<FinishedGame> WorkLoop::PlayAssignment(size_t seat, const Assignment& assignment,
                                                     const Crew& crew,
                                                     const book::AnswerBook* book) {
  std::optional<Duel> duel;
  if (crew.opponent != nullptr) {
    const Color own = assignment.slot.own.value_or(Color::kFirst);
    DuelSide ours{crew.player.get(), assignment.play.get(), book->own, {}};
    if (const auto& use = assignment.play->own_book) ours.rules = use->rules;
    const DuelSide theirs{crew.opponent.get(), &crew.opponent_play, book->opponent,
                          assignment.play->opponent->rules};
    duel.emplace(rules_, own == Color::kFirst ? ours : theirs,
                 own == Color::kFirst ? theirs : ours);
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
  GameRecord record = PlayGame(rules_, *assignment.play, assignment.slot, player, keep_going,
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
         absl::StrCat("fault ", Key(assignment.run, assignment.lease, assignment.slot.slot),
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
  // In the spool before it leaves the hand: an empty hand means that the spool holds everything.
  if (played && !assignment.state->abandoned) {
    game->epoch = assignment.epoch;
    game->run = assignment.run;
    game->lease = assignment.lease;
    game->slot = assignment.slot.slot;
    spool_.Append(*std::move(game)).IgnoreError();  // NoteRoom tells of it
  }
  {
    const std::lock_guard lock(mutex_);
    if (!played && !assignment.state->abandoned) {
      unplayed_.push_back({.lease = assignment.lease, .slot = assignment.slot.slot});
    }
    hand_.Done(assignment.lease);
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
    held = hand_.Abandon(lease);
    StopPlayers();
    changed_.notify_all();
  }
  if (held) log_(LogLevel::kInfo, absl::StrCat("abandoned lease=", lease));
}

// ---- Games out ----

void WorkLoop::NoteRoom() {
  const absl::Status room = spool_.Room();
  {
    const std::lock_guard lock(mutex_);
    if (room_.code() == room.code()) return;
    room_ = room;
    changed_.notify_all();
  }
  if (room.ok()) {
    log_(LogLevel::kInfo, "spool_has_room");
  } else {
    log_(LogLevel::kError, absl::StrCat("spool_takes_no_more ", Why(room)));
  }
}

void WorkLoop::SubmitLoop() {
  const std::stop_token stop = stop_.get_token();
  Backoff backoff(options_.backoff, Rng(options_.seed).Split(4));
  Rng rng = Rng(options_.seed).Split(6);
  Backoff disk_backoff(options_.backoff, Rng(options_.seed).Split(7));
  size_t most_games = kMostSubmittedGames;
  for (;;) {
    bool probe = false;
    {
      std::unique_lock lock(mutex_);
      const auto ended = [&] { return done_ || mode_ == Mode::kStop; };
      const auto due = [&] { return ended() || spool_.pending() > 0; };
      changed_.wait(lock, [&] { return due() || !room_.ok(); });
      // Without a game to write nobody would find out that a disk that failed works again.
      probe = !due() && !changed_.wait_for(lock, Nanoseconds(disk_backoff.Next()), due);
      if (!probe) {
        changed_.wait_for(lock, Nanoseconds(options_.batch_delay), [&] {
          return ended() || mode_ != Mode::kWork || hand_.empty() ||
                 spool_.pending() >= options_.batch_games ||
                 spool_.pending_bytes() >= options_.batch_bytes;
        });
      }
      if (ended()) return;
    }
    if (probe) {
      if (spool_.Sync().ok()) disk_backoff.Reset();
      NoteRoom();
      continue;
    }
    const absl::StatusOr<Session> session = CurrentSession(stop);
    if (!session.ok()) return;  // stopped or refused
    // A disk that fails costs the games' safety, not the games: they are submitted all the same.
    spool_.Sync().IgnoreError();
    NoteRoom();
    const std::vector<Spool::Entry> batch = spool_.Batch(most_games, kMostSubmittedBytes);
    const absl::Status submitted = SubmitBatch(*session, batch);
    if (submitted.ok()) {
      backoff.Reset();
      most_games = kMostSubmittedGames;
      continue;
    }
    if (stop.stop_requested()) return;
    if (Forget(session->session, submitted)) continue;
    if (absl::IsInvalidArgument(submitted) && batch.size() > 1) {
      // Something in the batch is no game to the coordinator, and never will be: find it alone.
      most_games = 1;
      continue;
    }
    if (absl::IsInvalidArgument(submitted) || IsOtherEpoch(submitted)) {
      for (const Spool::Entry& entry : batch) {
        log_(LogLevel::kError, absl::StrCat("game_refused ", Key(entry.game), " ", Why(submitted)));
      }
      Acknowledge(batch);
      continue;
    }
    const absl::Duration wait = WaitAfter(submitted, backoff, rng);
    log_(LogLevel::kWarning, absl::StrCat("submit_failed games=", batch.size(), " wait_ms=",
                                          absl::ToInt64Milliseconds(wait), " ", Why(submitted)));
    if (!PauseAfter(submitted, wait, stop)) return;
  }
}

absl::Status WorkLoop::SubmitBatch(const Session& session, const std::vector<Spool::Entry>& batch) {
  std::vector<FinishedGame> games;
  games.reserve(batch.size());
  for (const Spool::Entry& entry : batch) games.push_back(entry.game);
  const AcquireInput ask = Ask();
  const auto asked = absl::MakeCleanup([&] {
    if (ask.want_slots > 0) EndAsking();
  });
  absl::StatusOr<SubmitOutput> output =
      port_.Submit(session.session, {games.front().epoch, games, ask}, stop_.get_token());
  if (!output.ok()) return output.status();
  const std::vector<GameVerdict>& verdicts = output->verdicts;
  // Only an answer that speaks of exactly these games settles them.
  bool matches = verdicts.size() == games.size();
  for (size_t i = 0; matches && i < games.size(); ++i) {
    matches = verdicts[i].lease == games[i].lease && verdicts[i].slot == games[i].slot;
  }
  if (!matches) return absl::InternalError("the verdicts are of other games");

  std::map<Verdict, size_t> counts;
  for (size_t i = 0; i < games.size(); ++i) {
    const GameVerdict& verdict = verdicts[i];
    ++counts[verdict.verdict];
    const bool bad = verdict.verdict == Verdict::kConflict || verdict.verdict == Verdict::kRejected;
    log_(bad ? LogLevel::kError : LogLevel::kDebug,
         absl::StrCat("game_answered ", Key(games[i]), " verdict=", Word(verdict.verdict),
                      bad ? " reason=" + Quote(verdict.reason, 300) : ""));
  }
  std::string line = absl::StrCat("submitted games=", games.size());
  for (const auto& [verdict, count] : counts)
    absl::StrAppend(&line, " ", Word(verdict), "=", count);
  log_(LogLevel::kInfo, line);
  Acknowledge(batch);
  if (output->work) {
    const bool drain = output->work->drain;
    TakeWork(session, *std::move(output->work));
    if (drain) Advance(Mode::kFinishHand);
  }
  return absl::OkStatus();
}

void WorkLoop::Acknowledge(const std::vector<Spool::Entry>& batch) {
  std::vector<Spool::Ticket> tickets;
  tickets.reserve(batch.size());
  for (const Spool::Entry& entry : batch) tickets.push_back(entry.ticket);
  spool_.Acknowledge(tickets);
  NoteRoom();
  const std::lock_guard lock(mutex_);
  // What is left was finished lately, or there would have been a full batch.
  if (spool_.pending() < options_.batch_games) backlog_ = false;
  changed_.notify_all();
}

// ---- Signs of life ----

void WorkLoop::BeatLoop() {
  const std::stop_token stop = stop_.get_token();
  for (;;) {
    const absl::StatusOr<Session> session = CurrentSession(stop);
    if (!session.ok()) return;  // stopped or refused
    std::vector<LeaseProgress> progress;
    {
      std::unique_lock lock(mutex_);
      const auto ended = [&] { return done_ || mode_ == Mode::kStop; };
      if (changed_.wait_for(lock, Nanoseconds(beat_.value_or(session->beat)), ended)) return;
      progress = hand_.Progress();
      // A held Acquire says that this worker lives, and nothing else would be said.
      if (progress.empty() && asking_) continue;
    }
    std::span<const LeaseProgress> rest = progress;
    do {
      const auto part = rest.subspan(0, std::min(rest.size(), kMostBeatLeases));
      rest = rest.subspan(part.size());
      const absl::StatusOr<BeatOutput> answer =
          port_.Beat(session->session, {part, meter_.Read()}, stop);
      if (!answer.ok()) {
        // The next beat is the retry.
        if (!Forget(session->session, answer.status())) {
          log_(LogLevel::kDebug, absl::StrCat("beat_failed ", Why(answer.status())));
        }
        break;
      }
      {
        const std::lock_guard lock(mutex_);
        if (answer->beat > absl::ZeroDuration()) beat_ = answer->beat;
        if (answer->spread > absl::ZeroDuration()) spread_ = answer->spread;
      }
      for (const LeaseId lease : answer->cancelled) AbandonLease(lease);
      if (answer->drain) Advance(Mode::kFinishHand);
    } while (!rest.empty());
  }
}

}  // namespace joseki::worker
