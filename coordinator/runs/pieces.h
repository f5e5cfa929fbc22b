#pragma once

#include <cstddef>
#include <cstdint>

#include "book/graph.h"

namespace joseki::coordinator {

// Long work on a run is done in pieces, between which others get the owner's mutex.

// What one piece does at most: some hundred microseconds.
struct PieceSize {
  book::EdgeId edges = 16'384;     // whose arms are copied or whose open slots are counted
  size_t games = 64;               // that are added
  book::NodeId positions = 4'096;  // whose evaluations are judged anew
  size_t late = 512;               // moves in which values have changed meanwhile
};

// What is left of the work after a piece: more of it, nothing, or no use in going on.
enum class Progress : uint8_t { kMore, kDone, kVoid };

}  // namespace joseki::coordinator
