#include "book/tuning/tuner.h"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "book/tuning/line.h"
#include "book/tuning/seen_games.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"

namespace joseki::book {
namespace {

using joseki::testing::ToyBook;
using joseki::testing::ToyMoves;
using joseki::testing::ToyPosition;
using joseki::testing::ToyRules;

constexpr Ending kFirstWins = {Result::kFirstWins, Termination::kNoLegalMove};
constexpr Ending kSecondWins = {Result::kSecondWins, Termination::kResign};
constexpr Ending kDrawn = {Result::kDraw, Termination::kMaxPlies};

// A game that owns its edges.
struct StoredGame {
  std::vector<EdgeId> edges;
  Ending ending;
  int stage = 0;
  uint64_t moves_hash = 0;

  operator TunedGame() const { return {edges, ending, stage, moves_hash}; }
};

class TunerTest : public ::testing::Test {
 protected:
  TunerTest()
      : graph_(std::make_shared<const Graph>(Graph::Build(ToyRules(), ToyBook(5)).value())),
        start_(graph_->Find(ToyPosition().key())) {}

  Tuner Make(std::string_view policy = "result-driven",
             const std::map<std::string, std::string>& options = {}) const {
    return Tuner(graph_, std::shared_ptr<const Policy>(MakePolicy(policy, options).value()));
  }
  std::vector<EdgeId> Edges(std::string_view line) const {
    return EdgesOf(*graph_, start_, ToyMoves(line));
  }
  // Games on random lines, some of them the same game again, some faults.
  std::vector<StoredGame> RandomGames(Tuner& tuner, int count, uint64_t seed) const {
    Rng rng(seed);
    std::vector<StoredGame> games;
    for (int i = 0; i < count; ++i) {
      if (!games.empty() && rng.Below(4) == 0) {
        games.push_back(games[rng.Below(games.size())]);
        continue;
      }
      const Line line = *ChooseLine(tuner, start_, 0, {.deviation = 0.1}, rng);
      Ending ending = {static_cast<Result>(1 + rng.Below(3)), Termination::kResign};
      if (rng.Below(10) == 0) ending.termination = Termination::kCrash;
      games.push_back({line.edges, ending, static_cast<int>(rng.Below(3)), rng.Next()});
    }
    return games;
  }

