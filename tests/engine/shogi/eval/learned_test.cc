#include "engine/shogi/eval/learned.h"

#include <memory>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/search/shogi/bench.h"
#include "engine/shogi/eval/evaluator.h"
#include "engine/shogi/eval/plain.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

// Weights as large as a file may have them, so that sums wrap and bounds are met.
const Network& WildNetwork() {
  static const Network network = [] {
    Rng rng(5);
    auto fill = [&rng](auto& values, int most) {
      for (auto& value : values) {
        value = static_cast<std::decay_t<decltype(value)>>(
            static_cast<int>(rng.Below(2 * static_cast<uint64_t>(most) + 1)) - most);
      }
    };
    Weights weights;
    fill(weights.start, 300);
    fill(weights.everywhere, 3000);
    fill(weights.here, 127);
    fill(weights.balance, 9000);
    fill(weights.area, 3000);
    fill(weights.safety, 9000);
    fill(weights.output, 127);
    fill(weights.bias, 1000000);
    fill(weights.plain, 2000);
    return Network(weights, "wild");
  }();
  return network;
}

Value Anew(const Network& network, const Position& position) {
  return LearnedEvaluator(network, Isa::kBaseline).Evaluate(position);
}

// Follows a random line with passes and steps back, as a search does. Calls look(position) at most
// of its positions, because a search does not evaluate every node.
template <typename Look>
void Wander(const char* start, uint64_t seed, const Look& look) {
  Position position = At(start);
  Rng rng(seed);
  std::vector<std::pair<Move, Undo>> played;
  for (int step = 0; step < 250; ++step) {
    const uint64_t choice = rng.Below(10);
    Undo undo;
    if (choice < 3 && !played.empty()) {
      const auto& [move, before] = played.back();
      move ? position.TakeBack(move, before) : position.TakeBackNull(before);
      played.pop_back();
    } else if (choice == 3 && !position.InCheck()) {
      position.DoNull(undo);
      played.emplace_back(Move(), undo);
    } else {
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.size() == 0) break;
      const Move move = moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))];
      position.Do(move, undo);
      played.emplace_back(move, undo);
    }
    if (rng.Below(3) != 0) look(position);
  }
}

void CompareWithAnew(const Network& network, Isa isa, const char* start, uint64_t seed) {
  LearnedEvaluator evaluator(network, isa);
  Wander(start, seed, [&](const Position& position) {
    ASSERT_EQ(evaluator.Evaluate(position), Anew(network, position)) << ToSfen(position, 1);
  });
}

TEST(LearnedEvaluator, IsTheSameWhateverWasEvaluatedBefore) {
  uint64_t seed = 0;
  for (const char* text : BenchPositions()) {
    CompareWithAnew(WildNetwork(), Isa::kBaseline, text, ++seed);
    CompareWithAnew(BuiltInNetwork(), Isa::kBaseline, text, ++seed);
  }
}

TEST(LearnedEvaluator, IsTheSameWithAvx2) {
  if (BestIsa() != Isa::kAvx2) GTEST_SKIP() << "this processor has no AVX2";
  uint64_t seed = 100;
  for (const char* text : BenchPositions()) {
    CompareWithAnew(WildNetwork(), Isa::kAvx2, text, ++seed);
    CompareWithAnew(BuiltInNetwork(), Isa::kAvx2, text, ++seed);
  }
}

TEST(PlainEvaluator, IsTheSameWhateverWasEvaluatedBefore) {
  uint64_t seed = 200;
  PlainEvaluator evaluator;
  for (const char* text : BenchPositions()) {
    Wander(text, ++seed, [&](const Position& position) {
      ASSERT_EQ(evaluator.Evaluate(position), EvaluatePlain(position)) << ToSfen(position, 1);
    });
  }
  EXPECT_GT(evaluator.Evaluate(At("4k4/9/4P4/9/9/9/9/9/9 b 2R2G 1")), 0) << "without a king";
}

