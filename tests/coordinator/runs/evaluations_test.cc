#include "coordinator/runs/evaluations.h"

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "coordinator/runs/evaluation_intake.h"
#include "coordinator/runs/evaluation_load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

constexpr PriorSpec kSpec{.nodes = 5000};
constexpr uint64_t kAll = 1'000'000;

class EvaluationsTest : public ::testing::Test {
 protected:
  EvaluationsTest()
      : graph_(std::make_shared<const book::Graph>(
            book::Graph::Build(rules_, testing::ToyBook(4)).value())),
        start_(graph_->Find(rules_.Start("startpos", MatchRules{}).value()->key())),
        evaluations_(Make(kSpec)) {}

  Evaluations Make(const PriorSpec& spec, int plies = 500) {
    return Evaluations::Make(rules_, graph_, start_, plies, spec, 3).value();
  }
  PackedPosition After(const std::vector<Move>& line) {
    const auto state = rules_.Start("startpos", MatchRules{}).value();
    for (const Move move : line) EXPECT_TRUE(state->Play(move));
    return state->packed();
  }
  static PriorSet Everything() {
    PriorSet set;
    set.evaluations = kAll;
    return set;
  }

  const testing::ToyRules rules_{};
  const std::shared_ptr<const book::Graph> graph_;
  const book::NodeId start_;
  Evaluations evaluations_;
};

TEST_F(EvaluationsTest, SearchesEachPositionOnceTheNearestFirst) {
  std::set<PackedPosition> expected;
  for (book::EdgeId edge = 0; edge < graph_->edge_count(); ++edge) {
    const auto state =
        rules_.Start(graph_->node(graph_->edge(edge).from).packed, MatchRules{}).value();
    ASSERT_TRUE(state->Play(graph_->edge(edge).move));
    expected.insert(state->packed());
  }
  std::set<PackedPosition> searched;
  size_t plies = 0;
  while (const auto plan = evaluations_.Next()) {
    EXPECT_EQ(plan->slot.kind, SlotKind::kEvaluation);
    EXPECT_EQ(plan->slot.nodes, 5000u);
    EXPECT_EQ(plan->failures, 0u);
    EXPECT_GE(plan->slot.line.size(), plies);
    plies = plan->slot.line.size();
    EXPECT_TRUE(searched.insert(After(plan->slot.line)).second) << "twice";
    EXPECT_TRUE(evaluations_.positions().Of(plan->slot.line));
  }
  EXPECT_EQ(searched, expected);
  EXPECT_EQ(evaluations_.open(), expected.size());
  EXPECT_EQ(evaluations_.count().positions, expected.size());
}

TEST_F(EvaluationsTest, KeepsToItsLimits) {
  Evaluations three = Make({.nodes = 10, .positions = 3});
  EXPECT_EQ(three.Available(), 3u);
  Evaluations shallow = Make(kSpec, 1);
  EXPECT_EQ(shallow.Available(), graph_->node(start_).count);
}

TEST_F(EvaluationsTest, AnAnswerIsAPriorOfEveryMoveThatLeadsThere) {
  // a1 b1 and b1 a1 come to the same position.
  const Move a1 = Move::Board(0, 1);
  const Move b1 = Move::Board(1, 1);
  const PackedPosition meeting = After({a1, b1});
  std::optional<PlannedSlot> plan;
  do {
    plan = evaluations_.Next();
    ASSERT_TRUE(plan);
  } while (After(plan->slot.line) != meeting);
  evaluations_.Add(*plan, true, {.seq = 3, .score = 200, .worker = "w", .lease = 1});
  const auto priors = evaluations_.PriorsOf(Everything(), {});
  std::vector<book::EdgeId> edges;
  for (book::EdgeId edge = 0; edge < priors->size(); ++edge) {
    if ((*priors)[edge].games > 0) edges.push_back(edge);
  }
  const auto edge_at = [&](Move first, Move second) {
    const book::NodeId node = graph_->edge(graph_->FindMove(start_, first)).to;
    return graph_->FindMove(node, second);
  };
  EXPECT_THAT(edges, ::testing::UnorderedElementsAre(edge_at(a1, b1), edge_at(b1, a1)));
  // 200 for who is to move there is as much against who went there.
  EXPECT_EQ((*priors)[edges[0]], book::PriorOf(-200, {}));
  EXPECT_EQ(evaluations_.Of(edges[0])->score, 200);
  EXPECT_THAT(evaluations_.AssessmentsOf(Everything(), {}).OfOwnProfile(), ::testing::SizeIs(2));
  EXPECT_EQ(evaluations_.count().done, 1u);
}

