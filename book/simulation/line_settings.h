#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/status.h"
#include "book/simulation/simulate_lines.h"

namespace joseki::book {

// A number of a LineSimulation with a name.
struct LineSetting {
  using Field = std::variant<int LineWorldOptions::*, uint32_t LineWorldOptions::*,
                             double LineWorldOptions::*, uint32_t RepertoireRules::*,
                             uint64_t RepertoireRules::*, int RepertoireRules::*,
                             double RepertoireRules::*, uint32_t LineSimulation::*>;
  std::string_view name;
  Field field;
  double least = 0;
  double most = 0;

  double Of(const LineSimulation& simulation) const;
};

// Names of the world first, then those of a run's rules.
std::span<const LineSetting> LineSettings();

// Changes one setting. InvalidArgument "bad_setting" if no setting has the name, or it does not
// take the value.
absl::Status ChangeSetting(const std::string& name, const std::string& value,
                           LineSimulation& simulation);

}  // namespace joseki::book
