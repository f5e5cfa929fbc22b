// Games out, until each is acknowledged.

#include <algorithm>
#include <map>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "proto/limits.h"
#include "worker/work_loop.h"
#include "worker/work_loop_words.h"

namespace joseki::worker {
namespace {

// Below kMaxSubmitBytes, with room for the encoding.
constexpr uint64_t kMostSubmittedBytes = 900'000;

// Whether the games belong to a database that was replaced by a backup: their slots are gone.
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

}  // namespace

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
  size_t most_games = kMaxGamesPerSubmit;
  for (;;) {
    bool probe = false;
    {
      std::unique_lock lock(mutex_);
      const auto ended = [&] { return done_ || mode_ == Mode::kStop; };
      const auto due = [&] { return ended() || spool_.pending() > 0; };
      changed_.wait(lock, [&] { return due() || !room_.ok(); });
      // A write without a game probes whether a failed disk works again.
      probe = !due() && !changed_.wait_for(lock, Nanoseconds(disk_backoff.Next()), due);
      if (!probe) {
        changed_.wait_for(lock, Nanoseconds(options_.batch_delay), [&] {
          return ended() || mode_ != Mode::kWork || held_leases_.empty() ||
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
    // A failing disk endangers the games, but does not lose them: submit all the same.
    spool_.Sync().IgnoreError();
    NoteRoom();
    const std::vector<Spool::Entry> batch = spool_.Batch(most_games, kMostSubmittedBytes);
    const absl::Status submitted = SubmitBatch(*session, batch);
    if (submitted.ok()) {
      backoff.Reset();
      most_games = kMaxGamesPerSubmit;
      continue;
    }
    if (stop.stop_requested()) return;
    if (Forget(session->session, submitted)) continue;
    if (absl::IsInvalidArgument(submitted) && batch.size() > 1) {
      // The coordinator will never accept some game of the batch: find it by single submissions.
      most_games = 1;
      continue;
    }
    if (absl::IsInvalidArgument(submitted) || IsOtherEpoch(submitted)) {
      for (const Spool::Entry& entry : batch) {
        log_(LogLevel::kError,
             absl::StrCat("game_refused ", SlotText(entry.game), " ", Why(submitted)));
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
  // Only a reply about exactly these games acknowledges them.
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
         absl::StrCat("game_answered ", SlotText(games[i]), " verdict=", Word(verdict.verdict),
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
    if (drain) Advance(Mode::kFinishHeld);
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
  // With less than a full batch pending, the backlog is done: the rest are recent games.
  if (spool_.pending() < options_.batch_games) backlog_ = false;
  changed_.notify_all();
}

}  // namespace joseki::worker
