#include "engine/usi/options.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"

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
    {"Mate_Nodes", &Options::mate_nodes, 0, 100000},
};

struct Check {
  const char* name;
  bool Options::*field;
};
constexpr Check kChecks[] = {
    {"USI_Ponder", &Options::ponder},
};

absl::Status BadOption(std::string_view name, std::string_view value, std::string expected) {
  return MakeProblem({.code = "bad_option",
                      .file = {},
                      .line = 0,
                      .found = absl::StrCat(Quote(name), " ", Quote(value)),
                      .expected = std::move(expected)});
}

}  // namespace

absl::Status Options::Set(std::string_view name, std::string_view value) {
  for (const Spin& spin : kSpins) {
    if (name != spin.name) continue;
    int number = 0;
    if (!absl::SimpleAtoi(absl::string_view(value.data(), value.size()), &number) ||
        number < spin.least || number > spin.most) {
      return BadOption(name, value, absl::StrCat("a number from ", spin.least, " to ", spin.most));
    }
    this->*spin.field = number;
    return absl::OkStatus();
  }
  for (const Check& check : kChecks) {
    if (name != check.name) continue;
    if (value != "true" && value != "false") return BadOption(name, value, "true or false");
    this->*check.field = value == "true";
    return absl::OkStatus();
  }
  return MakeProblem({.code = "unknown_option",
                      .file = {},
                      .line = 0,
                      .found = Quote(name),
                      .expected = "an option that usi lists"});
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
  return text;
}

}  // namespace joseki::usi
