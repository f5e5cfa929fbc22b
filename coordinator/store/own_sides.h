#pragma once

#include <map>
#include <optional>

#include "absl/status/statusor.h"
#include "coordinator/store/run_store.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Finds the side of the run's book in each game of a run, from the game's slot (Slot::own). A lease
// is read once while games of it are near each other, as in commit order. Not thread-safe.
class OwnSides {
 public:
  // `rows` must outlive this object.
  OwnSides(RunStore& rows, const RunSpec& spec)
      : rows_(rows), wanted_(spec.play.opponent.has_value()) {}

  // Nullopt in a run without an opponent. DataLoss if lease or slot is missing.
  absl::StatusOr<std::optional<Color>> Of(const GameRow& game);
  // The game's slot, without its moves. Errors as Of.
  absl::StatusOr<std::optional<Slot>> SlotOf(const GameRow& game);

 private:
  RunStore& rows_;
  const bool wanted_;
  std::map<LeaseId, std::map<uint32_t, Slot>> leases_;
};

}  // namespace joseki::coordinator
