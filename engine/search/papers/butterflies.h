#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace joseki {

// Butterfly boards (D. Hartmann 1988): how often a quiet move was tried, whatever came of it,
// beside how often it refuted. The quotient, the relative history, does not favour moves that are
// merely common. Moves are known by codes below the count given at construction.
class Butterflies {
 public:
  static constexpr int kMost = 4096;  // the score of a move that has always refuted

  explicit Butterflies(size_t codes) : codes_(codes), boards_(std::make_unique<Board[]>(codes)) {}

  void Clear() { std::fill_n(boards_.get(), codes_, Board()); }

  // Counts a move that a node tried; `weight` is 1 or more. `refuted`: it cut the node.
  void Tried(size_t code, int weight, bool refuted) {
    Board& board = boards_[code];
    board.tried += static_cast<uint64_t>(weight);
    if (refuted) board.refuted += static_cast<uint64_t>(weight);
  }

  // 0 to kMost; 0 for a move that was never tried.
  int Of(size_t code) const {
    const Board& board = boards_[code];
    if (board.tried == 0) return 0;
    return static_cast<int>(board.refuted * kMost / board.tried);
  }

 private:
  struct Board {
    uint64_t tried = 0;
    uint64_t refuted = 0;
  };

  size_t codes_;
  std::unique_ptr<Board[]> boards_;
};

}  // namespace joseki
