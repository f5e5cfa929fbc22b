#pragma once

#include <vector>

#include "book/tuning/policy.h"

namespace joseki::book {

// A subset of the moves of a position, for a policy that may not choose the others.
class SomeChoices {
 public:
  explicit SomeChoices(Color mover) : mover_(mover) {}

  // Adds move `i` of `all`.
  void Add(const Choices& all, size_t i) {
    indices_.push_back(i);
    arms_.push_back(all.arms[i]);
    if (all.values.empty()) return;
    values_.push_back(all.values[i]);
    priors_.push_back(all.priors[i]);
    shares_.push_back(all.shares[i]);
    log_shares_.push_back(all.log_shares[i]);
  }
  bool empty() const { return indices_.empty(); }
  // The index in the whole position of the i-th move of the subset.
  size_t IndexOf(size_t i) const { return indices_[i]; }
  // Valid until the next Add.
  Choices choices() const {
    Choices some(arms_);
    some.mover = mover_;
    some.values = values_;
    some.priors = priors_;
    some.shares = shares_;
    some.log_shares = log_shares_;
    return some;
  }

 private:
  Color mover_;
  std::vector<size_t> indices_;
  std::vector<Arm> arms_;
  std::vector<Value> values_;
  std::vector<Prior> priors_;
  std::vector<float> shares_;
  std::vector<float> log_shares_;
};

}  // namespace joseki::book
