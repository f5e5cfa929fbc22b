#pragma once

namespace joseki {

// One ply of depth. Depths are counted in fractions of it, because extensions and the realisation
// probability of a move cost less or more than a ply. A node with less than one ply left is a leaf.
inline constexpr int kPly = 32;

}  // namespace joseki
