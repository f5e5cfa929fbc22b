#include "cli/match/run.h"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "base/status_macros.h"

namespace joseki::cli {

std::optional<book::SeriesGame> MatchFeed::Take() {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (closed_ || series_.state() != book::Series::State::kPlaying) return std::nullopt;
    if (std::optional<book::SeriesGame> game = series_.Next()) return game;
    due_.wait(lock);
  }
}

void MatchFeed::Bring(MatchGame game) {
  const std::lock_guard lock(mutex_);
  collected_.push_back(std::move(game));
  brought_.notify_one();
}

void MatchFeed::GiveBack(const book::SeriesGame& game) {
  const std::lock_guard lock(mutex_);
  series_.GiveBack(game);
  due_.notify_all();
}

void MatchFeed::Close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  due_.notify_all();
}

bool MatchFeed::closed() const {
  const std::lock_guard lock(mutex_);
  return closed_;
}

std::vector<MatchGame> MatchFeed::Collect(absl::Duration most) {
  std::unique_lock lock(mutex_);
  brought_.wait_for(lock, absl::ToChronoMilliseconds(most), [this] { return !collected_.empty(); });
  return std::exchange(collected_, {});
}

void MatchFeed::Count(const std::vector<MatchGame>& games) {
  const std::lock_guard lock(mutex_);
  for (const MatchGame& game : games) series_.Done(game.game, game.outcome);
  due_.notify_all();
}

namespace {

// One thread that plays, with a player for each side. Engines die with the thread that started
// them, so this thread makes and ends them.
class Seat {
 public:
  Seat(const Rules& rules, const MatchSettings& settings, MatchFeed& feed,
       std::array<std::unique_ptr<worker::Player>, 2> players)
      : rules_(rules),
        settings_(settings),
        feed_(feed),
        players_(std::move(players)),
        thread_([this] { Work(); }) {}

  // Aborts the game in play. REQUIRES: the feed is closed.
  void Stop() {
    for (const auto& player : players_) player->Stop();
  }
  void Join() { thread_.join(); }

 private:
  void Work() {
    const std::array<worker::Player*, 2> players = {players_[0].get(), players_[1].get()};
    const worker::KeepGoing keep_going = [this](int) { return !feed_.closed(); };
    while (const std::optional<book::SeriesGame> game = feed_.Take()) {
      absl::StatusOr<MatchGame> played =
          PlayMatchGame(rules_, settings_, *game, players, keep_going);
      if (played.ok()) {
        feed_.Bring(*std::move(played));
      } else {
        feed_.GiveBack(*game);
      }
    }
  }

  const Rules& rules_;
  const MatchSettings& settings_;
  MatchFeed& feed_;
  const std::array<std::unique_ptr<worker::Player>, 2> players_;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<MatchRun> RunMatch(const Rules& rules, const MatchSettings& settings,
                                  int concurrency, MatchFile& file, book::Series& series,
                                  const std::function<bool()>& look) {
  for (const MatchGame& game : file.games()) series.Done(game.game, game.outcome);
  MatchRun run;
  run.pairs_before = series.pairs_played();
  const absl::Time began = absl::Now();
  MatchFeed feed(series);
  std::vector<std::unique_ptr<Seat>> seats;
  absl::Status status;
  if (series.state() == book::Series::State::kPlaying) {
    std::vector<std::array<std::unique_ptr<worker::Player>, 2>> players(
        static_cast<size_t>(concurrency));
    for (auto& both : players) {
      for (const book::Side side : {book::Side::kA, book::Side::kB}) {
        ASSIGN_OR_RETURN(both[Index(side)], MakePlayer(settings.sides[Index(side)], rules));
      }
    }
    for (auto& both : players) {
      seats.push_back(std::make_unique<Seat>(rules, settings, feed, std::move(both)));
    }
  }
  while (series.state() == book::Series::State::kPlaying) {
    const std::vector<MatchGame> games = feed.Collect(absl::Milliseconds(200));
    if (!games.empty()) {
      std::vector<Json> lines;
      for (const MatchGame& game : games) lines.push_back(MatchGameJson(game, rules));
      status = file.Append(lines);
      if (!status.ok()) break;
      feed.Count(games);
    }
    if (look() && series.state() == book::Series::State::kPlaying) {
      run.interrupted = true;
      break;
    }
  }
  feed.Close();
  for (const auto& seat : seats) seat->Stop();
  for (const auto& seat : seats) seat->Join();
  run.time = absl::Now() - began;
  RETURN_IF_ERROR(status);
  return run;
}

}  // namespace joseki::cli
