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

// One session with a user interface in USI, UCI or UCCI. Reads lines, searches on a thread of its
// own so that "stop" is always handled, and writes replies. The first protocol name chooses the
// engine; a later one restarts the session with another. Bad input is answered with a remark and
// changes nothing; "go" after a position that was refused, and a refused "go", have no move as
// their answer. Used by one thread.
class EngineLoop {
 public:
  // Makes the engine for a protocol; never null.
  using EngineMaker = std::function<std::unique_ptr<GameEngine>(const Protocol& protocol)>;

  EngineLoop(std::istream& in, std::ostream& out, EngineMaker make);
  ~EngineLoop();

  // Runs until "quit" or the end of the input. At the end of the input a search with a limit is
  // finished and answers; one without is stopped and answers.
  void Run();

 private:
  using WordList = std::vector<std::string_view>;

  // Returns false on "quit".
  bool Handle(std::string_view line);
  // Makes the engine if the protocol is new to the session.
  void Speak(const Protocol& protocol);
  void DeclareEngine();
  absl::Status SetOption(const WordList& words);
  // Sets an option that belongs to the protocol rather than an engine; false for any other option.
  absl::StatusOr<bool> SetProtocolOption(const OptionCommand& command);
  absl::Status SetPosition(const WordList& words);
  absl::Status BanMoves(const WordList& words);
  absl::Status Go(const WordList& words);
  // Answers a refused "go": a GUI that gets no answer waits for ever.
  void AnswerNothing(const WordList& words);
  absl::Status NewGame();
  void PonderHit();

  // Answers from the book, if it has a move and `go` allows one.
  bool PlayFromBook(const GoCommand& go);
  void StartSearch(const GoCommand& go);
  // Starts a mate search at the root. REQUIRES: searcher_ is joined.
  void StartMate(const GoCommand& go);
  // Sets the state shared with the search thread. `held`: bestmove must wait for a command.
  void BeginSearching(bool held);
  // Ends a running search; `answer`: print its bestmove. Blocks until the search thread has ended.
  void EndSearch(bool answer);
  bool searching();
  absl::Status RefuseWhileSearching(std::string_view what);

  // A move as the GUI writes it, which may count ranks differently.
  std::string Written(Move move) const;
  std::vector<std::string> Heard(std::vector<std::string> moves) const;

  void Say(std::string_view line);
  void Remark(std::string_view text);
  void Report(const absl::Status& status);

  std::istream& in_;
  const EngineMaker make_;

  // Used by the reading thread only.
  const Protocol* protocol_ = nullptr;
  // Null until a protocol is named. searcher_ runs its searches.
  std::unique_ptr<GameEngine> engine_;
  bool ranks_from_one_ = false;
  bool refused_ = false;      // the last position: the engine still has the one before
  std::vector<Move> banned_;  // at the current position
  std::thread searcher_;
  // Parameters of the current or last search; constant while it runs.
  GoCommand go_;
  Color root_mover_ = Color::kFirst;
  std::vector<Move> excluded_;  // root moves that the search may not choose

  // State shared by the two threads, and the output; guarded by mutex_.
  std::mutex mutex_;
  std::condition_variable released_;
  std::ostream& out_;
  bool searching_ = false;
  bool held_ = false;    // under "infinite" and "ponder" bestmove must wait for a command
  bool silent_ = false;  // drops all further output of this search
};

}  // namespace joseki::usi