TEST_F(EvaluationsTest, TheFirstAnswerStands) {
  const PlannedSlot plan = *evaluations_.Next();
  evaluations_.Lose(plan, true, LineFailure{1, "v"});
  const PlannedSlot again = *evaluations_.Next();
  EXPECT_EQ(again.slot.line, plan.slot.line);
  EXPECT_EQ(again.failures, 1u);
  evaluations_.Add(again, true, {.seq = 4, .score = 50, .worker = "w", .lease = 2});
  // The first worker was late.
  evaluations_.Add(plan, false, {.seq = 5, .score = -70, .worker = "v", .lease = 1});
  EXPECT_EQ(evaluations_.Of(graph_->FindMove(start_, plan.slot.line[0]))->score, 50);
  EXPECT_EQ(evaluations_.open(), 0u);
  EXPECT_EQ(evaluations_.count().done, 1u);
  // A set has what it names.
  PriorSet four;
  four.evaluations = 4;
  EXPECT_EQ(evaluations_.ResultsIn(four), 1u);
  EXPECT_EQ(evaluations_.results(), 2u);
}

TEST_F(EvaluationsTest, ThreeFaultsAreEnough) {
  const std::vector<Move> line = evaluations_.Next()->slot.line;
  PlannedSlot plan;
  plan.slot.line = line;
  for (uint32_t attempt = 0; attempt < 3; ++attempt) {
    EXPECT_EQ(plan.failures, attempt);
    // A fault that comes after its lease has ended is the same failure.
    const LineFailure failed{attempt + 1, std::string(1, static_cast<char>('a' + attempt))};
    evaluations_.Lose(plan, true, failed);
    evaluations_.Lose(plan, false, failed);
    if (attempt < 2) plan = *evaluations_.Next();
    EXPECT_EQ(plan.slot.line, line);
  }
  EXPECT_EQ(evaluations_.count().failed, 1u);
  while (const auto next = evaluations_.Next()) EXPECT_NE(next->slot.line, line);
  // A late result still counts as an answer.
  evaluations_.Add(plan, false, {.seq = 1, .score = 1, .worker = "w", .lease = 9});
  EXPECT_EQ(evaluations_.count().failed, 0u);
  EXPECT_EQ(evaluations_.count().done, 1u);
}

// Positions at which only one worker fails are left to the others, and its faults are removed with
// it.
TEST_F(EvaluationsTest, OneWorkersFaultsLeaveNoPositionOut) {
  Evaluations two = Make({.nodes = 10, .positions = 2});
  const auto fail = [&](LeaseId lease, const std::string& worker) {
    const PlannedSlot plan = *two.Next(worker);
    two.Lose(plan, true, LineFailure{lease, worker});
    return plan.slot.line;
  };
  const std::vector<Move> first = fail(1, "bad");
  EXPECT_EQ(fail(2, "bad"), first);
  EXPECT_EQ(fail(3, "bad"), first);
  EXPECT_EQ(two.count().failed, 1u);
  EXPECT_EQ(two.Available(), 1u) << "what has not failed comes first";
  const PlannedSlot second = *two.Next("good");
  EXPECT_NE(second.slot.line, first);
  two.Add(second, true, {.seq = 1, .score = 1, .worker = "good", .lease = 4});
  EXPECT_FALSE(two.Next("bad")) << "not once more";
  EXPECT_EQ(fail(5, "good"), first);
  const PlannedSlot again = *two.Next("good");
  EXPECT_EQ(again.slot.line, first);
  two.Withdraw(again);
  Trust trust;
  trust.Apply({.change = 1, .worker = "bad", .action = TrustAction::kBlock, .lease = 9});
  two.SetTrust(trust);
  EXPECT_EQ(two.count().failed, 0u);
  EXPECT_EQ(two.Available(), 1u);
  two.SetTrust({});
  EXPECT_EQ(two.count().failed, 1u);
  fail(6, "third");
  EXPECT_FALSE(two.Next("fourth")) << "three workers are enough";
}

