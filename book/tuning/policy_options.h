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

// Reads the named constants of one policy. Each getter declares an option as known and returns its
// value, or the default if the option is missing or wrong. Finish returns the first wrong value, or
// the first name that no getter declared.
class PolicyOptions {
 public:
  using Map = std::map<std::string, std::string>;

  // `values` must outlive this.
  PolicyOptions(std::string_view policy, const Map& values) : policy_(policy), values_(values) {}

  // True if the option was given.
  bool Has(const std::string& name);
  double Number(const std::string& name, double missing, double low, double high);
  int64_t Integer(const std::string& name, int64_t missing, int64_t low, int64_t high);
  // A list such as "16,8,4", with 1 to kMaxStages values.
  std::vector<int64_t> Integers(const std::string& name, std::vector<int64_t> missing, int64_t low,
                                int64_t high);
  // The index in `words` of the option's value; 0 if the option is missing.
  size_t Word(const std::string& name, const std::vector<std::string>& words);

  // Records that an option has a wrong value.
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
