#include "book/tuning/policy_options.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

constexpr char kFlag[] = "--policy-option";

}  // namespace

const std::string* PolicyOptions::Find(const std::string& name) {
  known_.insert(name);
  const auto it = values_.find(name);
  return it == values_.end() ? nullptr : &it->second;
}

bool PolicyOptions::Has(const std::string& name) { return Find(name) != nullptr; }

void PolicyOptions::Refuse(const std::string& name, std::string expected) {
  if (!first_error_.ok()) return;
  const std::string* value = Find(name);
  first_error_ =
      MakeProblem({"bad_policy_option", kFlag, 0,
                   Quote(absl::StrCat(name, "=", value ? *value : "")), std::move(expected)});
}

double PolicyOptions::Number(const std::string& name, double missing, double low, double high) {
  const std::string* text = Find(name);
  if (!text) return missing;
  double value = 0;
  // NaN fails the comparison and is thus refused.
  if (absl::SimpleAtod(*text, &value) && value >= low && value <= high) return value;
  Refuse(name, absl::StrCat("a number from ", low, " to ", high));
  return missing;
}

int64_t PolicyOptions::Integer(const std::string& name, int64_t missing, int64_t low,
                               int64_t high) {
  const std::string* text = Find(name);
  if (!text) return missing;
  int64_t value = 0;
  if (absl::SimpleAtoi(*text, &value) && value >= low && value <= high) return value;
  Refuse(name, absl::StrCat("a whole number from ", low, " to ", high));
  return missing;
}

std::vector<int64_t> PolicyOptions::Integers(const std::string& name, std::vector<int64_t> missing,
                                             int64_t low, int64_t high) {
  const std::string* text = Find(name);
  if (!text) return missing;
  std::vector<int64_t> values;
  for (const absl::string_view part : absl::StrSplit(*text, ',')) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(part, &value) || value < low || value > high ||
        values.size() == kMaxStages) {
      Refuse(name, absl::StrCat("1 to ", kMaxStages, " whole numbers from ", low, " to ", high,
                                ", separated by commas"));
      return missing;
    }
    values.push_back(value);
  }
  return values;
}

size_t PolicyOptions::Word(const std::string& name, const std::vector<std::string>& words) {
  const std::string* text = Find(name);
  if (!text) return 0;
  const auto it = std::find(words.begin(), words.end(), *text);
  if (it != words.end()) return it - words.begin();
  Refuse(name, absl::StrJoin(words, " or "));
  return 0;
}

absl::Status PolicyOptions::Finish() const {
  for (const auto& [name, value] : values_) {
    if (known_.contains(name)) continue;
    return MakeProblem({"unknown_policy_option", kFlag, 0, Quote(name),
                        absl::StrCat("an option of ", policy_, ": ", absl::StrJoin(known_, ", "))});
  }
  return first_error_;
}

}  // namespace joseki::book
