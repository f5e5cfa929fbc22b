#pragma once

#include <cstddef>
#include <cstdint>

#include "book/stats/interval.h"
#include "book/tuning/policy.h"

namespace joseki::book {

// Rule for when the games at a position suffice, valid under repeated testing.
struct Settling {
  // Probability that a position is ever settled wrongly during a run; 0: settling is off.
  double error = 0;
  // Moves whose scores differ by at most this are equally good.
  double margin = 0.02;

  bool on() const { return error > 0; }
  bool operator==(const Settling&) const = default;
};

// Bounds of a mean score that hold for all numbers of games at once, with probability 1 - `error`.
// A test after each game may thus stop the games. They are the normal mixture of Robbins for scores
// between 0 and 1, with variance 1/4 a game, narrowest at about 500 games. Source: Howard, Ramdas,
// McAuliffe and Sekhon 2021, "Time-uniform, nonparametric, nonasymptotic confidence sequences". If
// a move's value changes with the book's answers, they bound its mean value in its games. [0, 1]
// for games = 0. The digits are equal on every machine. REQUIRES: 0 <= points <= games, 0 < error <
// 1.
Interval AnytimeBounds(double points, double games, double error);

enum class Standing : uint8_t {
  kNoChoice,    // fewer than two moves
  kOpen,        // further games may change the answer
  kBest,        // no other move can exceed it by more than the margin
  kEquivalent,  // in addition the best cannot exceed some others by more
};

struct Settlement {
  Standing standing = Standing::kNoChoice;
  size_t best = 0;      // the move with the largest lower bound
  double best_low = 0;  // that lower bound
  double possible = 0;  // the most by which another move may exceed it

  bool settled() const { return standing == Standing::kBest || standing == Standing::kEquivalent; }
};

// Judges the moves by their games, with bounds that hold for all of them together. Priors and
// values are ignored, as they may be wrong. REQUIRES: rule.on().
Settlement Settle(const Choices& at, DrawValue draw, const Settling& rule);

// True if games may still go through move `i` of a settled position: it is the best or equivalent
// to it.
bool StaysInPlay(const Choices& at, DrawValue draw, const Settling& rule, const Settlement& settled,
                 size_t i);

// Name for output: "open", "best", "equivalent" or "no-choice".
const char* Name(Standing standing);

}  // namespace joseki::book
