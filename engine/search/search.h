#pragma once

#include <cstddef>
#include <memory>

#include "engine/core/game.h"
#include "engine/search/counts.h"
#include "engine/search/limits.h"
#include "engine/search/options.h"
#include "engine/search/papers/alike.h"
#include "engine/search/papers/context_killers.h"
#include "engine/search/papers/favours.h"
#include "engine/search/tt.h"

namespace joseki {

// Iterative-deepening alpha-beta over a game, by one thread unless SetThreads
// says otherwise. By one, under a node limit, the same sequence of calls since
// NewGame gives the same results on every machine: nothing depends on time,
// addresses or the processor. Defined in search_inl.h; each game's file
// instantiates it.
template <Game G>
class Search {
 public:
  // `tt_bytes` of transposition table, rounded down to a power of two of
  // clusters.
  explicit Search(size_t tt_bytes);
  ~Search();

  // Forgets the table and all histories.
  void NewGame();
  void ResizeTable(size_t tt_bytes);
  // For the searches that begin from now on. What the table holds was found
  // under others: games that are to be the same begin with NewGame.
  void SetOptions(const SearchOptions& options);
  // Since NewGame. Not while a search runs.
  const Counts& counts() const;
  // What the searches that begin from now on evaluate with. Not while a search
  // runs; as for SetOptions, the table holds what others have found.
  typename G::Evaluator& evaluator();
  // From now on the searches count how good killers are, from zero; or count it no more. Not while
  // a search runs.
  void CountKillers(bool counts);
  // What was counted. REQUIRES: CountKillers(true).
  const KillerRates& killer_rates() const;

  // The searches that begin from now on add the bonuses of `favours`, which must outlive them, near
  // the root; their scores contain them. What the table holds was found by others. Null: none.
  void SetFavours(const Favours<G>* favours);
  // The searches that begin from now on try the moves of `alike`, which must outlive them, before
  // other quiet moves. Null: none.
  void SetAlike(const AlikeMoves<G>* alike);

  // From now on the table counts in `statistics`, which must outlive the searches; null: no more.
  // Not with several threads.
  void CountTableIn(TableStatistics* statistics);
  // So many threads search from now on: this one, which decides, and others that fill its table.
  // By more than one a search is never twice the same, and a node limit is that of this thread
  // alone. Another number than before clears the table.
  void SetThreads(int threads);

  // Searches; `position` keeps its game history, for repetitions. Blocks until
  // a limit is reached or Stop is called.
  SearchResult Run(const typename G::Position& position, const SearchLimits& limits,
                   const SearchObserver& observer = nullptr);

  // Makes a running or the next Run return soon; any thread. Cleared by
  // ClearStop.
  void Stop();
  void ClearStop();

 private:
  class Impl;
  class Papers;
  std::unique_ptr<Impl> impl_;
};

}  // namespace joseki
