#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/core/types.h"

namespace joseki::worker {

// A game as the protocol line of an engine carries it: where it began and every move since.
struct GameLine {
  std::string_view start;  // position text
  std::span<const Move> moves;
};

struct Limits {
  uint64_t nodes = 0;
  // Moves that must not be chosen now (the book's moves where a line leaves it on purpose).
  std::span<const Move> excluded;
};

struct Choice {
  enum class Kind { kMove, kResign, kDeclareWin };
  Kind kind = Kind::kMove;
  Move move;
  int score = 0;  // centipawns from the side to move; informational
  uint64_t nodes = 0;
};

// Who chooses moves: the only place where "an engine" is abstract. Never believed: the referee
// checks every choice by the rules. One player plays one game at a time; not thread-safe but for
// Stop.
class Player {
 public:
  virtual ~Player() = default;

  // Forgets everything of the game before; blocks until ready. Unavailable if the engine is gone.
  virtual absl::Status NewGame(uint64_t seed) = 0;

  // Blocks until a choice is made. Unavailable: the engine is gone (kCrash); DeadlineExceeded: it
  // does not answer (kStall); Cancelled: Stop was called.
  virtual absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) = 0;

  // Makes a running Choose return soon. Does not block; any thread.
  virtual void Stop() = 0;
};

}  // namespace joseki::worker
