#include "coordinator/runs/game_replay.h"

#include <string>
#include <vector>

#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

using testing::ToyMoves;

// From 2-2 with Black to move: a1 a1 b1 b1 takes all stones, and Black, to move, has lost.
class GameReplayTest : public ::testing::Test {
 protected:
  GameReplayTest() {
    slot_.start = "2-2 b 1";
    slot_.line = ToyMoves("a1 a1");
    slot_.excluded = ToyMoves("b2");
    game_.run = 1;
    game_.lease = 2;
    game_.moves = ToyMoves("a1 a1 b1 b1");
    game_.claim = {Result::kSecondWins, Termination::kNoLegalMove};
  }

  absl::StatusOr<CheckedGame> Check() { return CheckGame(rules_, match_, slot_, game_); }
  std::string CodeOf() {
    const auto checked = Check();
    return checked.ok() ? "accepted" : ProblemOf(checked.status()).code;
  }

  testing::ToyRules rules_;
  MatchRules match_;
  Slot slot_;
  SubmittedGame game_;
};

TEST_F(GameReplayTest, AcceptsAGameAndDerivesItsEnding) {
  const auto checked = Check();
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->ending, (Ending{Result::kSecondWins, Termination::kNoLegalMove}));
}

TEST_F(GameReplayTest, TakesAScoreForEveryMoveAfterTheLine) {
  const uint64_t without = Check()->payload_hash;
  game_.scores = {-300, 32000};
  const auto checked = Check();
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_NE(checked->payload_hash, without) << "another claim of the worker";
  EXPECT_EQ(checked->chooser, Color::kFirst);
  game_.scores.push_back(0);
  EXPECT_EQ(CodeOf(), "bad_field");
  game_.scores.resize(1);
  EXPECT_EQ(CodeOf(), "bad_field");
}

TEST_F(GameReplayTest, KnowsWhoChoosesFirst) {
  slot_.line = ToyMoves("a1");
  slot_.excluded.clear();
  EXPECT_EQ(Check()->chooser, Color::kSecond);
}

TEST_F(GameReplayTest, RejectsAnotherLine) {
  game_.moves = ToyMoves("a1 b1 a1 b1");
  EXPECT_EQ(CodeOf(), "wrong_line");
}

TEST_F(GameReplayTest, RejectsALineThatIsNotPlayedOut) {
  game_.moves = ToyMoves("a1");
  game_.claim = {Result::kFirstWins, Termination::kResign};
  EXPECT_EQ(CodeOf(), "wrong_line");
}

TEST_F(GameReplayTest, RejectsAnExcludedExit) {
  game_.moves = ToyMoves("a1 a1 b2");
  game_.claim = {Result::kFirstWins, Termination::kNoLegalMove};
  EXPECT_EQ(CodeOf(), "excluded_move");
}

TEST_F(GameReplayTest, AllowsAnExcludedMoveAfterTheExit) {
  slot_.line = ToyMoves("a1");
  game_.moves = ToyMoves("a1 a1 b2");
  game_.claim = {Result::kFirstWins, Termination::kNoLegalMove};
  EXPECT_EQ(CodeOf(), "accepted");
}

TEST_F(GameReplayTest, ExcludesNothingWhereItWouldExcludeEverything) {
  auto state = rules_.Start(slot_.start, match_);
  for (const Move move : slot_.line) ASSERT_TRUE((*state)->Play(move));
  slot_.excluded = (*state)->LegalMoves();
  EXPECT_EQ(CodeOf(), "accepted");
  slot_.excluded.pop_back();
  game_.moves = slot_.line;
  game_.moves.push_back(slot_.excluded.front());
  EXPECT_EQ(CodeOf(), "excluded_move");
}

TEST_F(GameReplayTest, RejectsAnIllegalMove) {
  game_.moves = ToyMoves("a1 a1 a1 b1");
  EXPECT_EQ(CodeOf(), "illegal_move");
  game_.moves = {slot_.line[0], slot_.line[1], Move()};
  EXPECT_EQ(CodeOf(), "illegal_move");
}

TEST_F(GameReplayTest, RejectsMovesAfterTheEnd) {
  game_.moves = ToyMoves("a1 a1 b1 b1 x");
  EXPECT_EQ(CodeOf(), "moves_after_end");
}

