#pragma once

#include "book/records/game_replay.h"
#include "engine/core/outcome.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

struct XiangqiPacker {
  PackedPosition Pack(const xiangqi::Position& position) const { return xiangqi::Pack(position); }
};

// A game of xiangqi, replayed.
class XiangqiReplay : public GameReplay<xiangqi::Position, xiangqi::Undo, XiangqiPacker> {
 public:
  // The winner if the game ends here by `end`. A side that cannot move has lost, whatever the
  // record says. Repetitions were judged by different rules, so they give no result.
  Result ResultOf(End end) const {
    const Color side = position().side_to_move();
    if (!position().HasLegalMove()) return WinFor(~side);
    switch (end) {
      case End::kSideToMoveLost:
        return WinFor(~side);
      case End::kSideToMoveWon:
        return WinFor(side);
      case End::kFirstWon:
        return Result::kFirstWins;
      case End::kSecondWon:
        return Result::kSecondWins;
      case End::kDraw:
        return Result::kDraw;
      case End::kUnknown:
      case End::kRepetition:
        return Result::kNone;
    }
    return Result::kNone;
  }
};

}  // namespace joseki::book
