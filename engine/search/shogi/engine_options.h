#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/search/options.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/eval/options.h"

namespace joseki::shogi {

// The options of the engine's play, in two tables that users see as one list:
// EvaluationOptionTable(), then SearchOptionTable(). USI, the workers' engine and the tools read
// both.
struct EngineOptions {
  EvaluationOptions evaluation;
  SearchOptions search;

  // Sets an option. InvalidArgument "unknown_option" or "bad_option", without any change.
  absl::Status Set(std::string_view name, std::string_view value);
  // Whether an option has this name.
  static bool Has(std::string_view name);

  // Applies the options to subsequent searches. Not while a search runs.
  void ApplyTo(Search<Shogi>& to) const;
};

}  // namespace joseki::shogi
