#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/stats/series.h"
#include "coordinator/model/messages.h"
#include "coordinator/model/rows.h"
#include "coordinator/scheduling/trust.h"

namespace joseki::coordinator {

class RunStore;  // coordinator/store/run_store.h

// Converts the row of a match's game for its series, without what each side used and whose fault
// ended it. REQUIRES: `slot`, of kind kMatch, is the game's.
book::PlayedGame PlayedGameOf(const Slot& slot, const GameRow& row);

// Reason why a match in this state is over, for the run's `reason`.
std::string MatchEnd(book::Series::State state);

// Every counted game of a match in commit order, without those of workers that `trust` excludes.
// Empty for a run that is no match. DataLoss if a lease is missing.
absl::StatusOr<std::vector<book::PlayedGame>> ReadMatch(RunStore& rows, const RunRow& run,
                                                        const Trust& trust);

// NotFound if a book of the match is not in the database.
absl::Status CheckMatchBooks(RunStore& rows, const RunSpec& spec);

// Games of a match in play, and results of the finished ones: a book::Series whose games are slots.
// A repeated game has the same seed; the first result counts. With deterministic engines a match
// thus has the same result wherever its games were played.
//
// A game whose slot failed `attempts` times voids its pair, as a fault does, since the game itself
// may crash workers. If all failures are one worker's, that worker may be to blame, and the series
// is told. Pure; guarded by the owner's mutex.
class MatchState {
 public:
  // Starts from the games already played.
  MatchState(const RunSpec& spec, int attempts, const std::vector<book::PlayedGame>& played);

  const book::Series& series() const { return series_; }
  bool over() const { return series_.state() != book::Series::State::kPlaying; }
  // Number of games that Next would give.
  uint64_t Available() const { return series_.Available(); }

  // Fills in the slot's game; false if there is none to give.
  bool Next(Slot& slot);
  // Takes up a slot that an earlier coordinator had granted.
  void Take(const Slot& slot);
  // Returns a slot that will not be played. `failed`: its lease, if the game may be to blame.
  void GiveBack(const Slot& slot, const std::optional<LineFailure>& failed);
  // Records the slot's committed game or fault.
  void Done(const Slot& slot, const GameRow& row);

  // Ends a match in which too many pairs are void once one worker's failures count in full.
  void GiveUp();
  // Restores a match that ended as void before the restart.
  void EndAsVoid() { series_.EndAsVoid(); }

  // BeginRebuild starts a re-read of the match; Adopt installs `played` and adds trusted games
  // committed meanwhile. Games still in play stay so.
  void BeginRebuild() { tail_.emplace(); }
  void Adopt(std::vector<book::PlayedGame> played, const Trust& trust);

 private:
  struct TailGame {
    book::PlayedGame played;
    std::string worker;
    LeaseId lease = 0;
  };

  const uint64_t seed_;
  const book::SeriesRules rules_;
  const uint32_t attempts_;
  book::Series series_;
  std::set<book::SeriesGame> out_;
  std::map<book::SeriesGame, std::vector<LineFailure>> failures_;
  std::optional<std::vector<TailGame>> tail_;  // since BeginRebuild
};

}  // namespace joseki::coordinator
