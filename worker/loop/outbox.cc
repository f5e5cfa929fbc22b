#include "worker/loop/outbox.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "proto/limits.h"
#include "worker/loop/retry.h"
#include "worker/loop/words.h"

namespace joseki::worker {
namespace {

// Streams of the jitter.
constexpr uint64_t kSubmitStream = 4;
constexpr uint64_t kDiskStream = 7;

// Below kMaxSubmitBytes, with room for the encoding.
constexpr uint64_t kMostSubmittedBytes = 900'000;

// Whether the games belong to a database that was replaced by a backup: their slots are gone.
bool IsOtherEpoch(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) && ProblemOf(status).code == "epoch";
}

// Only a reply about exactly these games acknowledges them.
bool AreOf(const std::vector<GameVerdict>& verdicts, const std::vector<FinishedGame>& games) {
  return std::equal(verdicts.begin(), verdicts.end(), games.begin(), games.end(),
                    [](const GameVerdict& verdict, const FinishedGame& game) {
                      return verdict.lease == game.lease && verdict.slot == game.slot;
                    });
}

}  // namespace

void Outbox::Add(FinishedGame game) {
  shared_.spool.Append(std::move(game)).IgnoreError();  // NoteRoom reports the error
  NoteRoom();
}

void Outbox::Run() {
  const absl::Cleanup said = [this] {
    if (const auto line = report_.Rest()) shared_.log(LogLevel::kInfo, *line);
  };
  const std::stop_token stop = shared_.life.At(Phase::kStop);
  const LoopOptions& options = shared_.options;
  Retry retry(options.backoff, Rng(options.seed).Split(kSubmitStream));
  Backoff disk(options.backoff, Rng(options.seed).Split(kDiskStream));
  size_t most_games = kMaxGamesPerSubmit;
  while (AwaitGames(disk)) {
    const absl::StatusOr<Session> session = membership_.Current(stop);
    if (!session.ok()) return;  // stopped or refused
    // A failing disk endangers the games, but does not lose them: submit all the same.
    shared_.spool.Sync().IgnoreError();
    NoteRoom();
    const Spool::Batch batch = shared_.spool.Oldest(most_games, kMostSubmittedBytes);
    const absl::Status submitted = Submit(*session, batch);
    if (submitted.ok()) {
      retry.Reset();
      most_games = kMaxGamesPerSubmit;
      continue;
    }
    if (stop.stop_requested()) return;
    if (membership_.Forget(session->session, submitted)) continue;
    if (absl::IsInvalidArgument(submitted) && batch.games.size() > 1) {
      // The coordinator will never accept some game of the batch: find it by single submissions.
      most_games = 1;
      continue;
    }
    if (absl::IsInvalidArgument(submitted) || IsOtherEpoch(submitted)) {
      for (const FinishedGame& game : batch.games) {
        shared_.log(LogLevel::kError,
                    absl::StrCat("game_refused ", SlotText(game), " ", Why(submitted)));
      }
      Acknowledge(batch);
      continue;
    }
    const absl::Duration wait = retry.WaitAfter(submitted);
    shared_.log(LogLevel::kWarning,
                absl::StrCat("submit_failed games=", batch.games.size(),
                             " wait_ms=", absl::ToInt64Milliseconds(wait), " ", Why(submitted)));
    if (!membership_.PauseAfter(submitted, wait, stop)) return;
  }
}

bool Outbox::AwaitGames(Backoff& disk) {
  Lifecycle& life = shared_.life;
  const Spool& spool = shared_.spool;
  const LoopOptions& options = shared_.options;
  const auto due = [&] { return life.phase() == Phase::kStop || spool.pending() > 0; };
  Lifecycle::Lock lock = life.Hold();
  for (;;) {
    life.Await(lock, [&] { return due() || !room_.ok(); });
    if (due() || life.Await(lock, disk.Next(), due)) break;
    // A write without a game probes whether the disk works again.
    lock.unlock();
    if (shared_.spool.Sync().ok()) disk.Reset();
    NoteRoom();
    lock.lock();
  }
  life.Await(lock, options.batch_delay, [&] {
    return life.phase() != Phase::kWork || shared_.leases.empty() ||
           spool.pending() >= options.batch_games || spool.pending_bytes() >= options.batch_bytes;
  });
  return life.phase() != Phase::kStop;
}

absl::Status Outbox::Submit(const Session& session, const Spool::Batch& batch) {
  const std::vector<FinishedGame>& games = batch.games;
  const AcquireInput ask = fetcher_.Ask();
  const auto asked = absl::MakeCleanup([&] {
    if (ask.want_slots > 0) fetcher_.EndAsking();
  });
  absl::StatusOr<SubmitOutput> output = shared_.port.Submit(
      session.session, {games.front().epoch, games, ask}, shared_.life.At(Phase::kStop));
  if (!output.ok()) return output.status();
  if (!AreOf(output->verdicts, games)) {
    return absl::InternalError("the verdicts are of other games");
  }
  for (size_t i = 0; i < games.size(); ++i) {
    const GameVerdict& verdict = output->verdicts[i];
    const bool bad = verdict.verdict == Verdict::kConflict || verdict.verdict == Verdict::kRejected;
    shared_.log(
        bad ? LogLevel::kError : LogLevel::kDebug,
        absl::StrCat("game_answered ", SlotText(games[i]), " verdict=", Word(verdict.verdict),
                     bad ? " reason=" + Quote(verdict.reason, 300) : ""));
  }
  report_.Add(output->verdicts);
  if (const auto line = report_.Due(shared_.clock.Now())) shared_.log(LogLevel::kInfo, *line);
  Acknowledge(batch);
  if (output->work) fetcher_.Take(session, *std::move(output->work));
  return absl::OkStatus();
}

void Outbox::Acknowledge(const Spool::Batch& batch) {
  shared_.spool.Acknowledge(batch.tickets);
  NoteRoom();
  const Lifecycle::Lock lock = shared_.life.Hold();
  // With less than a full batch pending, the backlog is done: the rest are recent games.
  if (shared_.spool.pending() < shared_.options.batch_games) fetcher_.EndBacklog();
  shared_.life.Notify();
}

void Outbox::NoteRoom() {
  const absl::Status room = shared_.spool.Room();
  {
    const Lifecycle::Lock lock = shared_.life.Hold();
    if (room_.code() == room.code()) return;
    room_ = room;
    shared_.life.Notify();
  }
  if (room.ok()) {
    shared_.log(LogLevel::kInfo, "spool_has_room");
  } else {
    shared_.log(LogLevel::kError, absl::StrCat("spool_takes_no_more ", Why(room)));
  }
}

}  // namespace joseki::worker
