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

// Iterative-deepening alpha-beta over a game, by one thread unless SetThreads says otherwise. With
// one thread and a node limit, equal calls since NewGame give equal results on every machine: time,
// addresses and processor decide nothing. Defined in search_inl.h; each game's file instantiates
// it.
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
  // Sets options for the searches that begin from now on. The table keeps entries of other options:
  // games that are to be the same begin with NewGame.
  void SetOptions(const SearchOptions& options);
  // Counts since NewGame. Not while a search runs.
  const Counts& counts() const;
  // The evaluator of the searches that begin from now on. Not while a search runs; as for
  // SetOptions, the table keeps entries of others.
  typename G::Evaluator& evaluator();
  // Makes the searches count from now on how good killers are, from zero, or stops them. Not while
  // a search runs.
  void CountKillers(bool counts);
  // The killers' counts. REQUIRES: CountKillers(true).
  const KillerRates& killer_rates() const;

  // Makes later searches add the bonuses of `favours`, which must outlive them, near the root;
  // their scores contain them. The table keeps entries without. Null: none.
  void SetFavours(const Favours<G>* favours);
  // Makes later searches try the moves of `alike`, which must outlive them, before other quiet
  // moves. Null: none.
  void SetAlike(const AlikeMoves<G>* alike);

  // Makes the table count in `statistics`, which must outlive the searches; null: no more. Not with
  // several threads.
  void CountTableIn(TableStatistics* statistics);
  // Sets the number of threads: this one, which decides, and others that fill its table. With more
  // than one, no search is like another, and a node limit is that of this thread alone. Another
  // number than before clears the table.
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
