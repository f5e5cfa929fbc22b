#pragma once

#include <array>
#include <optional>

#include "engine/core/bitboard.h"
#include "engine/core/types.h"
#include "engine/shogi/check_squares.h"
#include "engine/shogi/position.h"

// Purposes of moves in two programs. Their authors describe the classes by a word or two; the
// recognition is ours. All need much information on a position and are slow.
namespace joseki::shogi {

// YSS's 31 groups, in the order in which it generates and searches them (H. Yamashita). Some never
// occur here. 8 and 23 are preceded by another group with the same moves; 29 and 30 are 28 and 5 or
// 14 at another distance from the root. Drops without a group belong to 31. `last`: the move
// before, or Move(). REQUIRES: `move` is legal.
inline constexpr int kYssGroups = 31;
int YssGroupOf(const Position& position, Move move, Move last);

// YSS's groups for all moves of a position, requested in rounds as its generators come. Captures
// and promotions (groups below 4) come first, then checks and flights (below 7), then the rest. A
// round computes its facts of the position when it begins, so a node that is cut earlier does not
// pay for them.
class YssGroups {
 public:
  static constexpr std::array<int, 3> kRounds = {4, 7, kYssGroups + 1};

  YssGroups(const Position& position, Move last) : position_(position), last_(last) {}

  // The group of a legal move if it is less than `below`; otherwise `below`.
  int Of(Move move, int below = kRounds.back());

 private:
  const Position& position_;
  const Move last_;
  std::optional<CheckSquares> checks_;
  std::optional<Square> dearest_;  // square of our threatened piece, or kNoSquare
  std::optional<Bitboard> pinned_;
};

// Whether YSS generates the group in a node at `distance` from the root (1: the root) with
// `plies_left` plies left.
bool YssGroupBelongs(const Position& position, int group, int distance, int plies_left);

// The 21 categories of TACOS by which J. Hashimoto counts effective killers, 1 to 21. Moves of
// omitted categories fall into later ones. A book that we do not have defines the omitted ones: 9
// (interposition, which no source distinguishes from 11 and 12), 14 (disturbs the other side's best
// move), 15 (tesuji), 20 (raises the value of its square). REQUIRES: `move` is legal.
inline constexpr int kTacosCategories = 21;
int TacosCategoryOf(const Position& position, Move move, Move last);

}  // namespace joseki::shogi
