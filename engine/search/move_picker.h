#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "engine/core/game.h"
#include "engine/core/types.h"
#include "engine/search/history.h"
#include "engine/search/move_hints.h"
#include "engine/search/options.h"
#include "engine/search/papers/butterflies.h"
#include "engine/search/papers/group_order.h"

namespace joseki {

// Yields the moves of a node, most promising first, generating as late as possible:
//   table move
//   early moves (before the table's move if that one waits)
//   captures and promotions that do not lose material, by gain
//   killers, counter move, other quiet moves by history
//   captures that lose material
// With OrderGroups: table move, early moves, then all others by groups (GroupOrder). Lives on the
// stack of its node and never allocates. Every move is legal and yielded once.
template <Game G>
class MovePicker {
 public:
  using Position = typename G::Position;

  enum class Scope : uint8_t {
    kSearch,   // every move of GenType::kSearch
    kCaptures  // every move of GenType::kCaptures: quiescence
  };

  // The early moves of `hints` are yielded too, if they are legal.
  MovePicker(const Position& pos, const History<G>& history, const SearchOptions& options,
             Scope scope, Move tt_move, const MoveHints& hints)
      : pos_(pos),
        history_(history),
        options_(options),
        hints_(hints),
        tactical_only_(scope == Scope::kCaptures) {
    const bool usable = tt_move && options.order_table != 0 && G::IsLegal(pos_, tt_move) &&
                        (!tactical_only_ || G::InCheck(pos_) || IsTactical(pos_, tt_move));
    if (!usable) return;
    if (hints_.table_waits && !tactical_only_) {
      hints_.AddEarly(tt_move);
    } else {
      tt_move_ = tt_move;
    }
  }

  // The next move; Move() after the last one.
  Move Next() {
    switch (stage_) {
      case Stage::kTable:
        stage_ = Stage::kEarly;
        if (tt_move_) return tt_move_;
        [[fallthrough]];
      case Stage::kEarly:
        while (early_ < hints_.early_count) {
          const int i = early_++;
          if (IsNewEarly(i)) return hints_.early[i];
        }
        stage_ = Stage::kGenerate;
        [[fallthrough]];
      case Stage::kGenerate:
        Generate();
        stage_ = ByGroups() ? Stage::kGroups : Stage::kTactical;
        if (ByGroups()) return NextOfGroups();
        [[fallthrough]];
      case Stage::kTactical:
        while (next_ < tactical_end_) {
          const Move move = TakeBest(tactical_end_);
          if (tactical_only_ || options_.order_captures == 0 || G::SeeAtLeast(pos_, move, 0)) {
            return move;
          }
          moves_[bad_end_++] = move;  // behind next_, in a free place
        }
        ScoreQuiets();
        stage_ = Stage::kQuiet;
        [[fallthrough]];
      case Stage::kQuiet:
        if (checks_) SkipToCheck();
        if (next_ < end_) {
          return next_ < sorted_end_ ? TakeBest(sorted_end_) : moves_[next_++];
        }
        next_ = 0;
        stage_ = Stage::kBad;
        [[fallthrough]];
      case Stage::kBad:
        return next_ < bad_end_ ? moves_[next_++] : Move();
      case Stage::kGroups:
        return NextOfGroups();
    }
    return Move();
  }

  // Restricts the remaining quiet moves to checks, in their present order; skipped() counts the
  // others. No effect unless the last move was a quiet one in this order.
  void KeepOnlyChecks() {
    if (stage_ != Stage::kQuiet || checks_) return;
    sorted_end_ = std::min(sorted_end_, next_);
    checks_.emplace(pos_);
  }
  int skipped() const { return skipped_; }

  // The game's group of the last move under OrderGroups; 0 for a move before all groups.
  int group() const { return groups_ ? groups_->group() : 0; }

  // Whether the last move was a capture that loses material.
  bool LastLosesMaterial() const { return stage_ == Stage::kBad; }

  static bool IsTactical(const Position& pos, Move move) {
    return move.promotes() || G::IsCapture(pos, move);
  }

