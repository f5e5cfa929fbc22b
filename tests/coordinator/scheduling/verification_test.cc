#include "coordinator/scheduling/verification.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr Ending kWon{Result::kFirstWins, Termination::kNoLegalMove};

GameOutcome Right() { return {1, 100, kWon}; }
GameOutcome Wrong(uint64_t how = 2) { return {how, 100, kWon}; }

Slot SomeSlot() {
  Slot slot;
  slot.start = "startpos";
  slot.seed = 7;
  return slot;
}

TEST(WhyUnverified, SaysWhatKeepsGamesFromBeingCompared) {
  RunSpec spec;
  spec.play.engine_signature = 5;
  EXPECT_EQ(WhyUnverified(spec), "");
  spec.verify_percent = 0;
  EXPECT_EQ(WhyUnverified(spec), "not wanted");
  spec.verify_percent = 1;
  spec.play.engine_signature = 0;
  EXPECT_EQ(WhyUnverified(spec), "the engine has no signature");
  spec.play.engine_signature = 5;
  spec.play.nodes = 0;
  EXPECT_EQ(WhyUnverified(spec), "moves are not limited by nodes");
}

TEST(Judge, FindsTheOddOneOut) {
  const struct {
    const char* what;
    std::vector<Testimony> testimonies;
    std::set<std::string> blocked;
    Judgement judgement;
  } kCases[] = {
      {"one alone says nothing", {{"a", 1, Right()}}, {}, {}},
      {"two agree", {{"a", 1, Right()}, {"b", 2, Right()}}, {}, {true, {}}},
      {"two differ: either may be wrong", {{"a", 1, Right()}, {"b", 2, Wrong()}}, {}, {}},
      {"a third decides against the game",
       {{"a", 1, Wrong()}, {"b", 2, Right()}, {"c", 3, Right()}},
       {},
       {true, {"a"}}},
      {"a third decides against the copy",
       {{"a", 1, Right()}, {"b", 2, Wrong()}, {"c", 3, Right()}},
       {},
       {true, {"b"}}},
      {"three answers decide nothing",
       {{"a", 1, Right()}, {"b", 2, Wrong(2)}, {"c", 3, Wrong(3)}},
       {},
       {}},
      {"a fourth decides against two",
       {{"a", 1, Right()}, {"b", 2, Wrong(2)}, {"c", 3, Wrong(3)}, {"d", 4, Right()}},
       {},
       {true, {"b", "c"}}},
      {"two against two decide nothing",
       {{"a", 1, Right()}, {"b", 2, Wrong()}, {"c", 3, Wrong()}, {"d", 4, Right()}},
       {},
       {}},
      {"one worker has one voice",
       {{"a", 1, Right()}, {"b", 2, Wrong()}, {"b", 3, Wrong()}},
       {},
       {}},
      {"who contradicts himself is wrong where others agree",
       {{"a", 1, Right()}, {"a", 2, Wrong()}, {"b", 3, Right()}},
       {},
       {true, {"a"}}},
      {"another number of nodes is another game",
       {{"a", 1, Right()}, {"b", 2, {1, 101, kWon}}, {"c", 3, Right()}},
       {},
       {true, {"b"}}},
      {"a blocked worker has no voice", {{"a", 1, Right()}, {"b", 2, Wrong()}}, {"b"}, {true, {}}},
      {"nor two of them",
       {{"a", 1, Right()}, {"b", 2, Wrong()}, {"c", 3, Wrong()}},
       {"b", "c"},
       {true, {}}},
  };
  for (const auto& c : kCases) EXPECT_EQ(Judge(c.testimonies, c.blocked), c.judgement) << c.what;
}

// Which of the games that a session of the worker plays, numbered from 0, are picked.
std::vector<uint64_t> Picked(double percent, const std::string& worker, SessionId session,
                             uint64_t games) {
  Verification verification(percent, /*seed=*/5);
  std::vector<uint64_t> picked;
  for (uint64_t game = 0; game < games; ++game) {
    verification.Played({game + 1, 0}, SomeSlot(), {worker, session, Right()});
    if (!verification.Take("another", session + 1, /*alone=*/false, 1).empty()) {
      picked.push_back(game);
    }
  }
  return picked;
}

