#include "coordinator/runs/line_searches.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

// Far from the end of the game, so that lines find new positions for long.
constexpr char kFar[] = "90-95 b 1";

RunSpec Spec() {
  RunSpec spec;
  spec.start = kFar;
  spec.play.nodes = 400;
  spec.line_searches = {.nodes = 2000, .share = 90};
  return spec;
}

LineSearches Make(const Rules& rules, const RunSpec& spec) {
  auto graph = std::make_shared<const book::Graph>(
      book::Graph::Build(rules, testing::ToyBook(3, "a1 a2 b1", kFar)).value());
  return LineSearches::Make(rules, graph, spec, /*attempts=*/3).value();
}

// Result of an engine without knowledge: the first move that is asked for.
LineSearch Found(const Rules& rules, const Slot& slot) {
  const auto state = rules.Start(kFar, MatchRules{}).value();
  state->PlayAll(slot.line);
  LineSearch found{.line = slot.line, .best = std::nullopt, .score = 30, .worker = "w"};
  if (slot.kind == SlotKind::kTrial) return found;
  for (const Move move : state->LegalMoves()) {
    if (std::find(slot.excluded.begin(), slot.excluded.end(), move) != slot.excluded.end()) {
      continue;
    }
    found.best = move;
    break;
  }
  return found;
}

TEST(LineSearches, TrialsHaveTheirShareAndNodesAreCountedByKind) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Rng rng(3);
  uint64_t all = 0;
  uint64_t trials = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::optional<PlannedSlot> plan = searches.Next("w", rng);
    ASSERT_TRUE(plan);
    const Slot& slot = plan->slot;
    uint64_t nodes = slot.nodes;
    if (slot.kind == SlotKind::kReply)
      nodes = ((slot.line.size() - slot.searched_from) / 2 + 1) * 400;
    if (slot.kind == SlotKind::kTrial) {
      nodes = uint64_t{slot.plies} * 400;
      trials += nodes;
    }
    all += nodes;
    searches.Add(*plan, /*open=*/true, Found(rules, slot));
  }
  EXPECT_NEAR(static_cast<double>(trials) / static_cast<double>(all), 0.4, 0.02);
  EXPECT_EQ(searches.open(), 0u);
  // In games; each kind is rounded down.
  const uint64_t spent = searches.games_spent(book::TaskKind::kAnswer) +
                         searches.games_spent(book::TaskKind::kReply) +
                         searches.games_spent(book::TaskKind::kTrial);
  EXPECT_LE(spent, searches.games_spent());
  EXPECT_GE(spent + 2, searches.games_spent());
  EXPECT_EQ(searches.games_spent(), all / (LineSearches::kGameMoves * 400));
}

}  // namespace
}  // namespace joseki::coordinator
