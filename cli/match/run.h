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

// Between those who play the games of a match and who writes them down. Whoever plays (threads of
// this process; workers elsewhere) takes games here and brings them back. Thread-safe.
class MatchFeed {
 public:
  explicit MatchFeed(book::Series& series) : series_(series) {}

  // The next game to play. Blocks while there may be one; nullopt: the match is over.
  std::optional<book::SeriesGame> Take();
  void Bring(MatchGame game);
  void GiveBack(const book::SeriesGame& game);
  // No more games: everybody who waits, or asks, is told so.
  void Close();
  bool closed() const;

  // For who writes: waits up to `most` for games that were brought, and takes them.
  std::vector<MatchGame> Collect(absl::Duration most);
  // The games are on the disk: now they count.
  void Count(const std::vector<MatchGame>& games);

 private:
  mutable std::mutex mutex_;
  std::condition_variable due_;      // a game may be there to be played, or the feed was closed
  std::condition_variable brought_;  // a game was brought
  book::Series& series_;
  std::vector<MatchGame> collected_;
  bool closed_ = false;
};

struct MatchRun {
  uint32_t pairs_before = 0;  // played in an earlier life
  absl::Duration time;
  bool interrupted = false;
  uint64_t run = 0;  // of the coordinator whose workers played; 0: played here
};

// Plays what `series` still wants, `concurrency` games at once on this machine, and writes every
// game to `file` before it counts. `look` is called every fifth of a second, or more often, and may
// show how far it is; true ends the match: games in play are broken off. An error if a player
// cannot be made or the file cannot be written.
absl::StatusOr<MatchRun> RunMatch(const Rules& rules, const MatchSettings& settings,
                                  int concurrency, MatchFile& file, book::Series& series,
                                  const std::function<bool()>& look);

}  // namespace joseki::cli
