#include "coordinator/runs/line_searches.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "book/tuning/trial.h"
#include "coordinator/runs/run_state.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

// Far from the end of the game, so that lines find new positions for long.
constexpr char kFar[] = "90-95 b 1";

RunSpec Spec() {
  RunSpec spec;
  spec.start = kFar;
  spec.play.nodes = 400;
  spec.play.engine_signature = 77;
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
    const std::optional<PlannedSlot> plan = searches.Next(/*trials=*/true, "w", rng);
    ASSERT_TRUE(plan);
    const Slot& slot = plan->slot;
    uint64_t nodes = slot.nodes;
    if (slot.kind == SlotKind::kReply)
      nodes = ((slot.line.size() - slot.searched_from) / 2 + 1) * slot.nodes;
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
  const uint64_t spent = searches.budget().games_spent(book::TaskKind::kAnswer) +
                         searches.budget().games_spent(book::TaskKind::kReply) +
                         searches.budget().games_spent(book::TaskKind::kTrial);
  EXPECT_LE(spent, searches.budget().games_spent());
  EXPECT_GE(spent + 2, searches.budget().games_spent());
  EXPECT_EQ(searches.budget().games_spent(), all / (book::kGameMoves * 400));
}

TEST(LineSearches, ARunForItsOwnLimitNeedsLessToReplaceADeepChoice) {
  const testing::ToyRules rules;
  const Move chosen = testing::ToyMoves("b3").front();
  const Move other = testing::ToyMoves("a1").front();
  for (const bool own_limit : {false, true}) {
    RunSpec spec = Spec();
    spec.line_searches.own_limit = own_limit;
    LineSearches searches = Make(rules, spec);
    Slot deep;
    deep.kind = SlotKind::kEvaluation;
    deep.nodes = 16 * spec.line_searches.nodes;
    Slot widening = deep;
    widening.nodes = spec.line_searches.nodes;
    widening.excluded = {chosen};
    ASSERT_TRUE(searches.Load(deep, {.line = {}, .best = chosen, .score = 0, .worker = "w"}).ok());
    // 250 centipawns are 0.077 of an expected score.
    ASSERT_TRUE(
        searches.Load(widening, {.line = {}, .best = other, .score = 250, .worker = "w"}).ok());
    const Key start = rules.Start(kFar, MatchRules{}).value()->key();
    EXPECT_EQ(searches.repertoire().AnswerAt(start).move, own_limit ? other : chosen);
  }
}

TEST(LineSearches, WithoutTrialsGamesGetTheirShare) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Rng rng(3);
  uint64_t games = 0;
  while (games < 40) {
    const auto plan = searches.AreDue(games, /*trials=*/false)
                          ? searches.Next(/*trials=*/false, "w", rng)
                          : std::nullopt;
    if (!plan) {
      ++games;
      continue;
    }
    EXPECT_NE(plan->slot.kind, SlotKind::kTrial);
    searches.Add(*plan, /*open=*/true, Found(rules, plan->slot));
  }
  // Four tenths of the share of 90 percent are the trials', and go to games without them.
  const auto searched = static_cast<double>(searches.budget().games_spent());
  EXPECT_NEAR(searched / (searched + static_cast<double>(games)), 0.54, 0.03);
}

// Adds the engine's opinion of so many searches: of the first ones that there are.
void Ask(LineSearches& searches, const Rules& rules, uint64_t times, std::optional<int16_t> score,
         const std::string& worker, LeaseId lease) {
  Rng rng(lease);
  for (uint64_t i = 0; i < times; ++i) {
    const std::optional<PlannedSlot> plan = searches.Next(/*trials=*/true, worker, rng);
    ASSERT_TRUE(plan);
    LineSearch found = Found(rules, plan->slot);
    found.score = score;
    found.worker = worker;
    found.lease = lease;
    searches.Add(*plan, /*open=*/true, found);
  }
}

TEST(LineSearches, EndWhereScoresSayNothing) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Ask(searches, rules, LineSearches::kWithoutScores - 1, 0, "w", 1);
  EXPECT_EQ(searches.WhyOff(), "");
  EXPECT_TRUE(searches.AreDue(1000, /*trials=*/true));
  Ask(searches, rules, 1, 0, "w", 1);
  EXPECT_EQ(searches.WhyOff(), "the engine's scores are all 0");
  EXPECT_FALSE(searches.AreDue(1000, /*trials=*/true));
  // The workers that are trusted are asked.
  Trust trust;
  trust.Apply({.change = 1, .worker = "w", .action = TrustAction::kBlock, .lease = 2});
  searches.SetTrust(trust);
  EXPECT_EQ(searches.WhyOff(), "");
  Ask(searches, rules, LineSearches::kWithoutScores, std::nullopt, "v", 2);
  EXPECT_EQ(searches.WhyOff(), "the engine gives no scores");
  searches.SetTrust({});
  EXPECT_EQ(searches.WhyOff(), "the engine's scores are all 0");
  // One score that says something is enough, however late.
  Ask(searches, rules, 1, 30, "v", 3);
  EXPECT_EQ(searches.WhyOff(), "");
}

