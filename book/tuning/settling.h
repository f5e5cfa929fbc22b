#pragma once

#include <cstddef>
#include <cstdint>

#include "book/stats/interval.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// Decides when the games at a position are enough, however often they are tested.
struct Settling {
  // Chance that a position is settled wrongly at any time of a run; 0: none is ever settled.
  double error = 0;
  // Moves whose scores differ by no more are equally good.
  double margin = 0.02;

  bool on() const { return error > 0; }
  bool operator==(const Settling&) const = default;
};

// Bounds of a mean score that hold for every number of games at once, but for a chance of `error`,
// even under a test after each game that may stop them. The normal mixture of Robbins for scores
// between 0 and 1 (Howard, Ramdas, McAuliffe and Sekhon 2021, "Time-uniform, nonparametric,
// nonasymptotic confidence sequences", with variance 1/4 a game), narrowest at some 500 games. A
// move's value may change with the book's answers: the bounds are then those of its mean value in
// its games. [0, 1] for games = 0. The same digits on every machine. REQUIRES: 0 <= points <=
// games, 0 < error < 1.
Interval AnytimeBounds(double points, double games, double error);

enum class Standing : uint8_t {
  kNoChoice,    // fewer than two moves
  kOpen,        // further games may change the answer
  kBest,        // no other move can be better by more than the margin
  kEquivalent,  // nor can the best be better than some others
};

struct Settlement {
  Standing standing = Standing::kNoChoice;
  size_t best = 0;      // the move with the largest lower bound
  double best_low = 0;  // that bound
  double possible = 0;  // by how much the best of the others may be better than it, at most

  bool settled() const { return standing == Standing::kBest || standing == Standing::kEquivalent; }
};

// The standing of the moves by their games, by bounds that hold for all of them together. Priors
// and values do not count: they may be wrong. REQUIRES: rule.on().
Settlement Settle(const Choices& at, DrawValue draw, const Settling& rule);

// True if games may still go through move `i` of a settled position: it is the best, or one of its
// equivalents.
bool StaysInPlay(const Choices& at, DrawValue draw, const Settling& rule, const Settlement& settled,
                 size_t i);

// "open", "best", "equivalent", "no-choice".
const char* Name(Standing standing);

}  // namespace joseki::book