 private:
  enum class Stage : uint8_t { kTable, kEarly, kGenerate, kTactical, kQuiet, kBad, kGroups };

  // Whether the i-th early move is legal and was not yielded before. If not, clears the hint, so
  // that generation does not omit the move.
  bool IsNewEarly(int i) {
    const Move move = hints_.early[i];
    bool known = move == tt_move_;
    for (int j = 0; j < i; ++j) known = known || hints_.early[j] == move;
    if (!known && G::IsLegal(pos_, move)) return true;
    hints_.early[i] = Move();
    return false;
  }
  bool IsEarly(Move move) const {
    for (int i = 0; i < hints_.early_count; ++i) {
      if (hints_.early[i] == move) return true;
    }
    return false;
  }

  // Puts captures and promotions with their scores to the front, and quiet moves behind them.
  void Generate() {
    if (tactical_only_) {
      G::template Generate<GenType::kCaptures>(pos_, moves_);
    } else {
      G::template Generate<GenType::kSearch>(pos_, moves_);
    }
    end_ = moves_.size();
    if (ByGroups()) {
      BeginGroups();
      return;
    }
    const bool early = hints_.early_count > 0;
    const Move table = tt_move_;
    int tactical_end = 0;
    int end = 0;
    int i = 0;
    for (; i < end_; ++i) {
      const Move move = moves_[i];
      if (move.is_drop()) break;
      if (move == table || (early && IsEarly(move))) continue;
      if (!IsTactical(pos_, move)) {
        moves_[end++] = move;
        continue;
      }
      moves_[end++] = moves_[tactical_end];
      scores_[tactical_end] = TacticalScore(move);
      moves_[tactical_end++] = move;
    }
    // Drops follow, all quiet; usually they need not be moved.
    if (early || table.is_drop()) {
      for (; i < end_; ++i) {
        const Move move = moves_[i];
        if (move != table && !(early && IsEarly(move))) moves_[end++] = move;
      }
    } else {
      if (end < i) std::copy(moves_.begin() + i, moves_.end(), moves_.begin() + end);
      end += end_ - i;
    }
    tactical_end_ = tactical_end;
    end_ = end;
  }

  bool ByGroups() const { return options_.order_groups != 0 && !tactical_only_; }

  // Starts the order by groups; no move has its group yet.
  void BeginGroups() {
    int end = 0;
    for (int i = 0; i < end_; ++i) {
      const Move move = moves_[i];
      if (move == tt_move_ || IsEarly(move)) continue;
      scores_[end] = 0;
      moves_[end++] = move;
    }
    end_ = end;
    groups_.emplace(pos_, hints_);
  }

  Move NextOfGroups() {
    const auto count = static_cast<size_t>(end_);
    return groups_->Next({moves_.begin(), count}, {scores_, count});
  }

  int TacticalScore(Move move) const {
    if (options_.order_captures == 0) return 0;
    int score = G::OrderValue(pos_, move);
    if (options_.capture_history != 0) {
      score += history_.Capture(G::MovedPiece(pos_, move), move) / 16;
    }
    return score;
  }

  void ScoreQuiets() {
    sorted_end_ = next_;
    if (next_ == end_) return;
    if (hints_.butterflies != nullptr) {
      ScoreByButterflies();
      return;
    }
    // Sorts moves with a positive score. For the others the order of generation is as good as any
    // and costs nothing.
    uint32_t earlier[2];
    for (int distance = 0; distance < 2; ++distance) {
      const bool counts = (options_.continuation_history >> distance & 1) != 0;
      earlier[distance] = counts ? hints_.earlier[distance] : 0;
    }
    const typename History<G>::Outlook outlook(history_, options_.order_history != 0, earlier);
    const uint64_t hinted = HintedMarks();
    const Move threat = hints_.threat;
    const Move next_threat = hints_.next_threat;
    int sorted_end = next_;
    for (int i = next_; i < end_; ++i) {
      const Move move = moves_[i];
      int score = (hinted >> MarkOf(move) & 1) != 0 ? HintScore(move) : 0;
      if (score == 0) {
        score = outlook.Of(History<G>::CodeOf(G::MovedPiece(pos_, move), move));
        if (threat && (Meets(move, threat) || (next_threat && Meets(move, next_threat)))) {
          score += History<G>::kMax;
        }
        if (score <= 0) continue;
      }
      moves_[i] = moves_[sorted_end];
      moves_[sorted_end] = move;
      scores_[sorted_end++] = score;
    }
    sorted_end_ = sorted_end;
  }

