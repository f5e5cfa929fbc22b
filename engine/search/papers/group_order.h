#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/core/game.h"
#include "engine/search/move_hints.h"

namespace joseki {

// YSS's order: all moves by the game's groups, the moves of one group as they were generated. If
// the hints say so, the most important moves of a group come first, and those beyond its limit are
// left out. Groups are found round by round, only as far as needed.
template <Game G>
class GroupOrder {
 public:
  GroupOrder(const typename G::Position& pos, const MoveHints& hints)
      : groups_(pos, hints.last), hints_(hints) {}

  // The next move; Move() after the last one. `moves` are the same in every call; `group_of` has a
  // place for each, which begins at zero and is kept in between.
  Move Next(std::span<const Move> moves, std::span<int32_t> group_of) {
    for (; group_ < G::Groups::kRounds.back(); ++group_, next_ = 0, given_ = 0) {
      if (group_ >= known_) FindGroups(moves, group_of);
      if (hints_.group_plies > 0) {
        if (const Move move = NextImportant(moves, group_of)) return move;
        continue;
      }
      while (next_ < moves.size()) {
        const size_t i = next_++;
        if (group_of[i] == group_) return moves[i];
      }
    }
    return Move();
  }

  // The group of the last move.
  int group() const { return group_; }

 private:
  static constexpr int kHinted = 4;            // YSS's regret moves; here whatever the hints know
  static constexpr int32_t kDone = -1;         // in place of a group: the move has had its turn
  static constexpr int32_t kRanked = 1 << 10;  // above all groups; times 1 + importance: ranked

  void FindGroups(std::span<const Move> moves, std::span<int32_t> group_of) {
    const int below =
        *std::upper_bound(G::Groups::kRounds.begin(), G::Groups::kRounds.end(), group_);
    for (size_t i = 0; i < moves.size(); ++i) {
      int32_t& group = group_of[i];
      if (group < known_) continue;
      group = groups_.Of(moves[i], below);
      if (group > kHinted && below > kHinted && IsLate(moves[i])) group = kHinted;
    }
    known_ = below;
  }

  // The most important move of this group that has not had its turn; Move() if there is none, or if
  // the group has had as many as it may.
  Move NextImportant(std::span<const Move> moves, std::span<int32_t> group_of) {
    if (given_ == 0) Rank(moves, group_of);
    size_t best = moves.size();
    for (size_t i = 0; i < moves.size(); ++i) {
      if (group_of[i] < kRanked) continue;
      if (best == moves.size() || group_of[i] > group_of[best]) best = i;
    }
    if (best == moves.size()) return Move();
    if (given_ >= groups_.MostOf(group_, hints_.group_plies)) {
      for (int32_t& group : group_of) group = group >= kRanked ? kDone : group;
      return Move();
    }
    ++given_;
    group_of[best] = kDone;
    return moves[best];
  }

  void Rank(std::span<const Move> moves, std::span<int32_t> group_of) {
    for (size_t i = 0; i < moves.size(); ++i) {
      if (group_of[i] != group_) continue;
      group_of[i] = kRanked * (1 + groups_.ImportanceOf(moves[i], group_));
    }
  }
  bool IsLate(Move move) const {
    const Move* end = hints_.late + hints_.late_count;
    return std::find(hints_.late, end, move) != end;
  }

  typename G::Groups groups_;
  const MoveHints& hints_;
  int known_ = 0;  // groups below it have all their moves
  int group_ = 0;
  int given_ = 0;  // moves of the group that have had their turn
  size_t next_ = 0;
};

}  // namespace joseki
