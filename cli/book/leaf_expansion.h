#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "book/expanding_book.h"
#include "book/formats/position.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"

namespace joseki::cli {

struct LeafExpansionOptions {
  enum class Method { kPrincipal, kDropOut };
  Method method = Method::kPrincipal;
  uint64_t nodes = 2000;       // of each search
  int leaves = 100;            // to expand
  double per_centipawn = 0.1;  // of kDropOut: plies that a centipawn given away is worth
};

struct LeafExpansion {
  std::vector<book::DbPosition> positions;  // what the searches said, in their order
  int expanded = 0;                         // leaves
  int searches = 0;
  int root_before = 0;  // value of the start position for the side to move
  int root_after = 0;
};

// Expands `leaves` leaves of the book one after the other (book/expanding_book.h):
// - searches the position that the leaf leads to and adds its two best moves to the book;
// - adds the best move at the leaf's parent that the book lacks;
// - backs values up by minimax and chooses the next leaf.
// A leaf where the game is over is closed. Ends early where no leaf is left, or if `stops` is true
// after one.
absl::StatusOr<LeafExpansion> ExpandLeaves(const Rules& rules, book::ExpandingBook& book,
                                           worker::Player& player,
                                           const LeafExpansionOptions& options,
                                           const std::function<bool(int done, int of)>& stops);

}  // namespace joseki::cli
