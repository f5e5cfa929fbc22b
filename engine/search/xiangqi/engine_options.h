#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/search/options.h"
#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"
#include "engine/xiangqi/repetition.h"

namespace joseki::xiangqi {

// "asian", "check" or "draw": what becomes of positions that come back (Name of RepetitionRule).
inline constexpr char kRepetitionOption[] = "RepetitionRule";

// The options by which the engine thinks: the rule of repetition that the match goes by, then
// SearchOptionTable().
struct EngineOptions {
  RepetitionRule repetition = RepetitionRule::kAsian;
  SearchOptions search = kDefaultOptions;

  // InvalidArgument "unknown_option" or "bad_option"; nothing changes then.
  absl::Status Set(std::string_view name, std::string_view value);
  // Whether there is an option of this name.
  static bool Has(std::string_view name);

  // For the searches that begin from now on. Not while one runs.
  void ApplyTo(Search<Xiangqi>& to) const;
};

}  // namespace joseki::xiangqi
