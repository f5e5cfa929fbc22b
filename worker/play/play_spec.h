#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "book/play_spec.h"
#include "engine/core/types.h"

// The description of a game as plain values: its rules and limits, and the work of one slot.
// Workers receive them from their coordinator; matches and expansion make their own.
namespace joseki::worker {

struct EngineIdentity {
  std::string id;
  std::string name;
  uint64_t signature = 0;
  std::string weights_sha256;
  std::string build;
  std::string game;  // the game that it plays; empty: any
};

// The coordinator's own type (book/play_spec.h).
using Opponent = book::Opponent;
using BookUse = book::BookUse;
using PlaySpec = book::PlaySpec;

// The work of a slot. Values are those of the wire.
enum class SlotKind : uint8_t {
  kGame = 0,
  kEvaluation = 1,  // one search of the position at the end of the line
  kMatch = 2,       // a game of a match, where both sides play from their books
  kReply = 3,       // the opponent's move at the end of a line that it plays by its own searches
  kTrial = 4,       // a game from the end of the line that stops after a number of plies
};

// A piece of work. With its run's PlaySpec it determines the result bit for bit.
struct Slot {
  uint32_t slot = 0;
  std::string start;
  std::vector<Move> line;
  std::vector<Move> excluded;
  uint64_t seed = 0;
  uint32_t weights_version = 0;   // the weights by which the book answers on re-entry
  std::optional<Color> own = {};  // against an opponent, the side of the run's book
  SlotKind kind = SlotKind::kGame;
  uint64_t nodes = 0;          // of each search of an evaluation or a reply
  uint32_t searched_from = 0;  // of a reply: the ply of the line from which the opponent had no
                               // book
  uint32_t plies = 0;          // of a trial: number of plies after the line
};

}  // namespace joseki::worker
