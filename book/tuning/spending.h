#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/settling.h"
#include "book/tuning/tuner.h"

namespace joseki::book {

// A part of a run's games: one position with a choice.
struct PositionSpending {
  NodeId node = kNoNode;
  uint64_t games = 0;    // different ones that came here
  uint64_t repeats = 0;  // and further ones with the same moves as one of them
  uint64_t recent = 0;   // of those that are asked about
  Standing standing = Standing::kOpen;
  size_t answer = 0;  // index of the move that the book plays
  double gain = 0;    // ExpectedGain, times the share of the run's games that came here
};

struct Spending {
  uint64_t positions = 0;             // with a choice
  uint64_t reached = 0;               // of them, by games
  uint64_t settled = 0;               // of these
  double gain = 0;                    // of all
  std::vector<PositionSpending> top;  // most recent games first, then most games, then by node
};

// By how much the best move is expected to be better than the answer, if it were known, for a
// position that a game comes to: of the pair for which this is most, by what the policy believes,
// or by the games and one win and one loss where it has no beliefs.
double ExpectedGain(const Choices& at, DrawValue draw, size_t answer);

// `recent`: by node, games of late; empty: none. At most `most` positions are listed.
// REQUIRES: tuner.values_ready(), rule.on().
Spending SpendingOf(const Tuner& tuner, const Settling& rule, std::span<const uint32_t> recent,
                    size_t most);

}  // namespace joseki::book