TEST_F(EvaluationsTest, WithoutAScoreThereIsNoPrior) {
  const PlannedSlot plan = *evaluations_.Next();
  evaluations_.Add(plan, true, {.seq = 1, .score = std::nullopt, .worker = "w", .lease = 1});
  EXPECT_EQ(evaluations_.count().done, 1u);
  EXPECT_EQ(evaluations_.count().unscored, 1u);
  EXPECT_EQ(evaluations_.count().scored, 0u);
  const auto priors = evaluations_.PriorsOf(Everything(), {});
  for (const book::Prior& prior : *priors) {
    EXPECT_EQ(prior.games, 0);
  }
  EXPECT_NE(evaluations_.Next()->slot.line, plan.slot.line) << "it is not asked again";
}

TEST_F(EvaluationsTest, AnOlderProfileCountsForLessAndUntilTheOwnAnswer) {
  const PlannedSlot plan = *evaluations_.Next();
  evaluations_.Withdraw(plan);
  const book::EdgeId edge = graph_->FindMove(start_, plan.slot.line[0]);
  const PackedPosition position = After(plan.slot.line);
  evaluations_.Load(position, {.seq = 1, .score = -90, .older = true, .worker = "w", .lease = 1});
  evaluations_.Load(position, {.seq = 2, .score = -80, .older = true, .worker = "w", .lease = 1});
  EXPECT_EQ((*evaluations_.PriorsOf(Everything(), {}))[edge], book::PriorOf(80, {}, true));
  EXPECT_EQ(evaluations_.count().older, 1u);
  EXPECT_TRUE(evaluations_.AssessmentsOf(Everything(), {}).OfOwnProfile().empty())
      << "never in the model";
  const PlannedSlot own = *evaluations_.Next();
  EXPECT_EQ(own.slot.line, plan.slot.line) << "it is still to be searched";
  evaluations_.Add(own, true, {.seq = 3, .score = -100, .worker = "w", .lease = 2});
  EXPECT_EQ((*evaluations_.PriorsOf(Everything(), {}))[edge], book::PriorOf(100, {}));
  EXPECT_EQ(evaluations_.count().older, 0u);
  // The previous set is unchanged.
  PriorSet before;
  before.shared = 2;
  EXPECT_EQ((*evaluations_.PriorsOf(before, {}))[edge], book::PriorOf(80, {}, true));
}

TEST_F(EvaluationsTest, WhoIsNotTrustedIsNoEvidence) {
  const PlannedSlot plan = *evaluations_.Next();
  evaluations_.Add(plan, true, {.seq = 1, .score = 900, .worker = "bad", .lease = 1});
  const uint64_t waiting = evaluations_.Available();
  Trust trust;
  trust.Apply({.change = 1, .worker = "bad", .action = TrustAction::kBlock, .lease = 5});
  evaluations_.SetTrust(trust);
  EXPECT_EQ(evaluations_.count().done, 0u);
  EXPECT_EQ(evaluations_.Available(), waiting + 1) << "it is searched again";
  const book::EdgeId edge = graph_->FindMove(start_, plan.slot.line[0]);
  EXPECT_EQ((*evaluations_.PriorsOf(Everything(), trust))[edge].games, 0);
  trust.Apply({.change = 2, .worker = "bad", .action = TrustAction::kUnblock, .lease = 6});
  evaluations_.SetTrust(trust);
  EXPECT_EQ(evaluations_.count().done, 1u);
  EXPECT_EQ(evaluations_.Available(), waiting);
}

TEST_F(EvaluationsTest, TrustMayChangeALittleAtATime) {
  std::vector<PlannedSlot> plans;
  for (uint64_t seq = 1; seq <= 9; ++seq) {
    plans.push_back(*evaluations_.Next());
    const auto score = static_cast<int16_t>(seq);
    evaluations_.Add(
        plans.back(), true,
        {.seq = seq, .score = score, .worker = seq % 2 == 0 ? "bad" : "w", .lease = 1});
  }
  Trust trust;
  trust.Apply({.change = 1, .worker = "bad", .action = TrustAction::kBlock, .lease = 5});
  EXPECT_FALSE(evaluations_.SetTrust(trust, 3));
  EXPECT_FALSE(evaluations_.IsJudgedBy(0));
  EXPECT_FALSE(evaluations_.IsJudgedBy(1));
  EXPECT_EQ(evaluations_.count().done, 8u) << "the second of the first three is gone";
  // Another one meanwhile; and an answer to a position that is still to come.
  trust.Apply({.change = 2, .worker = "w", .action = TrustAction::kBlock, .lease = 6});
  evaluations_.Add(plans[7], false, {.seq = 10, .score = 3, .worker = "v", .lease = 2});
  int calls = 0;
  while (!evaluations_.SetTrust(trust, 3)) ++calls;
  EXPECT_GT(calls, 2);
  EXPECT_TRUE(evaluations_.IsJudgedBy(2));
  EXPECT_EQ(evaluations_.count().done, 1u);
  Evaluations twin = Make(kSpec);
  for (size_t i = 0; i < plans.size(); ++i) {
    const auto score = static_cast<int16_t>(i + 1);
    twin.Load(After(plans[i].slot.line),
              {.seq = i + 1, .score = score, .worker = i % 2 == 1 ? "bad" : "w", .lease = 1});
  }
  twin.Load(After(plans[7].slot.line), {.seq = 10, .score = 3, .worker = "v", .lease = 2});
  twin.SetTrust(trust);
  EXPECT_EQ(evaluations_.Available(), twin.Available());
  EXPECT_EQ(*evaluations_.assessments().PriorsBy({}), *twin.PriorsOf(Everything(), trust));
}

