#pragma once

#include <condition_variable>
#include <functional>
#include <iosfwd>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/usi/game_engine.h"
#include "engine/usi/usi_text.h"

namespace joseki::usi {

// One user interface that talks USI, UCI or UCCI: reads lines, searches on a thread of its own so
// that "stop" is always heard, and writes replies. The name of the protocol, said first, chooses
// the engine; said later it begins anew with another. Bad input is answered with a remark and
// changes nothing. Used by one thread.
class EngineLoop {
 public:
  // The engine for who speaks a protocol; never null.
  using EngineMaker = std::function<std::unique_ptr<GameEngine>(const Protocol& protocol)>;

  EngineLoop(std::istream& in, std::ostream& out, EngineMaker make);
  ~EngineLoop();

  // Until "quit", or the end of the input: then a search with a limit still comes to its end and
  // answers; one without is stopped and answers.
  void Run();

 private:
  using WordList = std::vector<std::string_view>;

  // False on "quit".
  bool Handle(std::string_view line);
  // Makes the engine, if another protocol was spoken before or none.
  void Speak(const Protocol& protocol);
  void DeclareEngine();
  absl::Status SetOption(const WordList& words);
  // The options that are the protocol's and no engine's. False for another one.
  absl::StatusOr<bool> SetProtocolOption(const OptionCommand& command);
  absl::Status SetPosition(const WordList& words);
  absl::Status BanMoves(const WordList& words);
  absl::Status Go(const WordList& words);
  absl::Status NewGame();
  void PonderHit();

  // Answers from the book, if it has a move for the position and `go` wants one.
  bool PlayFromBook(const GoCommand& go);
  void StartSearch(const GoCommand& go);
  // Looks for a mate in the root. REQUIRES: searcher_ is joined.
  void StartMate(const GoCommand& go);
  // Tells the other thread's state. `held`: a bestmove must wait to be asked for.
  void BeginSearching(bool held);
  // Ends the search, if one runs; `answer`: its bestmove is wanted. Blocks until it is gone.
  void EndSearch(bool answer);
  bool searching();
  absl::Status RefuseWhileSearching(std::string_view what);

  // Moves as the GUI counts ranks, and as the rules do.
  std::string Written(Move move) const;
  std::vector<std::string> Heard(std::vector<std::string> moves) const;

  void Say(std::string_view line);
  void Remark(std::string_view text);
  void Report(const absl::Status& status);

  std::istream& in_;
  const EngineMaker make_;

  // Owned by the reading thread.
  const Protocol* protocol_ = nullptr;
  // Null until the first word. A search of it belongs to searcher_.
  std::unique_ptr<GameEngine> engine_;
  bool ranks_from_one_ = false;
  std::vector<Move> banned_;  // at the position of now
  std::thread searcher_;
  // Of the search that runs, or ran last; constant while it runs.
  GoCommand go_;
  Color root_mover_ = Color::kFirst;
  std::vector<Move> excluded_;  // root moves that it may not choose

  // Guarded by mutex_: what the two threads tell each other, and the output.
  std::mutex mutex_;
  std::condition_variable released_;
  std::ostream& out_;
  bool searching_ = false;
  bool held_ = false;    // under "infinite" and "ponder" a bestmove must wait to be asked for
  bool silent_ = false;  // nothing of this search is wanted any more
};

}  // namespace joseki::usi
