#pragma once

#include <array>
#include <optional>

#include "engine/core/bitboard.h"
#include "engine/core/types.h"
#include "engine/shogi/check_squares.h"
#include "engine/shogi/position.h"

// Purposes of moves, as two programs have them. Their authors describe the classes by a word or
// two; how each is recognised here is ours. All ask a lot of a position and are slow.
namespace joseki::shogi {

// YSS's 31 groups, in the order in which it generates and searches them (H. Yamashita). Never here,
// because another group is asked for the same moves before: 8 and 23; 29 and 30 are 28 and 5 or 14
// at another distance from the root. Drops that no group wants are with 31. `last`: the move
// before, or none. REQUIRES: `move` is legal.
inline constexpr int kYssGroups = 31;
int YssGroupOf(const Position& position, Move move, Move last);

// YSS's groups for all moves of a position, asked round by round as its generators come. Captures
// and promotions (groups below 4) come first, then checks and flights (below 7), then the rest. A
// round finds what it needs of the position when it begins; a node that is cut before has not paid
// for it.
class YssGroups {
 public:
  static constexpr std::array<int, 3> kRounds = {4, 7, kYssGroups + 1};

  YssGroups(const Position& position, Move last) : position_(position), last_(last) {}

  // The group of a legal move where that is less than `below`; `below` otherwise.
  int Of(Move move, int below = kRounds.back());

 private:
  const Position& position_;
  const Move last_;
  std::optional<CheckSquares> checks_;
  std::optional<Square> dearest_;  // piece of ours that is threatened, or kNoSquare
  std::optional<Bitboard> pinned_;
};

// Whether YSS generates the group in a node that is so many plies from the root's side of it (1:
// the root) with so many left.
bool YssGroupBelongs(const Position& position, int group, int distance, int plies_left);

// The 21 categories of TACOS by which J. Hashimoto counts effective killers, 1 to 21. A move of a
// category that is left out is among the later ones. Their meanings are in a book that we do not
// have: 9 (interposition, which no source tells apart from 11 and 12), 14 (disturbs the best move
// of the other side), 15 (tesuji), 20 (raises the value of its square). REQUIRES: `move` is legal.
inline constexpr int kTacosCategories = 21;
int TacosCategoryOf(const Position& position, Move move, Move last);

}  // namespace joseki::shogi
