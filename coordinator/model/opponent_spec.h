#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "coordinator/model/messages.h"
#include "engine/core/types.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {

// The opponent of a run's specification, as the database keeps it. Reading is strict, as
// SpecFromJson's.
nlohmann::json OpponentToJson(const Opponent& opponent);
absl::StatusOr<Opponent> OpponentFromJson(const nlohmann::json& json);

// The bounds of proto/joseki/v1, and what an opponent asks of the rest of the run: "bad_run_spec".
absl::Status CheckOpponent(const PlaySpec& play, bool match);

// The side that the run's book has in slot number `slot` of a lease; nullopt: no opponent.
std::optional<Color> OwnSideOf(const std::optional<Opponent>& opponent, LeaseId lease,
                               uint32_t slot);

// What evidence belongs to, beside the engine: "self" or the opponent's book, engine, signature,
// limit and side. Evidence of different pairings is never added up.
std::string PairingOf(const PlaySpec& play);

// "black", "white" or "both"; nullopt for another word.
std::string_view NameOf(Opponent::Side side);
std::optional<Opponent::Side> SideOf(std::string_view name);

}  // namespace joseki::coordinator