  std::shared_ptr<const Graph> graph_;
  NodeId start_;
};

using ArmState = std::pair<int64_t, Evidence>;
std::vector<ArmState> StateOf(std::span<const Arm> arms) {
  std::vector<ArmState> state;
  for (const Arm& arm : arms) state.emplace_back(arm.sum, arm.evidence);
  return state;
}

TEST_F(TunerTest, StartsFromTheGraph) {
  const Tuner tuner = Make();
  ASSERT_EQ(tuner.arms().size(), graph_->edge_count());
  for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
    EXPECT_EQ(tuner.arms()[edge].base_weight, graph_->edge(edge).base_weight);
    EXPECT_EQ(tuner.frozen(edge).base_weight, graph_->edge(edge).base_weight);
    EXPECT_EQ(tuner.arms()[edge].evidence, Evidence());
  }
  EXPECT_EQ(tuner.arms(start_).size(), 3u);
}

TEST_F(TunerTest, CreditsEachMoveFromItsMoversSide) {
  Tuner tuner = Make();
  const std::vector<EdgeId> edges = Edges("a1 b1 a2");
  ASSERT_EQ(edges.size(), 3u);
  EXPECT_TRUE(tuner.Apply({edges, kFirstWins, 0, 1}));
  EXPECT_EQ(tuner.arms()[edges[0]].evidence, (Evidence{1, 0, 0, 0}));
  EXPECT_EQ(tuner.arms()[edges[1]].evidence, (Evidence{0, 0, 1, 0}));
  EXPECT_EQ(tuner.arms()[edges[2]].evidence, (Evidence{1, 0, 0, 0}));
  EXPECT_EQ(tuner.arms()[edges[0]].sum, 16);
  EXPECT_EQ(tuner.arms()[edges[1]].sum, -16);
  EXPECT_TRUE(tuner.Apply({edges, kSecondWins, 1, 2}));
  EXPECT_EQ(tuner.arms()[edges[0]].sum, 8);
  EXPECT_EQ(tuner.arms()[edges[1]].sum, -8);
  EXPECT_EQ(tuner.arms()[edges[1]].evidence, (Evidence{1, 0, 1, 0}));
}

TEST_F(TunerTest, SharesEvidenceAcrossTranspositions) {
  Tuner tuner = Make();
  const std::vector<EdgeId> one = Edges("a1 b1 a2");
  const std::vector<EdgeId> other = Edges("b1 a1 a2");
  EXPECT_NE(one[0], other[0]);
  ASSERT_EQ(one[2], other[2]);
  tuner.Apply({one, kFirstWins, 0, 1});
  tuner.Apply({other, kFirstWins, 0, 2});
  EXPECT_EQ(tuner.arms()[one[2]].evidence, (Evidence{2, 0, 0, 0}));
}

TEST_F(TunerTest, CreditsARepeatedEdgeOnce) {
  Tuner tuner = Make();
  const EdgeId edge = Edges("a1")[0];
  tuner.Apply({std::vector<EdgeId>{edge, edge, edge}, kFirstWins, 0, 1});
  EXPECT_EQ(tuner.arms()[edge].evidence, (Evidence{1, 0, 0, 0}));
}

TEST_F(TunerTest, CountsDrawsOnlyWhereThePolicyLearnsFromThem) {
  Tuner staged = Make("result-driven");
  Tuner mean = Make("sample-average");
  const std::vector<EdgeId> edges = Edges("a1");
  EXPECT_FALSE(staged.Apply({edges, kDrawn, 0, 1}));
  EXPECT_TRUE(mean.Apply({edges, kDrawn, 0, 1}));
  EXPECT_EQ(staged.arms()[edges[0]].evidence, (Evidence{0, 1, 0, 0}));
  EXPECT_EQ(staged.arms()[edges[0]].sum, 0);
  EXPECT_EQ(mean.arms()[edges[0]].evidence, (Evidence{0, 1, 0, 0}));
}

TEST_F(TunerTest, FaultsAreNoEvidence) {
  Tuner tuner = Make();
  const std::vector<ArmState> before = StateOf(tuner.arms());
  for (const Termination fault : {Termination::kIllegalMove, Termination::kCrash,
                                  Termination::kTimeForfeit, Termination::kInterrupted}) {
    EXPECT_FALSE(tuner.Apply({Edges("a1 b1"), {Result::kFirstWins, fault}, 0, 1}));
  }
  EXPECT_FALSE(tuner.Apply({Edges("a1 b1"), {}, 0, 1}));
  EXPECT_EQ(StateOf(tuner.arms()), before);
  EXPECT_EQ(tuner.distinct_games(), 0u);
}

TEST_F(TunerTest, ALineWithoutMovesStillCounts) {
  Tuner tuner = Make();
  EXPECT_TRUE(tuner.Apply({{}, kFirstWins, 0, 1}));
  EXPECT_FALSE(tuner.Apply({{}, kDrawn, 0, 2}));
}

TEST_F(TunerTest, TheSameMovesAreOnePieceOfEvidence) {
  Tuner tuner = Make();
  const std::vector<EdgeId> edges = Edges("a1 b1");
  tuner.Apply({edges, kFirstWins, 0, 77});
  tuner.Apply({edges, kFirstWins, 1, 77});
  tuner.Apply({edges, kFirstWins, 1, 78});
  tuner.Apply({Edges("a1"), kFirstWins, 1, 79});
  EXPECT_EQ(tuner.arms()[edges[0]].evidence, (Evidence{3, 0, 0, 1}));
  EXPECT_EQ(tuner.arms()[edges[1]].evidence, (Evidence{0, 0, 2, 1}));
  EXPECT_EQ(tuner.arms()[edges[0]].sum, 16 + 8 + 8) << "a repeat moves no weight";
  EXPECT_EQ(tuner.distinct_games(), 3u);
}

TEST_F(TunerTest, AStagedPolicySelectsByFrozenWeights) {
  Tuner tuner = Make();
  const EdgeId edge = Edges("a1")[0];
  tuner.Apply({std::vector<EdgeId>{edge}, kFirstWins, 0, 1});
  EXPECT_EQ(tuner.arms()[edge].sum, 16);
  EXPECT_EQ(tuner.frozen(edge).sum, 0);
  tuner.Freeze();
  EXPECT_EQ(tuner.frozen(edge).sum, 16);
}

TEST_F(TunerTest, AnOnlinePolicySelectsByWhatIsKnownNow) {
  Tuner tuner = Make("epsilon-greedy");
  const EdgeId edge = Edges("a1")[0];
  tuner.Apply({std::vector<EdgeId>{edge}, kFirstWins, 0, 1});
  EXPECT_EQ(tuner.frozen(edge).evidence.wins, 1u);
}

TEST_F(TunerTest, InFlightGamesAreSeenAtOnce) {
  for (const char* policy : {"result-driven", "sample-average"}) {
    Tuner tuner = Make(policy);
    const std::vector<EdgeId> edges = Edges("a1 b1");
    tuner.AddInFlight(edges);
    tuner.AddInFlight(Edges("a1"));
    EXPECT_EQ(tuner.frozen(edges[0]).in_flight, 2u);
    EXPECT_EQ(tuner.arms()[edges[1]].in_flight, 1u);
    tuner.Freeze();
    tuner.RemoveInFlight(edges);
    EXPECT_EQ(tuner.frozen(edges[0]).in_flight, 1u);
    EXPECT_EQ(tuner.arms()[edges[0]].in_flight, 1u);
    EXPECT_EQ(tuner.arms()[edges[1]].in_flight, 0u);
  }
}

TEST_F(TunerTest, AnyOrderOfTheSameGamesGivesTheSameArms) {
  for (const std::string_view policy : PolicyNames()) {
    Tuner tuner = Make(policy);
    if (!tuner.policy().order_free()) continue;
    std::vector<StoredGame> games = RandomGames(tuner, 300, 5);
    int counted = 0;
    for (const StoredGame& game : games) counted += tuner.Apply(game) ? 1 : 0;
    EXPECT_GT(counted, 100);
    Rng rng(6);
    for (int round = 0; round < 5; ++round) {
      for (size_t i = games.size(); i > 1; --i) std::swap(games[i - 1], games[rng.Below(i)]);
      Tuner again = Make(policy);
      int counted_again = 0;
      for (const StoredGame& game : games) counted_again += again.Apply(game) ? 1 : 0;
      EXPECT_EQ(StateOf(again.arms()), StateOf(tuner.arms()));
      EXPECT_EQ(again.distinct_games(), tuner.distinct_games());
      EXPECT_EQ(counted_again, counted);
    }
  }
}

// sum = (wins - losses) * delta on every edge, and each position's games are as many as came there.
TEST_F(TunerTest, SumsAreTheClosedFormOfAStage) {
  Tuner tuner = Make("result-driven", {{"delta", "7"}});
  for (const StoredGame& game : RandomGames(tuner, 500, 8)) tuner.Apply(game);
  for (const Arm& arm : tuner.arms()) {
    EXPECT_EQ(arm.sum, 7 * (static_cast<int64_t>(arm.evidence.wins) - arm.evidence.losses));
    EXPECT_GE(arm.evidence.played(), arm.evidence.games());
  }
}

TEST_F(TunerTest, GoesOnFromACheckpoint) {
  Tuner whole = Make();
  const std::vector<StoredGame> games = RandomGames(whole, 200, 9);
  Tuner first = Make();
  for (size_t i = 0; i < games.size(); ++i) {
    whole.Apply(games[i]);
    if (i < 120) first.Apply(games[i]);
  }
  Tuner second = Make();
  for (EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
    second.Load(edge, first.arms()[edge].sum, first.arms()[edge].evidence);
  }
  for (size_t i = 0; i < 120; ++i) {
    if (!IsFault(games[i].ending.termination)) second.LoadSeen(games[i].moves_hash);
  }
  for (size_t i = 120; i < games.size(); ++i) second.Apply(games[i]);
  EXPECT_EQ(StateOf(second.arms()), StateOf(whole.arms()));
  EXPECT_EQ(second.distinct_games(), whole.distinct_games());
}

TEST_F(TunerTest, FreezesWhatWasKnownBeforeTheStage) {
  Tuner tuner = Make();
  const std::vector<StoredGame> games = RandomGames(tuner, 160, 10);
  for (size_t i = 0; i < 100; ++i) tuner.Apply(games[i]);
  tuner.Freeze();
  const std::vector<Arm> frozen(tuner.arms().begin(), tuner.arms().end());
  for (size_t i = 100; i < games.size(); ++i) tuner.Apply(games[i]);
  tuner.AddInFlight(games[0].edges);
  EXPECT_NE(StateOf(tuner.arms()), StateOf(frozen));

  // A tuner loaded from a checkpoint behaves the same.
  Tuner loaded = Make();
  for (EdgeId edge = 0; edge < frozen.size(); ++edge) {
    loaded.Load(edge, tuner.arms()[edge].sum, tuner.arms()[edge].evidence);
  }
  loaded.AddInFlight(games[0].edges);
  loaded.Freeze();
  for (EdgeId edge = 0; edge < frozen.size(); ++edge) {
    const Arm& was = tuner.frozen(edge);
    if (was.evidence == tuner.arms()[edge].evidence) continue;
    loaded.LoadFrozen(edge, was.sum, was.evidence);
  }
  for (Tuner* each : {&tuner, &loaded}) {
    for (NodeId node = 0; node < graph_->node_count(); ++node) {
      const std::span<const Arm> selection = each->selection(node).arms;
      ASSERT_EQ(selection.size(), graph_->node(node).count);
      for (size_t i = 0; i < selection.size(); ++i) {
        const EdgeId edge = graph_->node(node).first + static_cast<EdgeId>(i);
        EXPECT_EQ(selection[i].sum, frozen[edge].sum);
        EXPECT_EQ(selection[i].evidence, frozen[edge].evidence);
        EXPECT_EQ(selection[i].base_weight, frozen[edge].base_weight);
        EXPECT_EQ(selection[i].in_flight, tuner.arms()[edge].in_flight);
      }
    }
  }
}

// A whole run on the toy game: lines chosen, played out by its rules and credited, stage by stage.
TEST_F(TunerTest, CarriesAWholeRun) {
  Tuner tuner = Make("result-driven", {{"games", "400"}});
  const ToyRules rules;
  Rng rng(12);
  int counted = 0;
  const auto stages = static_cast<int>(tuner.policy().stages().size());
  for (int stage = 0; stage < stages; ++stage) {
    if (stage > 0) tuner.Freeze();
    int quota = static_cast<int>(tuner.policy().stages()[stage].games);
    while (quota > 0) {
      const Line line = *ChooseLine(tuner, start_, stage, LineRules(), rng);
      const auto state = *rules.Start("startpos", MatchRules());
      for (const Move move : line.moves) ASSERT_TRUE(state->Play(move));
      tuner.AddInFlight(line.edges);
      std::vector<Move> rest;
      const Ending ending = joseki::testing::PlayOut(*state, rng, rest);
      tuner.RemoveInFlight(line.edges);
      if (tuner.Apply({line.edges, ending, stage, rng.Next()})) {
        --quota;
        ++counted;
      }
    }
  }
  EXPECT_EQ(counted, 2000);
  uint32_t root_games = 0;
  for (const Arm& arm : tuner.arms(start_)) {
    EXPECT_EQ(arm.in_flight, 0u);
    root_games += arm.evidence.games();
  }
  // All but the games that left the book at the very start (0.8 %).
  EXPECT_LE(root_games, 2000u);
  EXPECT_GE(root_games, 1960u);
}

TEST(ScoreFor, IsTheMoversView) {
  EXPECT_EQ(ScoreFor(Color::kFirst, kFirstWins), Score::kWin);
  EXPECT_EQ(ScoreFor(Color::kSecond, kFirstWins), Score::kLoss);
  EXPECT_EQ(ScoreFor(Color::kFirst, kSecondWins), Score::kLoss);
  EXPECT_EQ(ScoreFor(Color::kSecond, kSecondWins), Score::kWin);
  EXPECT_EQ(ScoreFor(Color::kFirst, kDrawn), Score::kDraw);
}

TEST(SeenGamesTest, KnowsWhatWasPutIn) {
  Rng rng(5);
  std::vector<uint64_t> first;
  for (int i = 0; i < 20'000; ++i) first.push_back(rng.Next());
  SeenGames games;
  games.Insert(std::span<const uint64_t>(first).first(10'000));
  EXPECT_EQ(games.size(), 10'000u);
  size_t found = 0;
  size_t added = 0;
  for (const uint64_t hash : first) {
    if (games.Contains(hash)) ++found;
    if (games.Insert(hash)) ++added;
    EXPECT_TRUE(games.Contains(hash));
  }
  EXPECT_EQ(found, 10'000u);
  EXPECT_EQ(added, 10'000u);
  EXPECT_EQ(games.size(), 20'000u);
  // All at once, in part known and in part repeated.
  first.insert(first.end(), first.begin(), first.begin() + 100);
  first.push_back(rng.Next());
  games.Insert(first);
  EXPECT_EQ(games.size(), 20'001u);
  EXPECT_TRUE(games.Contains(first.back()));
}

}  // namespace
}  // namespace joseki::book
