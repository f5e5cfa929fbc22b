#pragma once

namespace joseki {

// Units of a ply of depth. Depths are counted in fractions of a ply, because extensions and the
// realisation probability of a move cost less or more than a ply. A node with less than one ply
// left is a leaf.
inline constexpr int kPly = 32;

}  // namespace joseki
