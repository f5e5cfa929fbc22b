// Answers that rest on the scores of several workers.
#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "book/tuning/repertoire.h"
#include "gtest/gtest.h"
#include "tests/book/toy_repertoire.h"

namespace joseki::book {
namespace {

// Scores of several workers; a worker's sources have numbers of their own.
class RepertoireWitnessTest : public RepertoireTest {
 protected:
  // Search of the start position, in which other candidates were excluded.
  LineFinding Search(Move best, int centipawns, uint32_t source, uint32_t worker) const {
    LineTask task = Answer({}, 1000);
    if (best != liked_) task.excluded = {liked_};
    return {task, best, centipawns, source, worker};
  }
  static LineFinding TrialOf(Move move, uint32_t source, uint32_t worker) {
    return {Trial({move}, Color::kFirst), Move(), 0, source, worker};
  }
  void Add(const LineFinding& finding) { ASSERT_TRUE(repertoire_.Add(finding, nullptr).ok()); }
  std::optional<Move> AnswerAtStart() const {
    const Repertoire::Answer answer = repertoire_.AnswerAt(KeyOf("startpos"));
    const std::vector<Repertoire::Answer> found = repertoire_.CandidatesAt(KeyOf("startpos"));
    int visited = 0;
    repertoire_.ForEachAnswer(
        [&](const Key&, const PackedPosition&, int, const Repertoire::Answer& each) {
          EXPECT_EQ(each.move, answer.move);
          ++visited;
        });
    EXPECT_EQ(visited, answer.nodes > 0 ? 1 : 0);
    EXPECT_EQ(found.empty(), answer.nodes == 0);
    if (answer.nodes == 0) return std::nullopt;
    EXPECT_EQ(found.front().move, answer.move);
    return answer.move;
  }

  const Move liked_ = ToyMoves("a1").front();
  const Move good_ = ToyMoves("b3").front();
  Repertoire repertoire_ = Make(WithBook(kRules));
};

TEST_F(RepertoireWitnessTest, OneWorkerDecidesAlone) {
  Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 0));
  EXPECT_EQ(AnswerAtStart(), good_);
}

TEST_F(RepertoireWitnessTest, OfTwoWorkersBothStandBehindAnAnswer) {
  Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 1));
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  Add(TrialOf(liked_, 2, 1));
  EXPECT_EQ(AnswerAtStart(), liked_) << "the best that two stand behind";
  EXPECT_EQ(repertoire_.CandidatesAt(KeyOf("startpos")).size(), 1u);
  // Another lease of the same worker is no second one.
  Add(TrialOf(good_, 3, 1));
  EXPECT_EQ(AnswerAtStart(), liked_);
  Add(TrialOf(good_, 0, 0));
  EXPECT_EQ(AnswerAtStart(), good_);
}

TEST_F(RepertoireWitnessTest, WhereNothingIsVerifiedEachWorkerIsTrusted) {
  RepertoireRules rules = WithBook(kRules);
  rules.trusting = true;
  repertoire_ = Make(rules);
  Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 1));
  EXPECT_EQ(AnswerAtStart(), good_);
}

// One that came for a moment takes no answer away, and decides none.
TEST_F(RepertoireWitnessTest, AWorkerOfNearlyAllReportsNeedsNobody) {
  for (uint64_t i = 0; i + 1 < Witnesses::kAlone; ++i) Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 1));
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  Add(Search(liked_, 10, 0, 0));
  EXPECT_EQ(AnswerAtStart(), liked_);
  Add({Reply({}), good_, std::nullopt, 2, 2});
  EXPECT_EQ(AnswerAtStart(), std::nullopt) << "two others have made two of 18 reports";
  Distrust(repertoire_, [](uint32_t source) { return source == 2; });
  EXPECT_EQ(AnswerAtStart(), liked_);
}

TEST_F(RepertoireWitnessTest, ASearchWithoutAScoreStandsBehindNothing) {
  LineFinding mute = Search(liked_, 0, 1, 1);
  mute.centipawns.reset();
  Add(Search(liked_, 10, 0, 0));
  Add(mute);
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  Add(Search(liked_, 0, 1, 1));
  EXPECT_EQ(AnswerAtStart(), liked_);
}

