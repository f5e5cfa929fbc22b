#pragma once

#include <string_view>

#include "absl/status/status.h"
#include "engine/search/options.h"
#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"

namespace joseki::xiangqi {

// The options by which the engine thinks: those of the search.
struct EngineOptions {
  SearchOptions search = kDefaultOptions;

  // InvalidArgument "unknown_option" or "bad_option"; nothing changes then.
  absl::Status Set(std::string_view name, std::string_view value);
  // Whether there is an option of this name.
  static bool Has(std::string_view name);

  // For the searches that begin from now on. Not while one runs.
  void ApplyTo(Search<Xiangqi>& to) const;
};

}  // namespace joseki::xiangqi
