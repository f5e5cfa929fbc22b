#pragma once

#include <condition_variable>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <vector>

#include "base/rng.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/mate/mate_solver.h"
#include "engine/usi/extended_book_port.h"
#include "engine/usi/options.h"
#include "engine/usi/own_book.h"
#include "engine/usi/partial_book_port.h"
#include "engine/usi/usi_text.h"

namespace joseki::usi {

// One user interface that talks USI: reads lines, searches on a thread of its own so that "stop" is
// always heard, and writes replies. Bad input is answered with an "info string" line and changes
// nothing. Used by one thread.
class UsiLoop {
 public:
  // `book`, `extended`, `partial`: what their options speak of; null: there is none.
  UsiLoop(std::istream& in, std::ostream& out, const Options& options = Options(),
          std::unique_ptr<OwnBook> book = nullptr,
          std::unique_ptr<ExtendedBookPort> extended = nullptr,
          std::unique_ptr<PartialBookPort> partial = nullptr);
  ~UsiLoop();

  // Until "quit", or the end of the input: then a search with a limit still comes to its end and
  // answers; one without is stopped and answers.
  void Run();

 private:
  using WordList = std::vector<std::string_view>;

  // False on "quit".
  bool Handle(std::string_view line);
  void DeclareEngine();
  absl::Status SetOption(const WordList& words);
  absl::Status SetPosition(const WordList& words);
  absl::Status Go(const WordList& words);
  // Takes the weights that options_ names; those before stay where they are refused.
  absl::Status UseWeights();
  absl::Status NewGame();
  void PonderHit();

  // Answers from the book, if it has a move for the position and `go` wants one.
  bool PlayFromBook(const GoCommand& go);
  void StartSearch(const GoCommand& go);
  // Looks for a mate in root_. REQUIRES: searcher_ is joined.
  void StartMate(const GoCommand& go);
  // Ends the search, if one runs; `answer`: its bestmove is wanted. Blocks until it is gone.
  void EndSearch(bool answer);
  bool searching();
  absl::Status RefuseWhileSearching(std::string_view what);

  void Say(std::string_view line);
  void Report(const absl::Status& status);

  std::istream& in_;

  // Owned by the reading thread.
  Options options_;
  shogi::Position position_;
  int ply_ = 1;  // of position_
  std::unique_ptr<OwnBook> book_;
  std::unique_ptr<ExtendedBookPort> extended_;  // searches read it
  std::unique_ptr<PartialBookPort> partial_;    // they read it too
  Rng book_chance_;
  std::thread searcher_;
  // Of the search that runs, or ran last; constant while it runs.
  GoCommand go_;
  shogi::Position root_;        // a "position" line may change position_ meanwhile
  std::vector<Move> excluded_;  // root moves that it may not choose
  // Run belongs to searcher_ while it lives; Stop to any thread.
  Search<Shogi> search_;
  std::unique_ptr<shogi::MateSolver> mate_;  // as search_; made when it is first wanted

  // Guarded by mutex_: what the two threads tell each other, and the output.
  std::mutex mutex_;
  std::condition_variable released_;
  std::ostream& out_;
  bool searching_ = false;
  bool held_ = false;    // under "infinite" and "ponder" a bestmove must wait to be asked for
  bool silent_ = false;  // nothing of this search is wanted any more
};

}  // namespace joseki::usi