TEST_F(RepertoireWitnessTest, LinesTryWhatOneWorkerFound) {
  Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 1));
  Rng rng(5);
  int tried = 0;
  for (int i = 0; i < 40; ++i) {
    const auto task = repertoire_.Next(true, rng);
    if (task && task->own == Color::kFirst && task->line.front() == good_) ++tried;
  }
  EXPECT_GT(tried, 5);
}

TEST_F(RepertoireWitnessTest, ADistrustedWorkerStandsBehindNothing) {
  Add(Search(liked_, 10, 0, 0));
  Add(Search(good_, 500, 1, 1));
  Add(TrialOf(liked_, 1, 1));
  Add({Reply({}), good_, std::nullopt, 2, 2});
  EXPECT_EQ(AnswerAtStart(), liked_);
  Distrust(repertoire_, [](uint32_t source) { return source == 1; });
  EXPECT_EQ(AnswerAtStart(), std::nullopt) << "two are left, and one stands behind it";
  Distrust(repertoire_, [](uint32_t source) { return source > 0; });
  EXPECT_EQ(AnswerAtStart(), liked_) << "one is left";
  Distrust(repertoire_, [](uint32_t) { return false; });
  EXPECT_EQ(AnswerAtStart(), liked_);
}

TEST_F(RepertoireWitnessTest, ASearchThatIsFoundAgainIsSupported) {
  Add(Search(liked_, 10, 0, 0));
  Add({Reply({}), good_, std::nullopt, 1, 1});
  Add({Reply({}), good_, std::nullopt, 2, 2});
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  repertoire_.Confirm(Search(liked_, 10, 3, 0), /*source=*/0);
  EXPECT_EQ(AnswerAtStart(), std::nullopt) << "by the same worker";
  repertoire_.Confirm(Search(liked_, 10, 1, 1), /*source=*/0);
  EXPECT_EQ(AnswerAtStart(), liked_);
  Distrust(repertoire_, [](uint32_t source) { return source == 1; });
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  Distrust(repertoire_, [](uint32_t source) { return source == 0; });
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  Distrust(repertoire_, [](uint32_t) { return false; });
  EXPECT_EQ(AnswerAtStart(), liked_);
}

TEST_F(RepertoireWitnessTest, ATrialThatIsFoundAgainSupportsItsSidesMoves) {
  Add(Search(liked_, 10, 0, 0));
  Add({Reply({}), good_, std::nullopt, 1, 1});
  const LineFinding theirs{Trial({liked_}, Color::kSecond), Move(), 0, 1, 1};
  Add(TrialOf(liked_, 0, 0));
  repertoire_.Confirm(theirs, /*source=*/0);
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  repertoire_.Confirm(TrialOf(liked_, 1, 1), /*source=*/0);
  EXPECT_EQ(AnswerAtStart(), liked_);
  EXPECT_EQ(repertoire_.trials(), 1u) << "found again, it counts once";
}

// A worker whose reports others have often found again needs no second one beside it.
TEST_F(RepertoireWitnessTest, AWorkerThatOthersVouchForSupportsByItself) {
  Add(Search(liked_, 10, 0, 0));
  Add({Reply({}), good_, std::nullopt, 1, 1});
  const LineFinding elsewhere{Trial({good_}, Color::kSecond), Move(), 0, 1, 1};
  for (uint32_t times = 1; times < Witnesses::kVouching; ++times) {
    repertoire_.Confirm(elsewhere, /*source=*/0);
  }
  EXPECT_EQ(AnswerAtStart(), std::nullopt);
  repertoire_.Confirm(elsewhere, /*source=*/0);
  EXPECT_EQ(AnswerAtStart(), liked_);
  Distrust(repertoire_, [](uint32_t source) { return source == 1; });
  EXPECT_EQ(AnswerAtStart(), liked_) << "the only one left";
  Add({Reply({}), good_, std::nullopt, 2, 2});
  EXPECT_EQ(AnswerAtStart(), std::nullopt) << "nobody trusted vouches";
  Distrust(repertoire_, [](uint32_t) { return false; });
  EXPECT_EQ(AnswerAtStart(), liked_);
}

}  // namespace
}  // namespace joseki::book
