#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/formats/yaneuraou_db.h"
#include "book/graph.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"

namespace joseki::cli {

struct ExpansionOptions {
  uint64_t nodes = 2000;  // of each search
  int plies = 10;         // positions fewer plies than this from the start
  int width = 1;          // moves asked of the engine at each position
  int margin = 150;       // centipawns below its best at which a further move is not taken
};

// Asks an engine for its own moves at the positions that lines of the book reach from the start,
// nearest first. These are positions of the book, and those to which a book move leaves it. The
// first search at a position is free; each further one excludes the moves named before.
// Returns the engine's moves as positions of an engine's book (value in centipawns, count 0),
// whether the book has them or not. The moves of one call open no new positions; a second call on
// the grown book goes one ply further.
//
// `stops` receives the numbers of positions done and known so far; if it is true, the others are
// left out.
absl::StatusOr<std::vector<book::DbPosition>> Expand(
    const book::Graph& graph, const Rules& rules, worker::Player& player,
    const ExpansionOptions& options, const std::function<bool(size_t done, size_t known)>& stops);

}  // namespace joseki::cli