TEST(Verification, PicksEverySessionsFirstGamesAndOneInEachWindow) {
  constexpr uint64_t kWindow = 50;
  constexpr uint64_t kWindows = 100;
  std::vector<uint64_t> places[2];  // in each window but the first
  for (const int worker : {0, 1}) {
    std::vector<uint64_t> picked = Picked(2, worker == 0 ? "a" : "b", 1, kWindow * kWindows);
    for (uint64_t game = 0; game < Verification::kFirstGames; ++game) {
      EXPECT_EQ(picked.at(game), game);
    }
    std::erase_if(picked, [](uint64_t game) { return game < kWindow; });
    ASSERT_THAT(picked, SizeIs(kWindows - 1));
    for (uint64_t window = 1; window < kWindows; ++window) {
      ASSERT_EQ(picked[window - 1] / kWindow, window);
      places[worker].push_back(picked[window - 1] % kWindow);
    }
  }
  int same_place = 0;
  for (size_t i = 0; i < places[0].size(); ++i) same_place += places[0][i] == places[1][i];
  EXPECT_LT(same_place, 10) << "workers are told apart";
  EXPECT_THAT(Picked(100, "a", 1, 78), SizeIs(78));
  EXPECT_THAT(Picked(0, "a", 1, 3), IsEmpty());
}

// Every game is verified.
class VerificationTest : public ::testing::Test {
 protected:
  void Play(LeaseId lease, const std::string& worker, SessionId session,
            GameOutcome outcome = Right()) {
    verification_.Played({lease, 0}, SomeSlot(), {worker, session, outcome});
  }
  std::vector<LeaseId> Take(const std::string& worker, SessionId session, bool alone = false,
                            size_t most = 100) {
    EXPECT_EQ(verification_.HasWork(worker, session, alone), [&] {
      return !Verification(verification_).Take(worker, session, alone, 1).empty();
    }());
    std::vector<LeaseId> leases;
    for (const auto& copy : verification_.Take(worker, session, alone, most)) {
      EXPECT_EQ(copy.slot, SomeSlot());
      leases.push_back(copy.of.lease);
    }
    return leases;
  }
  Verification::Finding Give(LeaseId lease, const std::string& worker, SessionId session,
                             GameOutcome outcome) {
    return verification_.Returned({lease, 0}, {worker, session, outcome});
  }

  Verification verification_{100, 5};
};

TEST_F(VerificationTest, AnotherWorkerPlaysTheGameOnce) {
  Play(1, "a", 1);
  EXPECT_THAT(Take("a", 1), IsEmpty());
  EXPECT_THAT(Take("a", 9), IsEmpty()) << "another session is the same worker";
  EXPECT_THAT(Take("b", 2), ElementsAre(1));
  EXPECT_EQ(verification_.taken(), 1u);
  EXPECT_THAT(Take("c", 3), IsEmpty());
  const auto outcome = Give(1, "b", 2, Right());
  EXPECT_TRUE(outcome.known);
  EXPECT_TRUE(outcome.same);
  EXPECT_FALSE(outcome.disputed);
  EXPECT_EQ(outcome.judgement, (Judgement{true, {}}));
  EXPECT_TRUE(verification_.idle());
  EXPECT_EQ(verification_.taken(), 0u);
  EXPECT_FALSE(Give(1, "b", 2, Wrong()).known) << "it was decided";
}

TEST_F(VerificationTest, WhereThereIsOneWorkerItsNextSessionMay) {
  Play(1, "a", 1);
  EXPECT_THAT(Take("a", 1, /*alone=*/true), IsEmpty());
  EXPECT_THAT(Take("a", 2, /*alone=*/true), ElementsAre(1));
}

TEST_F(VerificationTest, AThirdWorkerSettlesADispute) {
  Play(1, "a", 1, Wrong());
  Play(2, "b", 2);
  EXPECT_THAT(Take("b", 2), ElementsAre(1));
  auto outcome = Give(1, "b", 2, Right());
  EXPECT_FALSE(outcome.same);
  EXPECT_TRUE(outcome.disputed);
  EXPECT_EQ(outcome.judgement, Judgement());
  EXPECT_EQ(verification_.DisputeOf("a"), "b");
  EXPECT_EQ(verification_.DisputeOf("b"), "a");
  EXPECT_EQ(verification_.DisputeOf("c"), "");
  EXPECT_THAT(Take("b", 2), IsEmpty());
  EXPECT_THAT(Take("c", 3, false, 1), ElementsAre(1)) << "before what is not in dispute";
  outcome = Give(1, "c", 3, Right());
  EXPECT_TRUE(outcome.disputed);
  EXPECT_EQ(outcome.judgement, (Judgement{true, {"a"}}));
  EXPECT_THAT(outcome.agreed, ElementsAre("b", "c"));
  EXPECT_EQ(verification_.DisputeOf("a"), "");
}

