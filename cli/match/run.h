#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "book/stats/series.h"
#include "cli/match/file.h"
#include "cli/match/game.h"
#include "cli/match/settings.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The queue between the players of a match and its writer. Players (threads of this process, or
// workers elsewhere) take games here and bring back the results. Thread-safe.
class MatchFeed {
 public:
  explicit MatchFeed(book::Series& series) : series_(series) {}

  // The next game to play. Blocks while a game may still come; nullopt: the match is over.
  std::optional<book::SeriesGame> Take();
  void Bring(MatchGame game);
  void GiveBack(const book::SeriesGame& game);
  // Ends the feed: all pending and later calls of Take return nullopt.
  void Close();
  bool closed() const;

  // For the writer: waits up to `most` for finished games, and takes them.
  std::vector<MatchGame> Collect(absl::Duration most);
  // Counts games in the series. REQUIRES: they are on the disk.
  void Count(const std::vector<MatchGame>& games);

 private:
  mutable std::mutex mutex_;
  std::condition_variable due_;      // a game may be due, or the feed is closed
  std::condition_variable brought_;  // a finished game has arrived
  book::Series& series_;
  std::vector<MatchGame> collected_;
  bool closed_ = false;
};

struct MatchRun {
  uint32_t pairs_before = 0;  // by earlier commands
  absl::Duration time;
  bool interrupted = false;
  uint64_t run = 0;  // run of the coordinator whose workers played; 0: played here
};

// Plays the rest of `series` on this machine, `concurrency` games at once, and writes every game to
// `file` before it counts. `look` is called at least every 0.2 s and may show progress; if it
// returns true the match ends and games in play are abandoned. An error if a player cannot be made
// or the file cannot be written.
absl::StatusOr<MatchRun> RunMatch(const Rules& rules, const MatchSettings& settings,
                                  int concurrency, MatchFile& file, book::Series& series,
                                  const std::function<bool()>& look);

}  // namespace joseki::cli
