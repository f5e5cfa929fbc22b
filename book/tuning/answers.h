#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "book/tuning/policy.h"
#include "book/tuning/policy_options.h"

namespace joseki::book {

// Chooses the book's answer: the move that it plays and exports. Ties are broken by most games,
// then largest base weight, then the first move.
enum class AnswerRule : uint8_t {
  kVisits,      // most games; among equals the best mean or value
  kMean,        // best mean score among tried moves
  kLowerBound,  // largest lower end of a 95 % interval: Wilson's for tried moves, or the value's
  kValue,       // largest value that the policy's estimator backs up, priors included
};

// Deduction from a value that rests on these games (ours): `caution` standard deviations of their
// mean. A move with few games must thus lead by more than one with many.
inline constexpr double kCaution = 0.25;
double Doubt(double games, double caution = kCaution);

// Index of the answer. `doubts`, for kValue: the deduction from each move's value; empty: none.
// REQUIRES: at.size() > 0; kValue only with values.
size_t AnswerBy(AnswerRule rule, const Choices& at, DrawValue draw,
                std::span<const double> doubts = {});
// The rule in words, for output.
std::string_view InWords(AnswerRule rule, bool doubts = false);

// Reads the option "answer": visits, mean or lower-bound; for a policy with an estimator visits,
// value or lower-bound. `missing` is the default.
AnswerRule AnswerOption(PolicyOptions& options, bool has_values, AnswerRule missing);
// Reads the option "draw_value": the value of a draw for the side that moves first, 0 to 1.
DrawValue DrawOption(PolicyOptions& options);

}  // namespace joseki::book
