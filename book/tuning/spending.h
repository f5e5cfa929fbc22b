#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/settling.h"
#include "book/tuning/tuner.h"

namespace joseki::book {

// The games that a run spent at one position with a choice.
struct PositionSpending {
  NodeId node = kNoNode;
  uint64_t games = 0;    // distinct games through the position
  uint64_t repeats = 0;  // further games identical to one of them
  uint64_t recent = 0;   // games of the recent period
  Standing standing = Standing::kOpen;
  size_t answer = 0;  // index of the book's move
  double gain = 0;    // ExpectedGain times the share of the run's games through the position
};

struct Spending {
  uint64_t positions = 0;             // with a choice
  uint64_t reached = 0;               // positions that games reached
  uint64_t settled = 0;               // reached positions that are settled
  double gain = 0;                    // sum over positions
  std::vector<PositionSpending> top;  // most recent games first, then most games, then by node
};

// Expected gain in score, for a game that reaches the position, from knowing the best move rather
// than playing the answer. It is the largest over all pairs with the answer, by the policy's
// beliefs. A policy without beliefs uses the games plus one win and one loss.
double ExpectedGain(const Choices& at, DrawValue draw, size_t answer);

// `recent`: recent games by node; empty: none. Lists at most `most` positions. REQUIRES:
// tuner.values_ready(), rule.on().
Spending SpendingOf(const Tuner& tuner, const Settling& rule, std::span<const uint32_t> recent,
                    size_t most);

}  // namespace joseki::book
