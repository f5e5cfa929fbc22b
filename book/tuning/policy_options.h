#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace joseki::book {

// The most games that an option may name.
inline constexpr int64_t kMaxGames = 1'000'000'000'000;

// Reads the named constants of one policy. Every getter names an option that the policy knows and
// gives its value, or the default where it is missing or wrong; the first thing wrong, or a name
// that no getter asked for, is what Finish returns.
class PolicyOptions {
 public:
  using Map = std::map<std::string, std::string>;

  // `values` must live as long as this.
  PolicyOptions(std::string_view policy, const Map& values) : policy_(policy), values_(values) {}

  // True if the option was given.
  bool Has(const std::string& name);
  double Number(const std::string& name, double missing, double low, double high);
  int64_t Integer(const std::string& name, int64_t missing, int64_t low, int64_t high);
  // "16,8,4": at least one, at most kMaxStages.
  std::vector<int64_t> Integers(const std::string& name, std::vector<int64_t> missing, int64_t low,
                                int64_t high);
  // The index of the given word in `words`; 0 if the option is missing.
  size_t Word(const std::string& name, const std::vector<std::string>& words);

  // Notes that an option has the wrong value.
  void Refuse(const std::string& name, std::string expected);

  // InvalidArgument "bad_policy_option" or "unknown_policy_option".
  absl::Status Finish() const;

  static constexpr size_t kMaxStages = 64;

 private:
  const std::string* Find(const std::string& name);

  std::string policy_;
  const Map& values_;
  std::set<std::string> known_;
  absl::Status first_error_;
};

}  // namespace joseki::book
