#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/core/mate_result.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"
#include "engine/search/limits.h"

namespace joseki::usi {

// The reply of the engine's own book.
struct BookReply {
  Move move;
  Move ponder;  // Move(): none
  int value = 0;
  int depth = 0;
};

// The engine of one game as a user interface drives it (engine_loop.h): options, a position and
// searches. Bad input is an InvalidArgument problem and changes nothing. Called by one thread.
// Search and FindMate may run on a second one; meanwhile only SetPosition, const functions and Stop
// may be called.
class GameEngine {
 public:
  virtual ~GameEngine() = default;

  virtual const Rules& rules() const = 0;

  // The "option ..." lines, each with its newline.
  virtual std::string DeclareOptions() const = 0;
  // `remark` receives additional information for the user; unchanged if there is none.
  virtual absl::Status SetOption(std::string_view name, std::string_view value,
                                 std::string& remark) = 0;
  // Whether answers include a ponder move.
  virtual bool ponders() const = 0;
  // Number of best moves to report.
  virtual int lines() const = 0;

  // Sets the position, or keeps the previous one if a move is illegal. `start` is "startpos" or the
  // game's position text.
  virtual absl::Status SetPosition(std::string_view start,
                                   const std::vector<std::string>& moves) = 0;
  virtual Color side_to_move() const = 0;
  virtual absl::StatusOr<Move> ParseMove(std::string_view text) const = 0;
  virtual std::vector<Move> LegalMoves() const = 0;

  // Forgets the previous game.
  virtual void NewGame() = 0;
  // The game has ended; `lost`: by the engine.
  virtual void GameOver(bool lost) = 0;

  // Makes the current position the root of the next search, which for `for_mate` is a mate search.
  // Returns information for the user; empty: none.
  virtual std::string TakeRoot(bool for_mate) = 0;
  // The own book's reply at the root; nullopt: none.
  virtual std::optional<BookReply> AskBook() = 0;
  // Searches; blocks until a limit is reached or Stop is called.
  virtual SearchResult Search(const SearchLimits& limits, const SearchObserver& observer) = 0;
  // Searches a root that is a guess: the last move of the position is the expected reply. May
  // search other replies too; `on_reply` is told each before its search. Blocks until Stop.
  using ReplyObserver = std::function<void(Move reply)>;
  virtual SearchResult Ponder(const SearchLimits& limits, const SearchObserver& observer,
                              const ReplyObserver& on_reply) = 0;
  // Searches for a mate, for `ms` milliseconds; 0: until the answer is known. kUnknown from an
  // engine without such a search.
  virtual MateResult FindMate(int64_t ms) = 0;
  // Makes a running or the next search return soon. May be called by any thread. Cleared by
  // ClearStop.
  virtual void Stop() = 0;
  virtual void ClearStop() = 0;
};

}  // namespace joseki::usi
