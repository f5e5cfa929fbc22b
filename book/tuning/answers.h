#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// Which move the book plays, and exports as its answer. Ties go on to the next criterion: most
// games, then largest base weight, then the first move.
enum class AnswerRule : uint8_t {
  kVisits,      // most games; of equals the best mean or value
  kMean,        // best mean score of the moves tried
  kLowerBound,  // largest lower end of the 95 % interval: Wilson's of the moves tried, or the
                // value's
  kValue,       // largest value: what the policy's estimator backs up, priors and all
};

// REQUIRES: at.size() > 0; kValue with values only.
size_t AnswerBy(AnswerRule rule, const Choices& at, DrawValue draw);
// In words.
std::string_view InWords(AnswerRule rule);

// The option "answer": visits, mean or lower-bound; visits, value or lower-bound for a policy with
// an estimator. `missing`: where it is not given.
AnswerRule AnswerOption(PolicyOptions& options, bool has_values, AnswerRule missing);
// The option "draw_value": what a draw is worth to the side that moves first, 0 to 1.
DrawValue DrawOption(PolicyOptions& options);

}  // namespace joseki::book
