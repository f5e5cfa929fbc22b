#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// Chooses the move that the book plays and exports as its answer. Ties go on to the next criterion:
// most games, then largest base weight, then the first move.
enum class AnswerRule : uint8_t {
  kVisits,      // most games; of equals the best mean or value
  kMean,        // best mean score of the moves tried
  kLowerBound,  // largest lower end of the 95 % interval: Wilson's of the moves tried, or the
                // value's
  kValue,       // largest value: what the policy's estimator backs up, priors and all
};

// The deduction from a value that rests on this many games (ours): `caution` deviations of their
// mean. A move with few games thus has to be better by more than one with many.
inline constexpr double kCaution = 0.25;
double Doubt(double games, double caution = kCaution);

// `doubts`: of kValue, what is taken off the value of each move; empty: nothing. REQUIRES:
// at.size() > 0; kValue with values only.
size_t AnswerBy(AnswerRule rule, const Choices& at, DrawValue draw,
                std::span<const double> doubts = {});
// In words.
std::string_view InWords(AnswerRule rule, bool doubts = false);

// The option "answer": visits, mean or lower-bound; visits, value or lower-bound for a policy with
// an estimator. `missing`: where it is not given.
AnswerRule AnswerOption(PolicyOptions& options, bool has_values, AnswerRule missing);
// The option "draw_value": what a draw is worth to the side that moves first, 0 to 1.
DrawValue DrawOption(PolicyOptions& options);

}  // namespace joseki::book
