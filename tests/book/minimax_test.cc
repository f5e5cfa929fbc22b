#include "book/minimax.h"

#include <algorithm>
#include <set>
#include <vector>

#include "base/rng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;

struct TestMove {
  int32_t to = kNoTarget;
  int32_t value = 0;
  bool check = false;
};

MinimaxGraph GraphOf(const std::vector<std::vector<TestMove>>& nodes,
                     const std::vector<uint8_t>& second, bool with_checks = false) {
  MinimaxGraph graph;
  graph.second = second;
  graph.first.push_back(0);
  for (const auto& moves : nodes) {
    for (const TestMove& move : moves) {
      graph.to.push_back(move.to);
      graph.value.push_back(move.value);
      if (with_checks) graph.checks.push_back(move.check ? 1 : 0);
    }
    graph.first.push_back(static_cast<uint32_t>(graph.to.size()));
  }
  return graph;
}

// The value of every position for the first side, by testing for each value whether that side can
// reach it. A value above the repetition's must be forced eventually; for one below, it suffices to
// avoid everything worse for ever.
std::vector<int32_t> Exhaustive(const MinimaxGraph& graph, int32_t draw) {
  const size_t count = graph.first.size() - 1;
  std::set<int32_t> wanted = {draw};
  const auto leaf = [&](size_t node, uint32_t move) {
    return graph.second[node] != 0 ? -graph.value[move] : graph.value[move];
  };
  for (size_t node = 0; node < count; ++node) {
    for (uint32_t move = graph.first[node]; move < graph.first[node + 1]; ++move) {
      if (graph.to[move] == kNoTarget) wanted.insert(leaf(node, move));
    }
  }
  std::vector<int32_t> values(count, -100'000);
  for (const int32_t value : wanted) {
    std::vector<bool> can(count, value <= draw);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t node = 0; node < count; ++node) {
        const bool any = graph.second[node] == 0;
        bool holds = !any;
        for (uint32_t move = graph.first[node]; move < graph.first[node + 1]; ++move) {
          const int32_t to = graph.to[move];
          const bool good =
              to == kNoTarget ? leaf(node, move) >= value : can[static_cast<size_t>(to)];
          holds = any ? holds || good : holds && good;
        }
        if (holds == can[node] || (value > draw) != holds) continue;
        can[node] = holds;
        changed = true;
      }
    }
    for (size_t node = 0; node < count; ++node) {
      if (can[node]) values[node] = value;
    }
  }
  return values;
}

TEST(Minimax, EqualsTheExhaustiveSolutionOfSmallGraphs) {
  Rng rng(7);
  int circles = 0;
  for (int round = 0; round < 20'000; ++round) {
    const size_t count = 1 + rng.Below(9);
    std::vector<std::vector<TestMove>> nodes(count);
    std::vector<uint8_t> second(count);
    for (size_t node = 0; node < count; ++node) {
      second[node] = static_cast<uint8_t>(rng.Below(2));
      for (uint64_t move = 1 + rng.Below(3); move > 0; --move) {
        TestMove& added = nodes[node].emplace_back();
        if (rng.Below(4) != 0) added.to = static_cast<int32_t>(rng.Below(count));
        added.value = static_cast<int32_t>(rng.Below(9)) - 4;
      }
    }
    // Sides take turns: a move from a side leads to the other's positions.
    for (size_t node = 0; node < count; ++node) {
      for (TestMove& move : nodes[node]) {
        if (move.to != kNoTarget && second[static_cast<size_t>(move.to)] == second[node]) {
          move.to = kNoTarget;
        }
      }
    }
    const auto draw = static_cast<int32_t>(rng.Below(5)) - 2;
    const MinimaxGraph graph = GraphOf(nodes, second);
    const MinimaxValues values = Minimax(graph, draw);
    const std::vector<int32_t> expected = Exhaustive(graph, draw);
    circles += static_cast<int>(values.circles);
    for (size_t node = 0; node < count; ++node) {
      ASSERT_EQ(second[node] != 0 ? -values.value[node] : values.value[node], expected[node])
          << "round " << round << " node " << node;
    }
  }
  EXPECT_GT(circles, 5'000);
}

TEST(Minimax, LinesHaveALength) {
  // 0 -> 1 -> 2 -> a win of 50 for the side to move at 2; 0 also ends at once with -60.
  const MinimaxGraph line = GraphOf({{{1}, {kNoTarget, -60}}, {{2}}, {{kNoTarget, 50}}}, {0, 1, 0});
  const MinimaxValues values = Minimax(line);
  EXPECT_THAT(values.value, ElementsAre(50, -50, 50));
  EXPECT_THAT(values.plies, ElementsAre(3u, 2u, 1u));
  EXPECT_EQ(values.circles, 0u);
  EXPECT_EQ(MoveValue(line, values, 0), 50);
  EXPECT_EQ(MoveValue(line, values, 1), -60);
}

TEST(Minimax, WhoIsBehindGoesRound) {
  // Either side may leave the circle, at a loss.
  const MinimaxGraph graph = GraphOf({{{1}, {kNoTarget, -30}}, {{0}, {kNoTarget, -20}}}, {0, 1});
  const MinimaxValues even = Minimax(graph);
  EXPECT_THAT(even.value, ElementsAre(0, 0));
  EXPECT_THAT(even.plies, ElementsAre(MinimaxValues::kRepeats, MinimaxValues::kRepeats));
  EXPECT_EQ(even.circles, 1u);
  EXPECT_EQ(even.largest, 2u);
  // If a repetition is bad for the first side, it leaves the cycle.
  EXPECT_THAT(Minimax(graph, -40).value, ElementsAre(-30, 30));
  EXPECT_THAT(Minimax(graph, 25).value, ElementsAre(20, -20));
}

TEST(Minimax, PerpetualCheckLosesForWhoChecks) {
  const auto circle = [](bool first, bool second) {
    return GraphOf({{{1, 0, first}, {kNoTarget, -30}}, {{0, 0, second}, {kNoTarget, -20}}}, {0, 1},
                   /*with_checks=*/true);
  };
  EXPECT_THAT(Minimax(circle(true, false)).value, ElementsAre(-30, 30));
  EXPECT_THAT(Minimax(circle(false, true)).value, ElementsAre(20, -20));
  EXPECT_THAT(Minimax(circle(true, true)).value, ElementsAre(0, 0));
  // Nowhere else to go.
  const MinimaxGraph caught = GraphOf({{{1, 0, true}}, {{0}}}, {0, 1}, /*with_checks=*/true);
  EXPECT_THAT(Minimax(caught).value, ElementsAre(kLostValue, -kLostValue));
}

}  // namespace
}  // namespace joseki::book
