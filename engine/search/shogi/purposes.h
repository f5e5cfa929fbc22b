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

// YSS's 31 groups, in the order in which it generates and searches them (H. Yamashita). Group 23 is
// a pawn dropped before the piece that moved last. All its moves belong to 19, a pawn dropped
// before any piece, which comes first. Drops without a group, which YSS does not generate, come
// last.
inline constexpr int kYssGroups = 31;
inline constexpr int kNoYssGroup = kYssGroups + 1;

// `last`: the move before, or Move(). The root has no groups 26 to 28: their moves belong to 29,
// their drops to none. REQUIRES: `move` is legal.
int YssGroupOf(const Position& position, Move move, Move last, bool at_root = false);

// YSS's groups for all moves of a position, requested in rounds as its generators come. Captures
// and promotions (groups below 4) come first, then checks and flights (below 7), then the rest. A
// round computes its facts of the position when it begins, so a node that is cut earlier does not
// pay for them.
class YssGroups {
 public:
  static constexpr std::array<int, 3> kRounds = {4, 7, kNoYssGroup + 1};

  YssGroups(const Position& position, Move last, bool at_root = false)
      : position_(position), last_(last), at_root_(at_root) {}

  // The group of a legal move if it is less than `below`; otherwise `below`.
  int Of(Move move, int below = kRounds.back());

  // Importance of a move within its group: 0 or more, the highest first. Threats are in YSS's
  // order: forks by the cheapest piece, then single targets from the most valuable, moves before
  // drops. Before them comes a pawn dropped before a rook or bishop, after them a gold or silver
  // dropped there. Captures and promotions are ordered by gain (ours). A flight is played, and what
  // the other side can then win counts against it. In other groups all moves are equal.
  int ImportanceOf(Move move, int group);

  // Number of moves of a group that YSS keeps with `plies_left` plies left. It keeps five threats
  // from four plies on, and fifteen pawn drops. From three plies on it keeps five flights of a rook
  // or bishop, four of a gold or silver, three of others. Of other groups it keeps all, as it
  // prints no number.
  int MostOf(int group, int plies_left);

 private:
  bool DiscoversCheck(Move move);
  int LosingGroup(Move move, int group, int below);
  Square Dearest();

  const Position& position_;
  const Move last_;
  const bool at_root_;
  std::optional<CheckSquares> checks_;
  std::optional<Square> dearest_;  // square of our threatened piece, or kNoSquare
  std::optional<Bitboard> pinned_;
};

// Whether YSS generates the group in a node at `distance` from the root (1: the root) with
// `plies_left` plies left.
bool YssGroupBelongs(const Position& position, int group, int distance, int plies_left);

// The 21 categories of TACOS by which J. Hashimoto counts effective killers, 1 to 21. Moves of
// omitted categories fall into later ones. A book that we do not have defines the omitted ones.
// They are 9 (interposition, which no source distinguishes from 11 and 12) and 14 (disturbs the
// other side's best move). The others are 15 (tesuji) and 20 (raises the value of its square).
// REQUIRES: `move` is legal.
inline constexpr int kTacosCategories = 21;
int TacosCategoryOf(const Position& position, Move move, Move last);

}  // namespace joseki::shogi
