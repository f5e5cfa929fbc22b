#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "coordinator/runs/pieces.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_book.h"

namespace joseki::coordinator {

// The evidence of a run on its way, computed anew from the games (RebuildRun) while games and slots
// go on: what has changed since it was asked for, to be added before it is adopted. Guarded by the
// owner's mutex.
class Rebuilding {
 public:
  bool under_way() const { return tail_.has_value(); }
  // Whether the game is in the evidence that was adopted last.
  bool Has(const GameRow& game) const { return game.commit_seq <= adopted_seq_; }

  // It is asked for (again).
  void Begin();
  // A game was credited.
  void Note(const GameRow& game);
  // Slots of the run opened on these edges, or closed.
  void ChangeInFlight(std::span<const book::EdgeId> edges, bool open);
  // A stage begins: what is of the one before is not adopted.
  void BeginStage() { incoming_ = nullptr; }

  // Counts what is in flight in the run's `present` arms in `rebuilt`, which stays this object's to
  // change until End, and adds the games that came meanwhile. Never kVoid. REQUIRES: under_way().
  Progress CatchUp(RebuiltRun& rebuilt, std::span<const book::Arm> present, const RunBook& book,
                   const PieceSize& piece);
  // It will not be adopted; or it was, with the games up to `adopted_seq`.
  void End();
  void End(uint64_t adopted_seq);

 private:
  std::optional<std::deque<GameRow>> tail_;  // credited since Begin, not added yet
  RebuiltRun* incoming_ = nullptr;           // the caller's, from CatchUp to End
  uint64_t adopted_seq_ = 0;
};

}  // namespace joseki::coordinator
