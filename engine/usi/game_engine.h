#pragma once

#include <cstdint>
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

// What a book of the engine's own plays.
struct BookReply {
  Move move;
  Move ponder;  // Move() for none
  int value = 0;
  int depth = 0;
};

// The engine of one game as a user interface drives it (engine_loop.h): options, a position, and
// searches. Bad input is an InvalidArgument problem and changes nothing. One thread calls it;
// Search and FindMate may run on another meanwhile, but then nothing else is called than
// SetPosition, what only asks, and Stop.
class GameEngine {
 public:
  virtual ~GameEngine() = default;

  virtual const Rules& rules() const = 0;

  // The "option ..." lines, each with its newline.
  virtual std::string DeclareOptions() const = 0;
  // `remark`: what the user is to be told of it besides; left alone if there is nothing.
  virtual absl::Status SetOption(std::string_view name, std::string_view value,
                                 std::string& remark) = 0;
  // Whether an answer names a move to ponder on.
  virtual bool ponders() const = 0;
  // Best moves that are told apart.
  virtual int lines() const = 0;

  // All or nothing: after an illegal move the position is the one before. `start` is "startpos" or
  // the game's position text.
  virtual absl::Status SetPosition(std::string_view start,
                                   const std::vector<std::string>& moves) = 0;
  virtual Color side_to_move() const = 0;
  virtual absl::StatusOr<Move> ParseMove(std::string_view text) const = 0;
  virtual std::vector<Move> LegalMoves() const = 0;

  // Forgets the game before.
  virtual void NewGame() = 0;

  // The position of now is the root of what follows, which may be a search for mates alone. What
  // the user is to be told of it; empty for nothing.
  virtual std::string TakeRoot(bool for_mate) = 0;
  // What its own book has for the root, nullopt for nothing.
  virtual std::optional<BookReply> AskBook() = 0;
  // Blocks until a limit is reached or Stop is called.
  virtual SearchResult Search(const SearchLimits& limits, const SearchObserver& observer) = 0;
  // The same, for mates alone; `ms` 0: until it is known. kUnknown from an engine that has no such
  // search.
  virtual MateResult FindMate(int64_t ms) = 0;
  // Makes a running or the next search return soon; any thread. Cleared by ClearStop.
  virtual void Stop() = 0;
  virtual void ClearStop() = 0;
};

}  // namespace joseki::usi
