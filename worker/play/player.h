#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "engine/core/types.h"

namespace joseki::worker {

// A game as the protocol line of an engine carries it: where it began and every move since.
struct GameLine {
  std::string_view start;  // position text
  std::span<const Move> moves;
};

struct Limits {
  // One of them is 0.
  uint64_t nodes = 0;
  uint32_t move_ms = 0;
  // Moves that must not be chosen now (the book's moves where a line leaves it on purpose).
  std::span<const Move> excluded;
};

struct Choice {
  enum class Kind { kMove, kResign, kDeclareWin };
  Kind kind = Kind::kMove;
  Move move;
  // Centipawns from the side to move, mates near the ends as in engine/core/value.h; kNoScore where
  // the engine gave none. Informational.
  int score = 0;
  uint64_t nodes = 0;
  uint32_t depth = 0;  // that the search reached; 0 where the engine did not tell
  std::string words;   // what the engine said, where that names no move
};

// Chooses moves: the only place where "an engine" is abstract. It is not trusted: the referee
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

  // Processor time that the engine has used so far, where it is a process of its own that lives;
  // nullopt: it runs on the thread that calls Choose, or there is none now.
  virtual std::optional<absl::Duration> EngineTime() const { return std::nullopt; }

  // Makes a running Choose return soon. Does not block; any thread.
  virtual void Stop() = 0;
};

}  // namespace joseki::worker
