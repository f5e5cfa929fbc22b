#include "engine/usi/common_options.h"

#include <vector>

#include "base/status_macros.h"
#include "engine/core/number_option.h"
#include "engine/usi/option_lines.h"

namespace joseki::usi {
namespace {

struct CommonSpin {
  std::string_view name;  // empty: the protocol lacks the option
  int CommonOptions::*field;
  int most;  // upper bound; the lower one is 1
};

std::vector<CommonSpin> CommonSpins(const Protocol& protocol, int most_lines) {
  return {{protocol.hash_option, &CommonOptions::hash_mb, 32768},
          {protocol.lines_option, &CommonOptions::lines, most_lines},
          {protocol.threads_option, &CommonOptions::threads, 256}};
}

}  // namespace

bool CommonOptions::Has(const Protocol& protocol, std::string_view name) {
  if (name.empty()) return false;
  return name == protocol.hash_option || name == protocol.lines_option ||
         name == protocol.threads_option || name == protocol.ponder_option;
}

absl::Status CommonOptions::Set(const Protocol& protocol, std::string_view name,
                                std::string_view value, int most_lines) {
  if (name == protocol.ponder_option) {
    ASSIGN_OR_RETURN(const int number, OptionNumber(name, value, true, 0, 1));
    ponder = number != 0;
    return absl::OkStatus();
  }
  for (const CommonSpin& spin : CommonSpins(protocol, most_lines)) {
    if (name != spin.name) continue;
    ASSIGN_OR_RETURN(this->*spin.field, OptionNumber(name, value, false, 1, spin.most));
  }
  return absl::OkStatus();
}

std::string DeclareCommonOptions(const Protocol& protocol, int most_lines) {
  const CommonOptions defaults;
  std::string text;
  for (const CommonSpin& spin : CommonSpins(protocol, most_lines)) {
    if (spin.name.empty()) continue;
    text += SpinLine(protocol, spin.name, defaults.*spin.field, 1, spin.most);
  }
  return text + CheckLine(protocol, protocol.ponder_option, defaults.ponder);
}

}  // namespace joseki::usi
