#include <cmath>
#include <string>
#include <vector>

#include "base/file.h"
#include "engine/shogi/learn/sample.h"
#include "engine/shogi/learn/self_play.h"
#include "engine/shogi/learn/trainer.h"
#include "engine/shogi/packed.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"
#include "tests/support/temp_folder.h"

namespace joseki::learn {
namespace {

std::vector<Sample> SomeSamples(int games) {
  Search<Shogi> search(size_t{1} << 20);
  const SelfPlayOptions options{.nodes = 40, .random_plies = 8, .longest = 60};
  std::vector<Sample> samples;
  for (int game = 0; game < games; ++game) {
    Rng rng = Rng(9).Split(static_cast<uint64_t>(game));
    for (const Sample& sample : PlaySelfPlayGame(shogi::Position(), options, rng, search)) {
      samples.push_back(sample);
    }
  }
  return samples;
}

std::string BytesOf(const std::vector<Sample>& samples) {
  std::string bytes;
  for (const Sample& sample : samples) AppendSample(sample, bytes);
  return bytes;
}

TEST(SelfPlay, GivesTheSameGamesAgain) {
  const std::vector<Sample> samples = SomeSamples(3);
  EXPECT_GT(samples.size(), 30u);
  EXPECT_EQ(BytesOf(samples), BytesOf(SomeSamples(3)));
  for (const Sample& sample : samples) {
    const auto position = shogi::Unpack(sample.position);
    ASSERT_TRUE(position.ok()) << position.status();
    EXPECT_TRUE(position->IsLegal(sample.move));
    EXPECT_FALSE(position->InCheck());
  }
}

TEST(Samples, ComeBackFromAFileThatWasCutShort) {
  const std::vector<Sample> samples = SomeSamples(1);
  const std::string bytes = BytesOf(samples);
  EXPECT_EQ(bytes.size(), samples.size() * kSampleBytes);
  const testing::TempFolder folder;
  const std::string path = folder / "samples";
  ASSERT_TRUE(WriteFileAtomically(path, bytes + "part").ok());
  const auto read = ReadSamples(path);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(BytesOf(*read), bytes);
}

TEST(ExpectedScores, LookAheadByTheirWeight) {
  // Three plies and then one ply apart: those between were in check.
  std::vector<Sample> game(3);
  for (size_t i = 0; i < 3; ++i) game[i].ply = static_cast<uint16_t>(i == 0 ? 10 : 12 + i);
  game[2].score = 600;
  game[2].result = 1;
  const double high = 1 / (1 + std::exp(-1.0));
  const std::vector<float> alone = ExpectedScores(game, 0);
  EXPECT_FLOAT_EQ(alone[0], 0.5F);
  EXPECT_NEAR(alone[2], high, 1e-6);
  const std::vector<float> ahead = ExpectedScores(game, 0.5);
  const double last = 0.5 * high + 0.5;
  const double middle = 0.25 + 0.5 * (1 - last);
  EXPECT_NEAR(ahead[2], last, 1e-6);
  EXPECT_NEAR(ahead[1], middle, 1e-6);
  EXPECT_NEAR(ahead[0], 0.875 * 0.5 + 0.125 * (1 - middle), 1e-6) << "three plies on";
}

class Training : public ::testing::Test {
 protected:
  Training() {
    for (const Sample& sample : SomeSamples(4)) {
      const auto encoded = Encode(sample);
      EXPECT_TRUE(encoded.ok());
      samples_.push_back(*encoded);
    }
  }
  static std::string WeightsOf(const Trainer& trainer) {
    return shogi::WriteWeights(trainer.Rounded());
  }

  TrainerOptions options_{.threads = 2, .batch = 64, .epochs = 2};
  std::vector<Encoded> samples_;
};

TEST_F(Training, LowersTheLoss) {
  Trainer trainer(options_);
  const double before = trainer.Measure(samples_).mean;
  trainer.Epoch(samples_);
  EXPECT_LT(trainer.Measure(samples_).mean, before);
  EXPECT_GT(trainer.MeasurePlain(samples_), 0.0);
}

TEST_F(Training, GoesOnFromItsStateAsIfNothingHadHappened) {
  Trainer whole(options_);
  whole.Epoch(samples_);
  const std::string state = whole.Save();
  whole.Epoch(samples_);
  Trainer resumed(options_);
  ASSERT_TRUE(resumed.Restore(state, "state").ok());
  EXPECT_EQ(resumed.epoch(), 1);
  resumed.Epoch(samples_);
  EXPECT_EQ(WeightsOf(resumed), WeightsOf(whole));
  EXPECT_FALSE(resumed.Restore(state.substr(1), "state").ok());
  EXPECT_FALSE(resumed.Restore("", "state").ok());
}

}  // namespace
}  // namespace joseki::learn
