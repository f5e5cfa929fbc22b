#pragma once

#include <cassert>

#include "engine/core/types.h"

namespace joseki {

// Up to N moves without heap allocation, with spare room for generators that write in blocks. The
// array is uninitialised: only added elements may be read.
template <int N>
class FixedMoveList {
 public:
  static constexpr int kCapacity = N;
  static constexpr int kOverrun = 16;

  FixedMoveList() {}  // NOLINT: the array stays uninitialised on purpose

  void Add(Move move) {
    assert(size_ < N);
    moves_[size_++] = move;
  }
  void Clear() { size_ = 0; }
  // For generators that write through a pointer from end(): takes over the elements up to `end`. Up
  // to kOverrun elements beyond it may have been overwritten.
  void SetEnd(const Move* end) {
    size_ = static_cast<int>(end - moves_);
    assert(size_ <= N);
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[i]; }
  Move& operator[](int i) { return moves_[i]; }
  const Move* begin() const { return moves_; }
  const Move* end() const { return moves_ + size_; }
  Move* begin() { return moves_; }
  Move* end() { return moves_ + size_; }

 private:
  // A union keeps Move's initialiser from running N times for every list.
  union {
    Move moves_[N + kOverrun];
  };
  int size_ = 0;
};

}  // namespace joseki
