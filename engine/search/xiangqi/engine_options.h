#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/search/options.h"
#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"
#include "engine/xiangqi/eval/options.h"
#include "engine/xiangqi/repetition.h"

namespace joseki::xiangqi {

// Option for the treatment of repetitions: "asian", "check" or "draw" (Name of RepetitionRule).
inline constexpr char kRepetitionOption[] = "RepetitionRule";

// The options of the engine's play: the match's repetition rule, then EvaluationOptionTable() and
// SearchOptionTable().
struct EngineOptions {
  RepetitionRule repetition = RepetitionRule::kAsian;
  EvaluationOptions evaluation;
  SearchOptions search = kDefaultOptions;

  // Sets an option. InvalidArgument "unknown_option" or "bad_option", without any change.
  absl::Status Set(std::string_view name, std::string_view value);
  // Whether an option has this name.
  static bool Has(std::string_view name);

  // Applies the options to subsequent searches. Not while a search runs.
  void ApplyTo(Search<Xiangqi>& to) const;
};

}  // namespace joseki::xiangqi
