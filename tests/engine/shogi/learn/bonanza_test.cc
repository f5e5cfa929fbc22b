#include "engine/shogi/learn/bonanza.h"

#include <string>
#include <vector>

#include "engine/shogi/eval/learned.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::learn {
namespace {

// A silver that goes to 2f, again and again: no other move of these positions is ever played.
std::vector<Lesson> Lessons() {
  std::vector<Lesson> lessons;
  for (const char* text : {"4k4/9/9/9/9/9/7S1/9/4K4 b - 1", "3k5/9/9/9/9/9/7S1/9/4K4 b - 1",
                           "4k4/9/9/9/9/9/7S1/9/3K5 b - 1"}) {
    const shogi::Position position = shogi::At(text);
    lessons.push_back({position, shogi::ParseMove(position, "2g2f").value()});
  }
  return lessons;
}

TEST(Bonanza, StartsFromThePlainEvaluation) {
  const shogi::Network network(BonanzaLearner({}).Rounded(), "");
  for (const Lesson& lesson : Lessons()) {
    EXPECT_EQ(shogi::LearnedEvaluator(network).Evaluate(lesson.position),
              shogi::EvaluatePlain(lesson.position));
  }
}

TEST(Bonanza, MakesTheRecordedMovesTheBest) {
  const std::vector<Lesson> lessons = Lessons();
  BonanzaLearner learner({.penalty = 0});
  const BonanzaMeans before = MeansOf(learner.Measure(lessons));
  EXPECT_EQ(before.positions, lessons.size());
  for (int round = 0; round < 40 && !learner.done(); ++round) learner.Step(learner.Ask(lessons));
  const BonanzaMeans after = MeansOf(learner.Measure(lessons));
  EXPECT_LT(after.objective, before.objective);
  EXPECT_EQ(after.agreement, 1);
}

// Sum of the squares of the weights beside kings.
int64_t SizeOf(const shogi::Weights& weights) {
  int64_t sum = 0;
  for (const int16_t weight : weights.balance) sum += int64_t{weight} * weight;
  return sum;
}

TEST(Bonanza, ThePenaltyKeepsWeightsSmall) {
  const std::vector<Lesson> lessons = Lessons();
  const auto learned = [&](double penalty) {
    BonanzaLearner learner({.penalty = penalty});
    for (int round = 0; round < 20; ++round) learner.Step(learner.Ask(lessons));
    return SizeOf(learner.Rounded());
  };
  EXPECT_LT(learned(1), learned(0) / 2);
}

TEST(Bonanza, KeepsTheSumOfTheKinds) {
  const std::vector<Lesson> lessons = Lessons();
  BonanzaLearner learner({});
  for (int round = 0; round < 5; ++round) learner.Step(learner.Ask(lessons));
  // Seen without a king, a piece is worth what its kind is.
  const shogi::Weights weights = learner.Rounded();
  int sum = 0;
  for (int kind = 0; kind < shogi::kKinds; ++kind) {
    const size_t input = static_cast<size_t>(kind) * shogi::kSquareCount;
    sum += weights.balance[size_t{shogi::kKingPlaces - 1} * shogi::kInputs + input];
  }
  EXPECT_EQ(sum, 0);
}

TEST(Bonanza, SumsOfSharesAreThoseOfTheWhole) {
  const std::vector<Lesson> lessons = Lessons();
  BonanzaLearner learner({.threads = 2});
  for (int round = 0; round < 3; ++round) {
    const BonanzaSums whole = learner.Ask(lessons);
    ASSERT_GT(whole.objective, 0);
    for (size_t count = 2; count <= 5; ++count) {  // more than there are lessons, too
      BonanzaSums sum = learner.Ask(lessons, {.index = 0, .count = count});
      EXPECT_NE(sum.gradient, whole.gradient);
      for (size_t index = 1; index < count; ++index) {
        sum.Add(learner.Ask(lessons, {.index = index, .count = count}));
      }
      EXPECT_EQ(WriteSums(sum), WriteSums(whole)) << count;
    }
    learner.Step(whole);
  }
}

}  // namespace
}  // namespace joseki::learn
