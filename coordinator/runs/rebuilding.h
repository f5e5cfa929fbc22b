#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "coordinator/runs/pieces.h"
#include "coordinator/runs/rebuild.h"
#include "coordinator/runs/run_book.h"

namespace joseki::coordinator {

// Evidence being recomputed from the games (RebuildRun), with the changes since the rebuild began.
// They are added before the evidence is adopted. Guarded by the owner's mutex.
class Rebuilding {
 public:
  bool under_way() const { return tail_.has_value(); }
  // Whether the evidence adopted last contains the game.
  bool Has(const GameRow& game) const { return game.commit_seq <= adopted_seq_; }

  // Begins a rebuild, or restarts one.
  void Begin();
  // Notes a credited game.
  void Note(const GameRow& game);
  // Notes slots opened or closed on these edges.
  void ChangeInFlight(std::span<const book::EdgeId> edges, bool open);
  // Begins a stage: evidence rebuilt for the stage before is not adopted.
  void BeginStage() { incoming_ = nullptr; }

  // Counts the open slots of the run's `present` arms in `rebuilt`, and adds the games that came
  // meanwhile. Changes `rebuilt` until End. Never kVoid. REQUIRES: under_way().
  Progress CatchUp(RebuiltRun& rebuilt, std::span<const book::Arm> present, const RunBook& book,
                   const PieceSize& piece);
  // Ends the rebuild: discarded, or adopted with the games up to `adopted_seq`.
  void End();
  void End(uint64_t adopted_seq);

 private:
  std::optional<std::deque<GameRow>> tail_;  // credited since Begin and not yet added
  RebuiltRun* incoming_ = nullptr;           // the caller's, from CatchUp to End
  uint64_t adopted_seq_ = 0;
};

}  // namespace joseki::coordinator