TEST_F(GameReplayTest, RejectsAWrongResultOrTermination) {
  game_.claim.result = Result::kFirstWins;
  EXPECT_EQ(CodeOf(), "wrong_ending");
  game_.claim = {Result::kSecondWins, Termination::kDeclaration};
  EXPECT_EQ(CodeOf(), "wrong_ending");
  game_.claim = {Result::kSecondWins, Termination::kResign};
  EXPECT_EQ(CodeOf(), "wrong_ending") << "nobody resigns a game that is over";
}

TEST_F(GameReplayTest, RejectsAnUnfinishedGame) {
  game_.moves = ToyMoves("a1 a1 b1");
  EXPECT_EQ(CodeOf(), "unfinished_game");
  game_.claim = {Result::kDraw, Termination::kRepetition};
  EXPECT_EQ(CodeOf(), "unfinished_game");
  game_.claim = {Result::kNone, Termination::kNone};
  EXPECT_EQ(CodeOf(), "bad_field");
  game_.claim.termination = static_cast<Termination>(99);
  EXPECT_EQ(CodeOf(), "bad_field");
}

TEST_F(GameReplayTest, BelievesAResignationOfTheSideToMove) {
  game_.moves = ToyMoves("a1 a1 b1");  // White to move
  game_.claim = {Result::kFirstWins, Termination::kResign};
  const auto checked = Check();
  ASSERT_TRUE(checked.ok()) << checked.status();
  EXPECT_EQ(checked->ending.result, Result::kFirstWins);
  game_.claim.result = Result::kSecondWins;
  EXPECT_EQ(CodeOf(), "wrong_ending");
}

TEST_F(GameReplayTest, TakesAFaultAnywhereAndGivesItNoResult) {
  for (const char* moves : {"", "a1", "a1 a1", "a1 a1 b1"}) {
    game_.moves = ToyMoves(moves);
    game_.claim = {Result::kFirstWins, Termination::kCrash};
    const auto checked = Check();
    ASSERT_TRUE(checked.ok()) << moves << checked.status();
    EXPECT_EQ(checked->ending, (Ending{Result::kNone, Termination::kCrash}));
  }
  game_.moves = ToyMoves("b1");
  EXPECT_EQ(CodeOf(), "wrong_line");
}

TEST_F(GameReplayTest, HoldsTheMatchToItsPlyCap) {
  match_.max_plies = 3;
  game_.moves = ToyMoves("a1 a1 b1");
  game_.claim = {Result::kDraw, Termination::kMaxPlies};
  EXPECT_EQ(CodeOf(), "accepted");
  game_.moves = ToyMoves("a1 a1 b1 b1");
  EXPECT_EQ(CodeOf(), "moves_after_end");
}

TEST_F(GameReplayTest, AcceptsAGameThatTheRulesEndOnItsLine) {
  slot_.line = ToyMoves("a1 a1 b1 b1 x");
  EXPECT_EQ(CodeOf(), "accepted");
}

TEST_F(GameReplayTest, BoundsItsFields) {
  game_.claim.termination = Termination::kStall;
  game_.fault = std::string(501, 'x');
  EXPECT_EQ(CodeOf(), "bad_field");
  game_.fault.clear();
  game_.moves.resize(2001);
  EXPECT_EQ(CodeOf(), "bad_field");
}

TEST_F(GameReplayTest, HashesWhatWasSentButNotTheTime) {
  const uint64_t hash = PayloadHash(game_);
  SubmittedGame other = game_;
  other.think_ms = 12345;
  EXPECT_EQ(PayloadHash(other), hash);
  const auto differs = [&](auto change) {
    SubmittedGame changed = game_;
    change(changed);
    return PayloadHash(changed) != hash;
  };
  EXPECT_TRUE(differs([](SubmittedGame& g) { g.moves.pop_back(); }));
  EXPECT_TRUE(differs([](SubmittedGame& g) { g.nodes = 1; }));
  EXPECT_TRUE(differs([](SubmittedGame& g) { g.slot = 1; }));
  EXPECT_TRUE(differs([](SubmittedGame& g) { g.claim.result = Result::kDraw; }));
  EXPECT_TRUE(differs([](SubmittedGame& g) { g.claim.termination = Termination::kResign; }));
}

TEST_F(GameReplayTest, TellsGamesApartByStartAndMoves) {
  const uint64_t hash = MovesHash("startpos", game_.moves);
  EXPECT_EQ(MovesHash("startpos", game_.moves), hash);
  EXPECT_NE(MovesHash("2-2 b 1", game_.moves), hash);
  EXPECT_NE(MovesHash("startpos", ToyMoves("a1")), hash);
}

}  // namespace
}  // namespace joseki::coordinator