TEST(LearnedEvaluator, ItsTermsAddUp) {
  for (const char* text : BenchPositions()) {
    const LearnedTerms terms = LearnedEvaluator(BuiltInNetwork()).Explain(At(text));
    EXPECT_EQ(terms.total, terms.plain + terms.balance + terms.safety + terms.output) << text;
  }
}

TEST(LearnedEvaluator, WorksWithoutAKing) {
  LearnedEvaluator evaluator;
  EXPECT_GT(evaluator.Evaluate(At("4k4/9/4P4/9/9/9/9/9/9 b 2R2G 1")), 0);
}

// The weakness that the theses admit: kings in the other camp, and scores that hope too much.
TEST(LearnedEvaluator, AKingInTheOtherCampIsWorthMoreWithItsPiecesThere) {
  const Value home = Anew(BuiltInNetwork(), At("4k4/9/9/9/9/9/9/9/8K b 2R2B4G4S 1"));
  const Value entered = Anew(BuiltInNetwork(), At("4k4/9/8K/9/9/9/9/9/9 b 2R2B4G4S 1"));
  const Value with_pieces = Anew(BuiltInNetwork(), At("4k4/9/GGGGPPPPK/9/9/9/9/9/9 b 2R2B4S 1"));
  EXPECT_GT(entered, home);
  EXPECT_GT(with_pieces, entered);
}

TEST(LearnedEvaluator, FollowsThePointsWhereBothKingsHaveEntered) {
  const std::string black = "1K1+P+P+P3/1+P+P+PGS3/";
  const std::string white = "/3sg+p+p+p1/3+p+p+p1k1 b ";
  const std::string rook_and_horse = "1+R1+P1+B3/9/9/9/";
  const Position behind = At(black + "3+P5/9/9/9/3+p1+b1+p1" + white + "GS2N2L2rbgs2n2l 1");
  const Position ahead = At(black + rook_and_horse + "3+p1+b1+p1" + white + "RGS2N2Lgs2n2l 1");
  const Position far = At(black + rook_and_horse + "3+p3+p1" + white + "RBGS2N2Lgs2n2l 1");
  ASSERT_LT(behind.DeclarationPoints(), 28);
  ASSERT_GE(far.DeclarationPoints(), 28);
  EXPECT_LT(Anew(BuiltInNetwork(), behind), 0);
  EXPECT_GT(Anew(BuiltInNetwork(), ahead), 0);
  EXPECT_GT(Anew(BuiltInNetwork(), far), Anew(BuiltInNetwork(), ahead));
}

TEST(Evaluator, EvaluatesByWhatItIsTold) {
  Evaluator evaluator;
  const Position position = At(BenchPositions()[5]);
  evaluator.SetOptions({.learned_evaluation = 0});
  EXPECT_EQ(evaluator.Evaluate(position), EvaluatePlain(position));
  evaluator.SetOptions({});
  EXPECT_EQ(evaluator.Evaluate(position), Anew(BuiltInNetwork(), position));
  Weights twice;
  twice.plain.fill(2 * kPlainUnit);
  evaluator.UseNetwork(std::make_shared<const Network>(twice, "twice"));
  EXPECT_EQ(evaluator.Evaluate(position), 2 * EvaluatePlain(position));
  evaluator.UseNetwork(nullptr);
  EXPECT_EQ(evaluator.Evaluate(position), Anew(BuiltInNetwork(), position));
}

TEST(ExplainPlain, ItsTermsAddUpToTheTempo) {
  for (const char* text : BenchPositions()) {
    const PlainTerms terms = ExplainPlain(At(text));
    const int difference = terms.own.placed - terms.other.placed + terms.own.guard -
                           terms.other.guard + terms.own.danger - terms.other.danger;
    EXPECT_EQ(terms.total, difference + 12) << text;
  }
}

}  // namespace
}  // namespace joseki::shogi
