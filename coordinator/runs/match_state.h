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
#include "coordinator/scheduling/trust.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// What a row of the games is to the series of its match. What each side used is not kept.
// REQUIRES: `slot`, of kind kMatch, is the game's.
book::PlayedGame PlayedGameOf(const Slot& slot, const GameRow& row);

// Why a match in this state is over, as a run's `reason`.
std::string MatchEnd(book::Series::State state);

// Every game of a match that is to count, in the order of commits; those of workers that `trust`
// excludes are left out. Nothing for a run that is no match. DataLoss where a lease is not there.
absl::StatusOr<std::vector<book::PlayedGame>> ReadMatch(RunStore& rows, const RunRow& run,
                                                        const Trust& trust);

// NotFound where a book that a match plays from was never put here.
absl::Status CheckMatchBooks(RunStore& rows, const RunSpec& spec);

// Which games of a match are out and what those that came back say: a book::Series whose games are
// slots. Whoever plays a game again plays it by the same seed: the first one that comes counts, and
// with deterministic engines a match says the same wherever its games were played.
//
// A game whose slot failed `attempts` times (its worker ended, say) voids its pair, as a fault
// does: it may be what ends the workers. Where they all were one worker's, so may that be, and the
// series is told. Pure; guarded by the owner's mutex.
class MatchState {
 public:
  // As the games given leave it.
  MatchState(const RunSpec& spec, int attempts, const std::vector<book::PlayedGame>& played);

  const book::Series& series() const { return series_; }
  bool over() const { return series_.state() != book::Series::State::kPlaying; }
  // How many games Next would give.
  uint64_t Available() const { return series_.Available(); }

  // Fills in which game the slot is; false where there is none to give.
  bool Next(Slot& slot);
  // A slot of an earlier life is being played.
  void Take(const Slot& slot);
  // The slot will not be played; `failed`: under this lease, and perhaps by fault of its game.
  void GiveBack(const Slot& slot, const std::optional<LineFailure>& failed);
  // Its game was committed, or its fault.
  void Done(const Slot& slot, const GameRow& row);

  // Too many pairs are void if what one worker broke counts in full: ends it if they are.
  void GiveUp();
  // It was ended as void in an earlier life.
  void EndAsVoid() { series_.EndAsVoid(); }

  // What counts is read anew, and then is these games; those that were committed meanwhile count
  // too, less what `trust` excludes, and those that are out are still out.
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
