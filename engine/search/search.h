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

// Iterative-deepening alpha-beta search over a game, single-threaded unless SetThreads says
// otherwise. With one thread and a node limit, equal sequences of calls since NewGame give equal
// results on every machine. Defined in search_inl.h; each game's file instantiates it.
template <Game G>
class Search {
 public:
  // `tt_bytes` of transposition table, rounded down to a power of two of clusters.
  explicit Search(size_t tt_bytes);
  ~Search();

  // Clears the table and all histories.
  void NewGame();
  void ResizeTable(size_t tt_bytes);
  // Sets options for subsequent searches. The table keeps entries made under other options, so
  // reproducible games begin with NewGame.
  void SetOptions(const SearchOptions& options);
  // Counts since NewGame. Not while a search runs.
  const Counts& counts() const;
  // The evaluator of subsequent searches. Not while a search runs. As with SetOptions, the table
  // keeps entries of other evaluators.
  typename G::Evaluator& evaluator();
  // Starts counting the quality of killers from zero in subsequent searches, or stops it. Not while
  // a search runs.
  void CountKillers(bool counts);
  // The killers' counts. REQUIRES: CountKillers(true).
  const KillerRates& killer_rates() const;

  // Adds the bonuses of `favours`, which must outlive the searches, near the root of subsequent
  // searches. Their scores include the bonuses; the table's entries do not. Null: none.
  void SetFavours(const Favours<G>* favours);
  // Makes subsequent searches try the moves of `alike`, which must outlive them, before other quiet
  // moves. Null: none.
  void SetAlike(const AlikeMoves<G>* alike);

  // Makes the table count into `statistics`, which must outlive the searches; null stops it. Only
  // with one thread.
  void CountTableIn(TableStatistics* statistics);
  // Sets the number of threads: the calling one, which decides, and helpers that fill its table.
  // With several threads searches are not reproducible, and a node limit applies to the calling
  // thread only. A change between one thread and several clears the table.
  void SetThreads(int threads);

  // Searches; `position` includes its game history, for repetitions. Blocks until a limit is
  // reached or Stop is called.
  SearchResult Run(const typename G::Position& position, const SearchLimits& limits,
                   const SearchObserver& observer = nullptr);

  // Makes a running or the next Run return soon. May be called by any thread. Cleared by ClearStop.
  void Stop();
  void ClearStop();
  // Whether Stop was called since ClearStop. By any thread.
  bool stopping() const;

 private:
  class Threads;  // the threads of a search
  class Root;     // one thread's iterations over the root's moves
  class Tree;     // one thread's nodes
  struct Papers;  // techniques of nodes that are off by default

  std::unique_ptr<Threads> threads_;
};

}  // namespace joseki