  void ScoreByButterflies() {
    sorted_end_ = end_;
    for (int i = next_; i < end_; ++i) {
      const Move move = moves_[i];
      scores_[i] = HintScore(move);
      if (scores_[i] > 0) continue;
      scores_[i] = hints_.butterflies->Of(History<G>::CodeOf(G::MovedPiece(pos_, move), move));
      const Move threat = hints_.threat;
      const Move next = hints_.next_threat;
      if (threat && (Meets(move, threat) || (next && Meets(move, next)))) {
        scores_[i] += History<G>::kMax;
      }
    }
  }

  // A bit of 64 for each quiet move of the hints, possibly shared with other moves. It saves the
  // comparison with all hints for most moves.
  static int MarkOf(Move move) { return move.raw() & 63; }
  uint64_t HintedMarks() const {
    uint64_t marks = 0;
    const auto mark = [&](Move move) { marks |= uint64_t{1} << MarkOf(move); };
    mark(hints_.killers[0]);
    mark(hints_.killers[1]);
    mark(hints_.counter);
    for (int i = 0; i < hints_.late_count; ++i) mark(hints_.late[i]);
    return marks;
  }
  // A score above all history values for a move of the hints; 0 for others.
  int HintScore(Move move) const {
    constexpr int kAboveHistory = 4 * History<G>::kMax + MoveHints::kMaxLate;
    if (move == hints_.killers[0]) return kAboveHistory + 3;
    if (move == hints_.killers[1]) return kAboveHistory + 2;
    if (move == hints_.counter) return kAboveHistory + 1;
    for (int i = 0; i < hints_.late_count; ++i) {
      if (move == hints_.late[i]) return kAboveHistory - i;
    }
    return 0;
  }

  bool Meets(Move move, Move threat) const {
    return hints_.all_defences ? G::Defends(pos_, move, threat) : G::Meets(pos_, move, threat);
  }

  void SkipToCheck() {
    const int before = next_;
    while (next_ < end_ && !checks_->Given(pos_, moves_[next_])) ++next_;
    skipped_ += next_ - before;
  }

  // The best of [next_, end), the earliest among equals; advances next_.
  Move TakeBest(int end) {
    int best = next_;
    for (int i = next_ + 1; i < end; ++i) {
      if (scores_[i] > scores_[best]) best = i;
    }
    const Move chosen = moves_[best];
    moves_[best] = moves_[next_];
    scores_[best] = scores_[next_++];
    return chosen;
  }

  const Position& pos_;
  const History<G>& history_;
  const SearchOptions& options_;
  MoveHints hints_;
  const bool tactical_only_;
  Stage stage_ = Stage::kTable;
  Move tt_move_;
  int early_ = 0;
  // moves_: [0, bad_end_) losing captures put aside, [next_, tactical_end_) tactical moves to come,
  // [tactical_end_, end_) quiet moves, of which those before sorted_end_ have positive scores.
  int next_ = 0;
  int bad_end_ = 0;
  int tactical_end_ = 0;
  int sorted_end_ = 0;
  int end_ = 0;
  int skipped_ = 0;
  // Set once only checks are wanted among the quiet moves.
  std::optional<typename G::Checks> checks_;
  std::optional<GroupOrder<G>> groups_;  // used with OrderGroups; scores_ are then groups
  typename G::MoveList moves_;
  int32_t scores_[G::MoveList::kCapacity];  // scores of moves_, if computed
};

}  // namespace joseki
