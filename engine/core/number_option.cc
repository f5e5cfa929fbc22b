#include "engine/core/number_option.h"

#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki {

absl::StatusOr<int> OptionNumber(std::string_view name, std::string_view value, bool is_switch,
                                 int least, int most) {
  if (is_switch && value == "true") return 1;
  if (is_switch && value == "false") return 0;
  int number = 0;
  if (absl::SimpleAtoi(absl::string_view(value.data(), value.size()), &number) && number >= least &&
      number <= most) {
    return number;
  }
  return MakeProblem({.code = "bad_option",
                      .file = {},
                      .line = 0,
                      .found = absl::StrCat(Quote(name), " ", Quote(value)),
                      .expected = is_switch ? "true or false"
                                            : absl::StrCat("a number from ", least, " to ", most)});
}

}  // namespace joseki
