#include <fstream>

#include "base/file.h"
#include "base/problem.h"
#include "engine/xiangqi/learn/fit.h"
#include "engine/xiangqi/learn/samples.h"
#include "engine/xiangqi/learn/weights_file.h"
#include "engine/xiangqi/packed.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

// Samples in which the side with more knights wins and nothing else matters.
std::vector<Sample> KnightsWin() {
  std::vector<Sample> samples;
  int game = 0;
  for (const Position& position : SamplePositions(61, 200, 4)) {
    const int more =
        position.pieces(kRed, kKnight).Count() - position.pieces(kBlack, kKnight).Count();
    samples.push_back({.position = Pack(position),
                       .game = game++,
                       .result = more > 0   ? 1
                                 : more < 0 ? 0
                                            : 0.5,
                       .score = {}});
  }
  return samples;
}

TEST(XiangqiFit, LearnsTheTermThatDecides) {
  const std::vector<Sample> samples = KnightsWin();
  const absl::StatusOr<FitResult> fit = Fit(samples, {.scale = 700});
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_EQ(fit->trained + fit->held_out, samples.size());
  EXPECT_GT(fit->held_out, samples.size() / 12);
  EXPECT_LT(fit->loss_learned, fit->loss_material - 0.1);
  const absl::StatusOr<FitResult> again = Fit(samples, {.scale = 700});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(WeightsText(*fit, "test."), WeightsText(*again, "test."));
}

TEST(XiangqiFit, ScoresCountWithoutResults) {
  std::vector<Sample> samples = KnightsWin();
  for (Sample& sample : samples) {
    sample.score = (*sample.result - 0.5) * 4000;
    sample.result.reset();
  }
  const absl::StatusOr<FitResult> fit = Fit(samples, {.scale = 700, .result_part = 0.5});
  ASSERT_TRUE(fit.ok()) << fit.status();
  EXPECT_LT(fit->target_learned, fit->target_material - 0.1);
}

TEST(XiangqiFit, NeedsSamplesToTrainWithAndToHoldOut) {
  EXPECT_EQ(ProblemOf(Fit({}, {}).status()).code, "too_few_samples");
  std::vector<Sample> samples = KnightsWin();
  std::erase_if(samples, [](const Sample& sample) { return sample.game % 10 == 0; });
  EXPECT_EQ(ProblemOf(Fit(samples, {}).status()).code, "too_few_samples");
}

TEST(XiangqiSamples, GamesGiveSamplesThatAreStored) {
  testing::TempFolder folder;
  const std::string games = folder / "games.ucci";
  std::ofstream(games) << "startpos moves h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2\n"
                       << "startpos moves h2e2 h7e7 e2e6 d9e8\n"
                       << "startpos moves c3c4 c6c5 c4c5\n";
  std::ofstream(folder / "games.meta.tsv") << "line\tresult\n1\t1-0\n2\t*\n3\t0-1\n";
  const absl::StatusOr<std::vector<Sample>> samples =
      ReadSamples(games, {.every = 1, .first_ply = 2, .search_nodes = 100}, 0);
  ASSERT_TRUE(samples.ok()) << samples.status();
  ASSERT_EQ(samples->size(), 6u) << "five of the first game, one of the third";
  EXPECT_EQ(samples->front().result, 1);
  EXPECT_EQ(samples->back().result, 0);
  EXPECT_NE(samples->front().game, samples->back().game);
  ASSERT_TRUE(samples->back().score.has_value());

  const std::string kept = folder / "kept.tsv";
  ASSERT_TRUE(WriteSamples(kept, *samples).ok());
  const absl::StatusOr<std::vector<Sample>> loaded = LoadSamples(kept);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_EQ(loaded->size(), samples->size());
  for (size_t i = 0; i < loaded->size(); ++i) {
    EXPECT_EQ((*loaded)[i].position, (*samples)[i].position);
    EXPECT_EQ((*loaded)[i].result, (*samples)[i].result);
    EXPECT_EQ((*loaded)[i].score, (*samples)[i].score);
  }
  for (const char* const number : {"-", "nan", "1x"}) {
    std::string text = ReadFile(kept).value();
    text.replace(text.rfind('\t') + 1, std::string::npos, number);
    std::ofstream(folder / "one.tsv") << text << "\n";
    EXPECT_EQ(LoadSamples(folder / "one.tsv").ok(), std::string(number) == "-") << number;
  }
  EXPECT_FALSE(ReadSamples(folder / "none.ucci", {}, 0).ok());
  for (const char* const number : {"x", "0", "99999999999", ""}) {
    std::ofstream(folder / "games.meta.tsv") << "line\tresult\n1\t1-0\n" << number << "\t0-1\n";
    const absl::Status status = ReadSamples(games, {}, 0).status();
    EXPECT_EQ(ProblemOf(status).code, "bad_results") << number;
    EXPECT_EQ(ProblemOf(status).line, 3) << number;
  }
  std::ofstream(folder / "games.meta.tsv") << "line\tresult\n1\t1-0\n";
  std::ofstream(games) << "startpos moves h2e3\n";
  EXPECT_FALSE(ReadSamples(games, {}, 0).ok());
}

}  // namespace
}  // namespace joseki::xiangqi
