#pragma once

#include <cstdint>

#include "engine/core/game.h"
#include "engine/core/types.h"
#include "engine/search/history.h"

namespace joseki {

// The quiet moves that are tried before the other quiet ones.
struct QuietHints {
  Move killers[2];
  Move counter;
};

// Gives the moves of one node, the most promising first, generating as late as it can:
//   table move | captures and promotions that do not lose material, by gain |
//   killers, counter move, other quiet moves by history | captures that lose material.
// Lives on the stack of its node; never allocates. Every move it gives is legal and given once.
template <Game G>
class MovePicker {
 public:
  using Position = typename G::Position;

  // For the main search: every move of GenType::kSearch.
  MovePicker(const Position& pos, const History<G>& history, Move tt_move, const QuietHints& hints)
      : pos_(pos), history_(history), hints_(hints), tactical_only_(false) {
    Start(tt_move);
  }
  // For quiescence: every move of GenType::kCaptures.
  MovePicker(const Position& pos, const History<G>& history, Move tt_move)
      : pos_(pos), history_(history), tactical_only_(true) {
    Start(tt_move);
  }

  // Move() after the last one.
  Move Next() {
    switch (stage_) {
      case Stage::kTable:
        stage_ = Stage::kGenerate;
        return tt_move_;
      case Stage::kGenerate:
        Generate();
        stage_ = Stage::kTactical;
        [[fallthrough]];
      case Stage::kTactical:
        while (next_ < tactical_end_) {
          const Move move = TakeBest(tactical_end_);
          if (tactical_only_ || G::SeeAtLeast(pos_, move, 0)) return move;
          moves_[bad_end_++].raw = move.raw();  // behind next_: those places are free
        }
        ScoreQuiets();
        stage_ = Stage::kQuiet;
        [[fallthrough]];
      case Stage::kQuiet:
        if (next_ < end_)
          return next_ < sorted_end_ ? TakeBest(sorted_end_) : Move(moves_[next_++].raw);
        next_ = 0;
        stage_ = Stage::kBad;
        [[fallthrough]];
      case Stage::kBad:
        return next_ < bad_end_ ? Move(moves_[next_++].raw) : Move();
    }
    return Move();
  }

  static bool IsTactical(const Position& pos, Move move) {
    return move.promotes() || G::IsCapture(pos, move);
  }

 private:
  enum class Stage : uint8_t { kTable, kGenerate, kTactical, kQuiet, kBad };

  // Without initialisers, so that the array below costs nothing until it is filled.
  struct Scored {
    uint16_t raw;
    int32_t score;
  };

  void Start(Move tt_move) {
    tt_move_ = tt_move && G::IsLegal(pos_, tt_move) &&
                       (!tactical_only_ || G::InCheck(pos_) || IsTactical(pos_, tt_move))
                   ? tt_move
                   : Move();
    stage_ = tt_move_ ? Stage::kTable : Stage::kGenerate;
  }

  // Captures and promotions to the front with their scores, quiet moves behind them.
  void Generate() {
    typename G::MoveList list;
    if (tactical_only_) {
      G::template Generate<GenType::kCaptures>(pos_, list);
    } else {
      G::template Generate<GenType::kSearch>(pos_, list);
    }
    for (const Move move : list) {
      if (move == tt_move_) continue;
      if (!IsTactical(pos_, move)) {
        moves_[end_++].raw = move.raw();
        continue;
      }
      if (tactical_end_ < end_) moves_[end_].raw = moves_[tactical_end_].raw;
      moves_[tactical_end_++] = {move.raw(), G::OrderValue(pos_, move)};
      ++end_;
    }
  }

  void ScoreQuiets() {
    // Only moves with something in their favour are brought into order; for the rest the order of
    // generation is as good as any and costs nothing.
    sorted_end_ = next_;
    for (int i = next_; i < end_; ++i) {
      const int score = QuietScore(Move(moves_[i].raw));
      moves_[i].score = score;
      if (score <= 0) continue;
      const Scored chosen = moves_[i];
      moves_[i] = moves_[sorted_end_];
      moves_[sorted_end_++] = chosen;
    }
  }

  int QuietScore(Move move) const {
    constexpr int kAboveHistory = 4 * History<G>::kMax;
    if (move == hints_.killers[0]) return kAboveHistory + 3;
    if (move == hints_.killers[1]) return kAboveHistory + 2;
    if (move == hints_.counter) return kAboveHistory + 1;
    return history_.Quiet(G::MovedPiece(pos_, move), move);
  }

  // The best of [next_, end), the earliest of equals; next_ moves on.
  Move TakeBest(int end) {
    int best = next_;
    for (int i = next_ + 1; i < end; ++i) {
      if (moves_[i].score > moves_[best].score) best = i;
    }
    const Scored chosen = moves_[best];
    moves_[best] = moves_[next_];
    moves_[next_++] = chosen;
    return Move(chosen.raw);
  }

  const Position& pos_;
  const History<G>& history_;
  const QuietHints hints_;
  const bool tactical_only_;
  Stage stage_ = Stage::kTable;
  Move tt_move_;
  // moves_: [0, bad_end_) losing captures put aside, [next_, tactical_end_) tactical moves to come,
  // [tactical_end_, end_) quiet moves, of which [.., sorted_end_) are scored above zero.
  int next_ = 0;
  int bad_end_ = 0;
  int tactical_end_ = 0;
  int sorted_end_ = 0;
  int end_ = 0;
  Scored moves_[G::MoveList::kCapacity];
};

}  // namespace joseki