TEST(LineSearches, EndWhereTheStartIsLostUntilItsLateResult) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Rng rng(3);
  std::optional<PlannedSlot> plan;
  for (LeaseId lease = 1; lease <= 3; ++lease) {
    const std::string worker = "w" + std::to_string(lease);
    plan = searches.Next(/*trials=*/true, worker, rng);
    ASSERT_TRUE(plan);
    ASSERT_TRUE(plan->slot.line.empty());
    EXPECT_EQ(searches.WhyOff(), "");
    searches.Lose(*plan, /*open=*/true, LineFailure{lease, worker});
  }
  EXPECT_EQ(searches.WhyOff(), "the start position is closed: its searches failed");
  EXPECT_FALSE(searches.AreDue(1000, /*trials=*/true));
  EXPECT_FALSE(searches.Next(/*trials=*/true, "v", rng));
  LineSearch late = Found(rules, plan->slot);
  late.worker = "w3";
  late.lease = 3;
  searches.Add(*plan, /*open=*/false, late);
  EXPECT_EQ(searches.WhyOff(), "");
  EXPECT_TRUE(searches.AreDue(1000, /*trials=*/true));
  EXPECT_TRUE(searches.Next(/*trials=*/true, "v", rng));
}

TEST(LineSearches, ABlockedWorkersNodesAreSpentAgain) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Ask(searches, rules, 400, 30, "w", 1);
  const uint64_t by_w = searches.budget().games_spent();
  Ask(searches, rules, 400, 30, "v", 2);
  const uint64_t by_both = searches.budget().games_spent();
  ASSERT_GT(by_w, 0u);
  ASSERT_GT(by_both, by_w);
  Trust trust;
  trust.Apply({.change = 1, .worker = "v", .action = TrustAction::kBlock, .lease = 3});
  searches.SetTrust(trust);
  EXPECT_EQ(searches.budget().games_spent(), by_w);
  Ask(searches, rules, 1, 30, "w", 3);
  searches.SetTrust({});
  EXPECT_GE(searches.budget().games_spent(), by_both);
}

// A run whose searches of one worth have equal nodes.
RunSpec SpecWithoutJitter() {
  RunSpec spec = Spec();
  spec.play.jitter_percent = 0;
  return spec;
}

// Nodes of the answer at the start after 1,000 searches.
uint64_t NodesAtStart(LineSearches& searches, const Rules& rules) {
  Ask(searches, rules, 1000, 30, "w", 1);
  return searches.repertoire().AnswerAt(rules.Start(kFar, MatchRules{}).value()->key()).nodes;
}

