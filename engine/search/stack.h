#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/search/node.h"

namespace joseki::search_internal {

// The line from the root to the present node, a frame for each ply, and the best lines found below
// its nodes (a triangular table).
class Stack {
 public:
  static constexpr int kBefore = 3;  // frames before the root's, so that the root has ancestors

  void Clear() { std::fill(std::begin(frames_), std::end(frames_), Frame()); }

  Frame& operator[](int ply) { return frames_[ply + kBefore]; }
  const Frame& operator[](int ply) const { return frames_[ply + kBefore]; }

  // Enters the node of the position `key`: its value depends on nothing yet, and it has no line.
  Frame& Enter(int ply, const Key& key) {
    Frame& frame = (*this)[ply];
    frame.key = key;
    frame.depends = kIndependent;
    ClearLine(ply);
    seldepth_ = std::max(seldepth_, ply);
    return frame;
  }

  // A repetition ends the line at `ply`: its value depends on the same position on the path, or
  // before the root.
  void DependOnRepetition(int ply) {
    Frame& frame = (*this)[ply];
    frame.depends = -1;
    for (int earlier = ply - 2; earlier >= 0; earlier -= 2) {
      if ((*this)[earlier].key == frame.key) {
        frame.depends = earlier;
        break;
      }
    }
  }

  // The best line from `ply` on, which was entered. RecordLine sets it to `move` followed by the
  // child's, RecordLastMove to `move` alone.
  std::span<const Move> Line(int ply) const {
    return {lines_[ply] + ply, static_cast<size_t>(ends_[ply] - ply)};
  }
  void ClearLine(int ply) { ends_[ply] = ply; }
  void RecordLine(int ply, Move move) {
    lines_[ply][ply] = move;
    const int end = std::max(ends_[ply + 1], ply + 1);
    std::copy(lines_[ply + 1] + ply + 1, lines_[ply + 1] + end, lines_[ply] + ply + 1);
    ends_[ply] = end;
  }
  void RecordLastMove(int ply, Move move) {
    lines_[ply][ply] = move;
    ends_[ply] = ply + 1;
  }

  // The longest line since it was last reset.
  int seldepth() const { return seldepth_; }
  void ResetSeldepth() { seldepth_ = 0; }

 private:
  Frame frames_[kMaxPly + kBefore + 1];
  Move lines_[kMaxPly + 1][kMaxPly + 1];
  int ends_[kMaxPly + 1] = {};
  int seldepth_ = 0;
};

}  // namespace joseki::search_internal
