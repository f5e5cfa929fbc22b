#include "engine/usi/common_options.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/status_macros.h"
#include "engine/core/number_option.h"
#include "engine/usi/option_lines.h"

namespace joseki::usi {
namespace {

struct CommonSpin {
  std::string_view name;  // empty: the protocol lacks the option
  int CommonOptions::*field;
  int most;
  int least = 1;
};

std::vector<CommonSpin> CommonSpins(const Protocol& protocol, int most_lines) {
  return {{protocol.hash_option, &CommonOptions::hash_mb, 32768},
          {protocol.lines_option, &CommonOptions::lines, most_lines},
          {protocol.threads_option, &CommonOptions::threads, 256}};
}

// Under one name in every protocol.
constexpr CommonSpin kPonderSpins[] = {
    {"PonderReplies", &CommonOptions::ponder_replies, 8, 0},
    {"PonderMs", &CommonOptions::ponder_ms, 600'000},
};

const CommonSpin* PonderSpin(std::string_view name) {
  const auto* const spin = std::find_if(std::begin(kPonderSpins), std::end(kPonderSpins),
                                        [&](const CommonSpin& s) { return s.name == name; });
  return spin == std::end(kPonderSpins) ? nullptr : spin;
}

}  // namespace

bool CommonOptions::Has(const Protocol& protocol, std::string_view name) {
  if (name.empty()) return false;
  return name == protocol.hash_option || name == protocol.lines_option ||
         name == protocol.threads_option || name == protocol.ponder_option ||
         PonderSpin(name) != nullptr;
}

absl::Status CommonOptions::Set(const Protocol& protocol, std::string_view name,
                                std::string_view value, int most_lines) {
  if (name == protocol.ponder_option) {
    ASSIGN_OR_RETURN(const int number, OptionNumber(name, value, true, 0, 1));
    ponder = number != 0;
    return absl::OkStatus();
  }
  if (const CommonSpin* const spin = PonderSpin(name); spin != nullptr) {
    ASSIGN_OR_RETURN(this->*spin->field, OptionNumber(name, value, false, spin->least, spin->most));
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
  text += CheckLine(protocol, protocol.ponder_option, defaults.ponder);
  for (const CommonSpin& spin : kPonderSpins) {
    text += SpinLine(protocol, spin.name, defaults.*spin.field, spin.least, spin.most);
  }
  return text;
}

}  // namespace joseki::usi
