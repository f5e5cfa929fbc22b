#pragma once

#include <cstdint>

namespace joseki {

__extension__ using Uint128 = unsigned __int128;

// A seeded generator (SplitMix64): 64 bits of state, every seed good, equal results on every
// machine. There is no global randomness: code that needs random numbers takes an Rng as an
// argument.
class Rng {
 public:
  explicit constexpr Rng(uint64_t seed) : state_(seed) {}

  constexpr uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound); 0 for bound 0. The bias is below 2^-32 for bounds below 2^32.
  constexpr uint64_t Below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<Uint128>(Next()) * bound) >> 64);
  }

  // Uniform in [0, 1).
  constexpr double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  // An independent stream named by `label`; this generator does not advance.
  constexpr Rng Split(uint64_t label) const {
    Rng child(state_ ^ (label * 0xd1342543de82ef95u + 0x2545f4914f6cdd1du));
    child.Next();
    return Rng(child.Next());
  }

 private:
  uint64_t state_;
};

}  // namespace joseki
