#pragma once

#include "engine/core/types.h"
#include "engine/shogi/position.h"

// What moves are for, as two programs have it. Their authors describe the classes by a word or two;
// how each is recognised here is ours. All ask a lot of a position and are slow.
namespace joseki::shogi {

// YSS's 31 groups, in the order in which it generates and searches them (H. Yamashita). Never here,
// because another group is asked for the same moves before: 8 and 23; 29 and 30 are 28 and 5 or 14
// at another distance from the root. Drops that no group wants are with 31. `last`: the move
// before, or none. REQUIRES: `move` is legal.
inline constexpr int kYssGroups = 31;
int YssGroupOf(const Position& position, Move move, Move last);
// Whether YSS generates the group in a node that is so many plies from the root's side of it (1:
// the root) and has so many left.
bool YssGroupBelongs(const Position& position, int group, int distance, int plies_left);

// The 21 categories of TACOS by which J. Hashimoto counts effective killers, 1 to 21. Left out,
// that is among the later ones: 9 (interposition, told apart from 11 and 12 by nothing that is
// said), 14 (disturbs the best move of the other side), 15 (tesuji) and 20 (raises the value of its
// square), whose meanings are in a book that we do not have. REQUIRES: `move` is legal.
inline constexpr int kTacosCategories = 21;
int TacosCategoryOf(const Position& position, Move move, Move last);

}  // namespace joseki::shogi
