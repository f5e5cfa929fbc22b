#pragma once

namespace joseki {

// One ply of depth. Depths are counted in parts of it, because extensions and the realisation
// probability of a move spend less or more than one. A node with less than one ply left is a leaf.
inline constexpr int kPly = 32;

}  // namespace joseki
