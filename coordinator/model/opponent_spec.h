#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "coordinator/model/messages.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// Checks a run's settings against its opponent, beyond the bounds of its fields: "bad_run_spec".
absl::Status CheckOpponent(const PlaySpec& play, bool match);

// The side of the run's book in slot number `slot` of a lease; nullopt: no opponent.
std::optional<Color> OwnSideOf(const std::optional<Opponent>& opponent, LeaseId lease,
                               uint32_t slot);

// The pairing to which evidence belongs beside the engine: "self", or the opponent's book, engine,
// signature, limit and side. Evidence of different pairings is never added up.
std::string PairingOf(const PlaySpec& play);

}  // namespace joseki::coordinator