// ---- Intake ----

class EvaluationIntakeTest : public ::testing::Test {
 protected:
  EvaluationIntakeTest() {
    slot_.start = "5-7 b 1";
    slot_.line = {Move::Board(0, 1), Move::Board(1, 2)};
    slot_.kind = SlotKind::kEvaluation;
    slot_.nodes = 100;
    game_.moves = {slot_.line[0], slot_.line[1], Move::Board(0, 3)};
    game_.claim = {Result::kNone, Termination::kNone};
    game_.scores = {-35};
    game_.depth = 8;
  }
  absl::StatusOr<CheckedEvaluation> Check() {
    return CheckEvaluation(testing::ToyRules(), MatchRules{}, slot_, game_);
  }
  // The slot asks for a trial of 12 plies, and the game is its line so far.
  void MakeTrial(const std::string& start) {
    slot_.kind = SlotKind::kTrial;
    slot_.nodes = 0;
    slot_.plies = 12;
    slot_.start = start;
    game_.moves = slot_.line;
    game_.scores.clear();
  }
  std::string Refusal() { return ProblemOf(Check().status()).code; }

  Slot slot_;
  SubmittedGame game_;
};

TEST_F(EvaluationIntakeTest, TakesASearch) {
  const auto checked = Check();
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->ending, game_.claim);
  EXPECT_EQ(checked->score, -35);
  const auto at = testing::ToyRules().Start("4-5 b 1", MatchRules{}).value();
  EXPECT_EQ(checked->position, at->packed());
  game_.scores = {kNoScore};
  EXPECT_EQ(Check()->score, std::nullopt);
  const uint64_t hash = Check()->payload_hash;
  game_.depth = 9;
  EXPECT_NE(Check()->payload_hash, hash);
}

TEST_F(EvaluationIntakeTest, RefusesWhatIsNone) {
  game_.scores = {};
  EXPECT_EQ(Refusal(), "bad_field");
  game_.scores = {1, 2};
  EXPECT_EQ(Refusal(), "bad_field");
  game_.scores = {1};
  game_.depth = 1001;
  EXPECT_EQ(Refusal(), "bad_field");
  game_.depth = 0;
  game_.moves.pop_back();
  EXPECT_EQ(Refusal(), "wrong_line");
  game_.moves = {slot_.line[0], Move::Board(0, 2), Move::Board(0, 1)};
  EXPECT_EQ(Refusal(), "wrong_line");
  game_.moves = {slot_.line[0], slot_.line[1], Move::Board(0, 9)};
  EXPECT_EQ(Refusal(), "illegal_move");
  game_.moves = slot_.line;
  game_.scores = {};
  game_.claim = {Result::kDraw, Termination::kMaxPlies};
  EXPECT_EQ(Refusal(), "wrong_ending");
}

TEST_F(EvaluationIntakeTest, AResignationAndAnEndAreWonAndLost) {
  game_.moves = slot_.line;
  game_.scores = {};
  game_.claim = {Result::kSecondWins, Termination::kResign};
  EXPECT_EQ(Check()->score, -kWonScore);
  // The line takes all there is: who is to move has lost.
  slot_.start = "1-2 b 1";
  game_.claim = {Result::kSecondWins, Termination::kNoLegalMove};
  EXPECT_EQ(Check()->score, -kWonScore);
  game_.claim = {Result::kFirstWins, Termination::kNoLegalMove};
  EXPECT_EQ(Refusal(), "wrong_ending");
  game_.claim = {Result::kNone, Termination::kNone};
  game_.scores = {5};
  game_.moves.push_back(Move::Board(0, 1));
  EXPECT_EQ(Refusal(), "wrong_ending");
}

