#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/search/options.h"
#include "engine/search/shogi/game.h"
#include "engine/shogi/eval/options.h"

namespace joseki::shogi {

// The options by which the engine thinks. They stand in two tables that a user sees as one list:
// first EvaluationOptionTable(), then SearchOptionTable(). USI, the workers' engine and the tools
// read both.
struct EngineOptions {
  EvaluationOptions evaluation;
  SearchOptions search;

  // Reads and sets one of them. InvalidArgument "unknown_option" or "bad_option"; nothing changes
  // then.
  absl::Status Set(std::string_view name, std::string_view value);
  // Whether there is an option of this name.
  static bool Has(std::string_view name);

  // For the searches that begin from now on. Not while one runs.
  void ApplyTo(Search<Shogi>& to) const;
};

}  // namespace joseki::shogi
