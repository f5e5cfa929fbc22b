#pragma once

namespace joseki {

// A search value in centipawn-like units, for the side to move; mates are near the ends of the
// range.
using Value = int;

inline constexpr Value kValueZero = 0;
inline constexpr Value kValueInfinite = 32001;
inline constexpr Value kValueMate = 32000;
inline constexpr Value kValueNone = 32002;
inline constexpr int kMaxPly = 128;  // depth bound of the search tree, not of a game
inline constexpr Value kValueMateInMaxPly = kValueMate - kMaxPly;

// Values of being mated and of mating after `ply` plies, for the side to move.
constexpr Value MatedIn(int ply) { return -kValueMate + ply; }
constexpr Value MateIn(int ply) { return kValueMate - ply; }
constexpr bool IsMate(Value v) { return v >= kValueMateInMaxPly || v <= -kValueMateInMaxPly; }

}  // namespace joseki
