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

// A game in the form in which engines receive it: the start, and every move since.
struct GameLine {
  std::string_view start;  // position text
  std::span<const Move> moves;
};

struct Limits {
  // One of the two is 0.
  uint64_t nodes = 0;
  uint32_t move_ms = 0;
  // Moves that must not be chosen now (the book's moves, where a line leaves the book on purpose).
  std::span<const Move> excluded;
};

struct Choice {
  enum class Kind { kMove, kResign, kDeclareWin };
  Kind kind = Kind::kMove;
  Move move;
  // Centipawns from the side to move; mates near the ends as in engine/core/value.h; kNoScore if
  // the engine gave none. Informational.
  int score = 0;
  uint64_t nodes = 0;
  uint32_t depth = 0;  // reached by the search; 0: not reported
  std::string words;   // the engine's text, if it names no move
};

// A chooser of moves: the only abstraction of "an engine". Players are not trusted: the referee
// checks every choice by the rules. One player plays one game at a time. Only Stop is thread-safe.
class Player {
 public:
  virtual ~Player() = default;

  // Starts the engine, if it is a process that does not run; may take long. Cancelled: Stop was
  // called. NewGame starts it as well.
  virtual absl::Status Start() { return absl::OkStatus(); }

  // Forgets the previous game; blocks until ready. Unavailable if the engine is gone.
  virtual absl::Status NewGame(uint64_t seed) = 0;

  // Blocks until a move is chosen. Unavailable: the engine is gone (kCrash). DeadlineExceeded: it
  // does not answer (kStall). Cancelled: Stop was called.
  virtual absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) = 0;

  // Processor time of the engine so far, if it is a live process of its own. nullopt: it runs on
  // the caller's thread, or there is no process now.
  virtual std::optional<absl::Duration> EngineTime() const { return std::nullopt; }

  // Makes a running Start or Choose return soon. Does not block; callable from any thread.
  virtual void Stop() = 0;
};

}  // namespace joseki::worker