TEST_F(VerificationTest, NoMoreGamesAreSelectedWhileManyAreInDispute) {
  const size_t most = Verification::kMostDisputes;
  for (LeaseId lease = 1; lease <= 2 * most; ++lease) {
    Play(lease, "a", 1, Wrong());
    for (const LeaseId of : Take("b", 2)) Give(of, "b", 2, Right());
  }
  EXPECT_EQ(verification_.waiting(), most);
  EXPECT_EQ(verification_.DisputeOf("a"), "b");
  for (const LeaseId of : Take("c", 3)) Give(of, "c", 3, Right());
  EXPECT_TRUE(verification_.idle());
  EXPECT_EQ(verification_.DisputeOf("a"), "");
  Play(1000, "a", 1);
  EXPECT_EQ(verification_.waiting(), 1u) << "all are settled";
}

TEST_F(VerificationTest, ALostCopyIsPlayedAgainSomeTimes) {
  Play(1, "a", 1);
  for (int lost = 0; lost < Verification::kMostLost; ++lost) {
    EXPECT_THAT(Take("b", 2), ElementsAre(1));
    verification_.Lost({1, 0});
    EXPECT_EQ(verification_.taken(), 0u);
  }
  EXPECT_THAT(Take("b", 2), IsEmpty());
  EXPECT_TRUE(verification_.idle());
}

TEST_F(VerificationTest, ALateCopyCounts) {
  Play(1, "a", 1);
  Take("b", 2);
  verification_.Lost({1, 0});
  EXPECT_TRUE(Give(1, "b", 2, Right()).judgement.decided);
  EXPECT_THAT(Take("c", 3), IsEmpty()) << "nobody else is needed";
}

TEST_F(VerificationTest, NewerGamesOfAWorkerPushOutItsOlderOnes) {
  for (LeaseId lease = 1; lease <= Verification::kWaitingGames + 2; ++lease) Play(lease, "a", 1);
  Play(100, "c", 3);
  const std::vector<LeaseId> taken = Take("b", 2);
  ASSERT_THAT(taken, SizeIs(Verification::kWaitingGames + 1));
  EXPECT_EQ(taken.front(), 3u);
  EXPECT_EQ(taken.back(), 100u);
}

TEST_F(VerificationTest, ABlockedWorkersGamesWaitNoLonger) {
  Play(1, "a", 1);
  Play(2, "a", 1, Wrong());
  Take("b", 2, false, 2);
  Give(2, "b", 2, Right());
  Play(3, "c", 3);
  Take("a", 1);
  EXPECT_THAT(verification_.Block("a", {"a"}), ElementsAre(SlotRef{2, 0}));
  EXPECT_THAT(Take("d", 4), IsEmpty());
  EXPECT_EQ(verification_.taken(), 1u) << "what it plays of others is still out";
}

TEST_F(VerificationTest, IsRestored) {
  verification_.RestoreDispute({5, 1}, SomeSlot(), {{"a", 1, Right()}, {"b", 2, Wrong()}});
  verification_.RestoreTaken({6, 0}, SomeSlot(), {"a", 1, Right()});
  EXPECT_EQ(verification_.taken(), 1u);
  EXPECT_THAT(Take("b", 2), IsEmpty());
  EXPECT_THAT(Take("c", 3), ElementsAre(5));
  EXPECT_EQ(verification_.Returned({5, 1}, {"c", 3, Wrong()}).judgement, (Judgement{true, {"a"}}));
  EXPECT_TRUE(Give(6, "b", 2, Right()).judgement.decided);
}

TEST_F(VerificationTest, EachSessionBeginsAnew) {
  Verification rarely(0.1, 5);
  const auto play = [&](LeaseId lease, SessionId session) {
    rarely.Played({lease, 0}, SomeSlot(), {"a", session, Right()});
  };
  for (LeaseId lease = 1; lease <= 5; ++lease) play(lease, 1);
  for (LeaseId lease = 11; lease <= 15; ++lease) play(lease, 2);
  play(6, 1);
  EXPECT_THAT(rarely.Take("b", 3, false, 100), SizeIs(2 * Verification::kFirstGames));
}

}  // namespace
}  // namespace joseki::coordinator
