#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/core/types.h"
#include "engine/core/value.h"

namespace joseki::search_internal {

// A root move with the results of the current iteration.
struct RootMove {
  Move move;
  Value value = -kValueInfinite;
  uint64_t nodes = 0;    // below it, in this iteration
  Value bonus = 0;       // bonus on its value as the first move of a line
  bool doubted = false;  // a refuting mate was searched for
  int mated_in = 0;      // plies, this move included, of the mate found against it; 0: none
};

// The moves that the root may choose from, in the order in which they are searched. An iteration
// that looks for several lines leaves the moves of those that it has found at the front.
class RootMoves {
 public:
  void Clear() {
    moves_.clear();
    found_ = 0;
  }
  void Add(Move move, Value bonus) { moves_.push_back({.move = move, .bonus = bonus}); }

  // Forgets the results of the iteration before.
  void BeginIteration() {
    for (RootMove& root : moves_) {
      root.value = -kValueInfinite;
      root.nodes = 0;
    }
  }

  std::span<RootMove> all() { return moves_; }
  std::span<const RootMove> all() const { return moves_; }
  // Moves without a line yet; number of lines found.
  std::span<RootMove> left() { return all().subspan(found_); }
  size_t found() const { return found_; }
  void SetFound(size_t lines) { found_ = lines; }

  // Insertion sort by value, stable, as most values are equal (minus infinity).
  void SortLeft() {
    const std::span<RootMove> moves = left();
    for (size_t i = 1; i < moves.size(); ++i) {
      const RootMove root = moves[i];
      size_t j = i;
      for (; j > 0 && moves[j - 1].value < root.value; --j) moves[j] = moves[j - 1];
      moves[j] = root;
    }
  }
  // Sorts the moves from `first` on by their places, each computed once.
  template <typename Place>
  void SortByPlace(size_t first, Place&& place) {
    const std::span<RootMove> moves = all().subspan(std::min(first, moves_.size()));
    std::vector<std::pair<int, RootMove>> placed;
    for (const RootMove& root : moves) placed.emplace_back(place(root.move), root);
    std::stable_sort(placed.begin(), placed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::transform(placed.begin(), placed.end(), moves.begin(),
                   [](const auto& p) { return p.second; });
  }
  void MoveToFront(Move move) {
    const auto known = std::find_if(moves_.begin(), moves_.end(),
                                    [&](const RootMove& root) { return root.move == move; });
    if (known != moves_.end()) std::rotate(moves_.begin(), known, known + 1);
  }

 private:
  std::vector<RootMove> moves_;
  size_t found_ = 0;
};

}  // namespace joseki::search_internal
