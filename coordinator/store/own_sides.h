#pragma once

#include <map>
#include <optional>

#include "absl/status/statusor.h"
#include "coordinator/store/run_store.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Which side of each game of a run is the run's own, read back: its slot says so (Slot::own).
// Leases are read once while their games stand near each other, as in the order of commits. Not
// thread-safe.
class OwnSides {
 public:
  // `rows` must outlive this.
  OwnSides(RunStore& rows, const RunSpec& spec)
      : rows_(rows), wanted_(spec.play.opponent.has_value()) {}

  // Nullopt in a run without an opponent. DataLoss where lease or slot are not there.
  absl::StatusOr<std::optional<Color>> Of(const GameRow& game);
  // The game's slot, without its moves. Errors as above.
  absl::StatusOr<std::optional<Slot>> SlotOf(const GameRow& game);

 private:
  RunStore& rows_;
  const bool wanted_;
  std::map<LeaseId, std::map<uint32_t, Slot>> leases_;
};

}  // namespace joseki::coordinator