TEST_F(EvaluationIntakeTest, AReplyMayLeaveTheLineWhereItSearches) {
  slot_.kind = SlotKind::kReply;
  EXPECT_EQ(Check()->followed, 2u);
  game_.moves = {Move::Board(0, 2)};  // the line has another one here
  ASSERT_TRUE(Check().ok()) << Check().status();
  EXPECT_EQ(Check()->followed, 0u);
  EXPECT_EQ(Check()->position,
            testing::ToyRules().Start("5-7 b 1", MatchRules{}).value()->packed());
  slot_.searched_from = 1;  // here it had a book
  EXPECT_EQ(Refusal(), "wrong_line");
  slot_.searched_from = 0;
  game_.moves = {slot_.line[0], Move::Board(0, 2)};  // here the other side is to move
  EXPECT_EQ(Refusal(), "wrong_line");
  game_.moves = {slot_.line[0]};
  EXPECT_EQ(Refusal(), "wrong_line");
  game_.moves = {Move::Board(0, 9)};
  EXPECT_EQ(Refusal(), "illegal_move");
  game_.moves = {};
  game_.scores = {};
  game_.claim = {Result::kSecondWins, Termination::kResign};
  EXPECT_EQ(Check()->score, -kWonScore);
}

TEST_F(EvaluationIntakeTest, ATrialHasAScoreOfEveryMove) {
  MakeTrial("30-30 b 1");
  for (int16_t i = 0; i < 12; ++i) {
    game_.moves.push_back(Move::Board(0, 1));
    // 100 for the first side, which is to move at the end of the line; early ones do not count.
    game_.scores.push_back(i < 2 ? int16_t{9000} : static_cast<int16_t>(i % 2 == 0 ? 100 : -100));
  }
  ASSERT_TRUE(Check().ok()) << Check().status();
  EXPECT_EQ(Check()->score, 100);
  EXPECT_EQ(Check()->followed, 2u);
  game_.scores[11] = kNoScore;
  EXPECT_EQ(Check()->score, 100);
  game_.scores.assign(12, kNoScore);
  EXPECT_EQ(Check()->score, std::nullopt);
  game_.scores.pop_back();
  EXPECT_EQ(Refusal(), "bad_field");
  game_.moves.pop_back();  // it stops too early
  EXPECT_EQ(Refusal(), "bad_field");
  game_.claim = {Result::kFirstWins, Termination::kResign};
  EXPECT_EQ(Check()->score, kWonScore) << "the other side is to move, and resigns";
  game_.moves.insert(game_.moves.end(), 2, Move::Board(0, 1));
  game_.scores.insert(game_.scores.end(), 2, 0);
  EXPECT_EQ(Refusal(), "bad_field") << "too many";
}

TEST_F(EvaluationIntakeTest, ATrialThatIsOverHasItsResult) {
  MakeTrial("2-2 b 1");
  // After the line a single move is left, which wins.
  game_.moves.push_back(Move::Board(0, 1));
  game_.scores = {7};
  game_.claim = {Result::kFirstWins, Termination::kNoLegalMove};
  EXPECT_EQ(Check()->score, kWonScore);
  EXPECT_EQ(Check()->ending, game_.claim);
  game_.claim = {Result::kNone, Termination::kNone};
  EXPECT_EQ(Refusal(), "wrong_ending");
}

TEST_F(EvaluationIntakeTest, ABestMoveThatIsExcludedIsNone) {
  slot_.excluded = {game_.moves.back()};
  EXPECT_EQ(Refusal(), "illegal_move");
}

TEST_F(EvaluationIntakeTest, AFaultMayEndItAnywhere) {
  game_.claim = {Result::kFirstWins, Termination::kCrash};
  game_.scores = {};
  for (size_t plies = 0; plies <= 2; ++plies) {
    game_.moves.assign(slot_.line.begin(), slot_.line.begin() + static_cast<std::ptrdiff_t>(plies));
    const auto checked = Check();
    ASSERT_TRUE(checked.ok()) << checked.status();
    EXPECT_EQ(checked->ending, (Ending{Result::kNone, Termination::kCrash}));
    EXPECT_EQ(checked->score, std::nullopt);
  }
  game_.moves = {Move::Board(1, 1)};
  EXPECT_EQ(Refusal(), "wrong_line");
}

}  // namespace
}  // namespace joseki::coordinator
