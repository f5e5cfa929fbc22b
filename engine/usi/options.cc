#include "engine/usi/options.h"

#include <span>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace joseki::usi {
namespace {

struct Spin {
  const char* name;
  int Options::*field;
  int least;
  int most;
};
constexpr Spin kSpins[] = {
    {"USI_Hash", &Options::hash_mb, 1, 32768},
    {"MultiPV", &Options::multi_pv, 1, 593},
    {"Threads", &Options::threads, 1, 256},
};

struct ExtendedSpin {
  const char* name;
  int ExtendedBookOptions::*field;
  int least;
  int most;
};
constexpr ExtendedSpin kExtendedSpins[] = {
    {"ExtendedBookPlies", &ExtendedBookOptions::plies, 1, 1000},
    {"ExtendedBookPercent", &ExtendedBookOptions::percent, 0, 1000},
};
constexpr char kExtendedFile[] = "ExtendedBook";
constexpr char kWeightsFile[] = "WeightsFile";
constexpr char kPartialFile[] = "PartialBook";

struct Check {
  const char* name;
  bool Options::*field;
};
constexpr Check kChecks[] = {
    {"USI_Ponder", &Options::ponder},
};

template <typename Holder>
void DeclareTable(std::span<const NumberOption<Holder>> table, const Holder& defaults,
                  std::string& text) {
  for (const NumberOption<Holder>& option : table) {
    const int value = defaults.*option.field;
    if (option.is_switch()) {
      absl::StrAppend(&text, "option name ", option.name, " type check default ",
                      value != 0 ? "true" : "false", "\n");
    } else {
      absl::StrAppend(&text, "option name ", option.name, " type spin default ", value, " min ",
                      option.least, " max ", option.most, "\n");
    }
  }
}

}  // namespace

absl::Status Options::Set(std::string_view name, std::string_view value) {
  for (const Spin& spin : kSpins) {
    if (name != spin.name) continue;
    ASSIGN_OR_RETURN(this->*spin.field, OptionNumber(name, value, false, spin.least, spin.most));
    return absl::OkStatus();
  }
  for (const Check& check : kChecks) {
    if (name != check.name) continue;
    ASSIGN_OR_RETURN(const int number, OptionNumber(name, value, true, 0, 1));
    this->*check.field = number != 0;
    return absl::OkStatus();
  }
  for (const ExtendedSpin& spin : kExtendedSpins) {
    if (name != spin.name) continue;
    ASSIGN_OR_RETURN(extended.*spin.field, OptionNumber(name, value, false, spin.least, spin.most));
    return absl::OkStatus();
  }
  if (name == kExtendedFile) {
    extended.file = value.empty() ? ExtendedBookOptions().file : std::string(value);
    return absl::OkStatus();
  }
  if (name == kPartialFile) {
    partial_file = value.empty() ? kNoPartialBook : std::string(value);
    return absl::OkStatus();
  }
  if (name == kWeightsFile) {
    weights_file = value.empty() ? kBuiltInWeights : std::string(value);
    return absl::OkStatus();
  }
  if (IsBookOption(name)) return SetBookOption(name, value, book);
  return engine.Set(name, value);
}

std::string DeclareOptions() {
  const Options defaults;
  std::string text;
  for (const Spin& spin : kSpins) {
    absl::StrAppend(&text, "option name ", spin.name, " type spin default ", defaults.*spin.field,
                    " min ", spin.least, " max ", spin.most, "\n");
  }
  for (const Check& check : kChecks) {
    absl::StrAppend(&text, "option name ", check.name, " type check default ",
                    defaults.*check.field ? "true" : "false", "\n");
  }
  DeclareTable(shogi::EvaluationOptionTable(), defaults.engine.evaluation, text);
  DeclareTable(SearchOptionTable(), defaults.engine.search, text);
  absl::StrAppend(&text, "option name ", kWeightsFile, " type filename default ",
                  defaults.weights_file, "\n");
  absl::StrAppend(&text, "option name ", kPartialFile, " type filename default ",
                  defaults.partial_file, "\n");
  absl::StrAppend(&text, "option name ", kExtendedFile, " type filename default ",
                  defaults.extended.file, "\n");
  for (const ExtendedSpin& spin : kExtendedSpins) {
    absl::StrAppend(&text, "option name ", spin.name, " type spin default ",
                    defaults.extended.*spin.field, " min ", spin.least, " max ", spin.most, "\n");
  }
  return text + DeclareBookOptions();
}

}  // namespace joseki::usi