TEST(LineSearches, LargerRunsSearchTriedAnswersDeeper) {
  const testing::ToyRules rules;
  const auto nodes_of = [&](uint64_t games, bool own_limit) {
    RunSpec spec = SpecWithoutJitter();
    spec.line_searches.own_limit = own_limit;
    LineSearches searches = Make(rules, spec);
    searches.PlanFor(games);
    return NodesAtStart(searches, rules);
  };
  const uint64_t small = nodes_of(1'000, false);
  EXPECT_EQ(nodes_of(5'000, false), small);
  EXPECT_GT(nodes_of(12'500, false), small);
  EXPECT_GT(nodes_of(20'000, false), small);
  EXPECT_EQ(nodes_of(100, true), nodes_of(1'000'000, true));
}

TEST(LineSearches, ARunThatIsExtendedSearchesTriedAnswersDeeperAtOnce) {
  const testing::ToyRules rules;
  const auto nodes_of = [&](uint64_t more) {
    RunSpec spec = testing::ToySpec(5'000);
    spec.line_searches = {.nodes = 2000, .share = 90};
    LoadedRun loaded = testing::FreshRun(spec);
    const auto searches = std::make_shared<LineSearches>(Make(rules, SpecWithoutJitter()));
    loaded.line_searches = searches;
    RunState run(std::move(loaded), 0, RunState::Options{});
    if (more > 0) {
      EXPECT_TRUE(run.Extend({.games = more, .request_id = {}}).ok());
    }
    run.Withdraw(run.Plan(/*lease=*/1, 1));
    return NodesAtStart(*searches, rules);
  };
  EXPECT_GT(nodes_of(15'000), nodes_of(0));
}

TEST(LineSearches, ABlockedWorkersLateResultsSayNothing) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Ask(searches, rules, 100, 30, "w", 1);
  Trust trust;
  trust.Apply({.change = 1, .worker = "v", .action = TrustAction::kBlock, .lease = 3});
  searches.SetTrust(trust);
  const LineSearchStatus before = searches.status(RunCalibration());
  Ask(searches, rules, 100, 30, "v", 2);
  EXPECT_EQ(searches.status(RunCalibration()).answers, before.answers);
  EXPECT_EQ(searches.status(RunCalibration()).trials, before.trials);
  EXPECT_EQ(searches.budget().games_spent(), before.games);
  EXPECT_EQ(searches.open(), 0u);
  searches.SetTrust({});
  EXPECT_GT(searches.status(RunCalibration()).answers, before.answers);
  EXPECT_GT(searches.budget().games_spent(), before.games);
}

TEST(LineSearches, AResultIsNoScoreOfTheEngine) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  Ask(searches, rules, LineSearches::kWithoutScores - 1, std::nullopt, "w", 1);
  Rng rng(7);
  std::optional<PlannedSlot> trial;
  while (!trial || trial->slot.kind != SlotKind::kTrial) {
    trial = searches.Next(/*trials=*/true, "w", rng);  // the others stay open
    ASSERT_TRUE(trial);
  }
  LineSearch won = Found(rules, trial->slot);
  won.over = true;
  searches.Add(*trial, /*open=*/true, won);
  EXPECT_FALSE(searches.say_something());
  Ask(searches, rules, 1, std::nullopt, "w", 1);
  EXPECT_EQ(searches.WhyOff(), "the engine gives no scores");
}

// A copy supports the same whenever it comes, and whatever the numbers of the workers.
TEST(LineSearches, ConfirmedRowsSupportWhatTheirCopiesDid) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  LineSearches restored = Make(rules, Spec());
  struct Row {
    PlannedSlot plan;
    LineSearch found;
    LineSearch again;
  };
  std::vector<Row> rows;
  Rng rng(3);
  for (int i = 0; i < 600; ++i) {
    const std::optional<PlannedSlot> plan = searches.Next(/*trials=*/true, "w", rng);
    ASSERT_TRUE(plan);
    Row row{*plan, Found(rules, plan->slot), {}};
    row.found.worker = i % 3 == 0 ? "v" : "w";
    row.found.lease = 1 + i / 10 * 3 + (i % 3 == 0);
    searches.Add(row.plan, /*open=*/true, row.found);
    row.again = row.found;
    row.again.worker = "u";
    row.again.lease = 3000 + i / 10;
    rows.push_back(row);
  }
  const auto answers = [](const LineSearches& of) {
    std::map<std::string, uint16_t> found;
    of.repertoire().ForEachAnswer(
        [&](const Key&, const PackedPosition& at, int, const book::Repertoire::Answer& answer) {
          found[std::string(at.bytes.begin(), at.bytes.end())] = answer.move.raw();
        });
    return found;
  };
  const size_t unconfirmed = answers(searches).size();
  for (size_t i = 0; i < rows.size(); i += 7) {
    PlannedSlot copy = rows[i].plan;
    copy.copy_of.lease = rows[i].found.lease;
    searches.Confirm(copy, rows[i].again);
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    ASSERT_TRUE(restored.Load(rows[i].plan.slot, rows[i].found).ok());
    if (i % 7 == 0) restored.LoadConfirmed(rows[i].plan.slot, rows[i].found, rows[i].again);
  }
  EXPECT_GT(answers(searches).size(), unconfirmed);
  EXPECT_EQ(answers(searches), answers(restored));
  // Without the second worker's word the first one's copies are worth nothing.
  Trust trust;
  trust.Apply({.change = 1, .worker = "u", .action = TrustAction::kBlock, .lease = 9000});
  searches.SetTrust(trust);
  EXPECT_EQ(answers(searches).size(), unconfirmed);
  // Copies that come while either worker is blocked count once it no longer is.
  for (const std::string worker : {"u", "v"}) {
    LineSearches late = Make(rules, Spec());
    Trust without;
    without.Apply({.change = 1, .worker = worker, .action = TrustAction::kBlock, .lease = 9000});
    late.SetTrust(without);
    for (const Row& row : rows) late.Add(row.plan, /*open=*/false, row.found);
    const size_t before = answers(late).size();
    for (size_t i = 0; i < rows.size(); i += 7) {
      PlannedSlot copy = rows[i].plan;
      copy.copy_of.lease = rows[i].found.lease;
      late.Confirm(copy, rows[i].again);
    }
    if (worker == "u") {
      EXPECT_EQ(answers(late).size(), before);
    }
    late.SetTrust({});
    EXPECT_EQ(answers(late), answers(restored)) << worker;
  }
}

TEST(LineSearches, AReplyCostsAsFarAsTheLineWasFollowed) {
  const testing::ToyRules rules;
  LineSearches searches = Make(rules, Spec());
  LineSearches restored = Make(rules, Spec());
  Rng rng(3);
  int left = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::optional<PlannedSlot> plan = searches.Next(/*trials=*/true, "w", rng);
    ASSERT_TRUE(plan);
    LineSearch found = Found(rules, plan->slot);
    Slot row = plan->slot;
    // The opponent leaves the line at its first move.
    if (row.kind == SlotKind::kReply && row.line.size() > row.searched_from) {
      ++left;
      row.line.resize(row.searched_from);
      found = Found(rules, row);
    }
    searches.Add(*plan, /*open=*/true, found);
    ASSERT_TRUE(restored.Load(row, found).ok());
  }
  EXPECT_GT(left, 100);
  EXPECT_EQ(searches.budget().games_spent(book::TaskKind::kReply),
            restored.budget().games_spent(book::TaskKind::kReply));
}

}  // namespace
}  // namespace joseki::coordinator
