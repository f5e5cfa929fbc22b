#pragma once

#include <cstddef>
#include <cstdint>

#include "book/graph.h"

namespace joseki::coordinator {

// Long work on a run is done in pieces; between them others get the owner's mutex.

// Limits of one piece, which takes some hundred microseconds.
struct PieceSize {
  book::EdgeId edges = 16'384;     // arms copied, or arms whose open slots are counted
  size_t games = 32;               // games added
  book::NodeId positions = 4'096;  // positions or results of searches that are judged again
  size_t late = 256;               // moves whose values have changed meanwhile
};

// Outcome of a piece: more work is left, none is, or going on has no use.
enum class Progress : uint8_t { kMore, kDone, kVoid };

}  // namespace joseki::coordinator
