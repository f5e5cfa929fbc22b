#include "engine/learn_command.h"

#include <fstream>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "engine/eval/network.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

LearnPlayArguments Play(const std::string& out, uint64_t games) {
  LearnPlayArguments arguments;
  arguments.out = out;
  arguments.games = games;
  arguments.nodes = 30;
  return arguments;
}

class Learn : public ::testing::Test {
 protected:
  testing::TempFolder folder_;
};
using LearnPlayTest = Learn;
using LearnTrainTest = Learn;
using LearnAgreeTest = Learn;

std::string Read(const std::string& path) { return ReadFile(path).value_or("nothing"); }

TEST_F(LearnPlayTest, GivesOneFileHoweverItIsMade) {
  std::ostringstream err;
  const std::string whole = folder_ / "whole";
  ASSERT_TRUE(LearnPlay(Play(whole, 4), err).ok());
  EXPECT_GT(Read(whole).size(), 4000u);

  LearnPlayArguments threads = Play(folder_ / "threads", 4);
  threads.threads = 3;
  ASSERT_TRUE(LearnPlay(threads, err).ok());
  EXPECT_EQ(Read(threads.out), Read(whole));

  // Broken off in the third game, and gone on with.
  const std::string parts = folder_ / "parts";
  ASSERT_TRUE(LearnPlay(Play(parts, 2), err).ok());
  std::ofstream(parts, std::ios::app) << "half a game";
  ASSERT_TRUE(LearnPlay(Play(parts, 4), err).ok());
  EXPECT_EQ(Read(parts), Read(whole));

  LearnPlayArguments other = Play(folder_ / "other", 4);
  other.seed = 2;
  ASSERT_TRUE(LearnPlay(other, err).ok());
  EXPECT_NE(Read(other.out), Read(whole));
}

TEST_F(LearnPlayTest, RefusesAStateThatDoesNotFit) {
  std::ostringstream err;
  const std::string out = folder_ / "samples";
  std::ofstream(out + ".state") << "3 1000\n";
  EXPECT_EQ(ProblemOf(LearnPlay(Play(out, 4), err)).code, "bad_state");
  std::ofstream(out + ".state") << "three\n";
  EXPECT_EQ(ProblemOf(LearnPlay(Play(out, 4), err)).code, "bad_state");
}

TEST_F(LearnPlayTest, NamesTheLineOfABadStart) {
  const std::string starts = folder_ / "starts";
  std::ofstream(starts) << "startpos moves 7g7f\n\nstartpos moves 7g7e\n";
  LearnPlayArguments arguments = Play(folder_ / "samples", 1);
  arguments.starts = {starts};
  std::ostringstream err;
  const Problem problem = ProblemOf(LearnPlay(arguments, err));
  EXPECT_EQ(problem.file, starts);
  EXPECT_EQ(problem.line, 3);
}

TEST_F(LearnTrainTest, WritesWeightsStateAndRecord) {
  std::ostringstream err;
  const std::string samples = folder_ / "samples";
  ASSERT_TRUE(LearnPlay(Play(samples, 4), err).ok());
  LearnTrainArguments train;
  train.samples = {samples};
  train.out = folder_ / "weights";
  train.state = folder_ / "training";
  train.epochs = 1;
  train.held_out = 2;
  std::ostringstream out;
  const absl::Status trained = LearnTrain(train, out);
  ASSERT_TRUE(trained.ok()) << trained;
  const auto network = shogi::LoadNetwork(train.out);
  ASSERT_TRUE(network.ok()) << network.status();
  const auto record = nlohmann::json::parse(Read(train.out + ".json"));
  EXPECT_EQ(record["weights_sha256"], (*network)->sha256());
  EXPECT_EQ(record["games"], 4);
  EXPECT_EQ(record["passes"].size(), 1u);

  // Nothing is left to do; the weights stay.
  const std::string weights = Read(train.out);
  ASSERT_TRUE(LearnTrain(train, out).ok());
  EXPECT_EQ(Read(train.out), weights);

  // And they play.
  LearnPlayArguments next = Play(folder_ / "next", 1);
  next.weights = train.out;
  EXPECT_TRUE(LearnPlay(next, err).ok());
  std::ofstream(train.out, std::ios::app) << "x";
  EXPECT_EQ(ProblemOf(LearnPlay(next, err)).code, "weights_truncated");
}

TEST_F(LearnTrainTest, RefusesWhatIsNoSampleAndTooFew) {
  LearnTrainArguments train;
  train.out = folder_ / "weights";
  const std::string samples = folder_ / "samples";
  train.samples = {samples};
  std::ostringstream out;
  EXPECT_FALSE(LearnTrain(train, out).ok());
  std::ofstream(samples) << "";
  EXPECT_EQ(ProblemOf(LearnTrain(train, out)).code, "too_few_samples");
  std::ofstream(samples) << std::string(40, '\xff');
  EXPECT_EQ(ProblemOf(LearnTrain(train, out)).file, samples);
}

TEST_F(LearnAgreeTest, CountsTheMovesThatASearchChoosesToo) {
  const std::string games = folder_ / "games";
  // Black takes a rook for nothing, as any search would.
  std::ofstream(games) << "sfen 4k4/9/9/9/4r4/9/9/9/4R3K b - 1 moves 5i5e\n";
  LearnAgreeArguments agree;
  agree.games = {games};
  for (const bool plain : {false, true}) {
    agree.plain = plain;
    std::ostringstream out;
    ASSERT_TRUE(LearnAgree(agree, out).ok());
    EXPECT_NE(out.str().find("positions  1\nagreed     1\n"), std::string::npos) << out.str();
  }
}

}  // namespace
}  // namespace joseki
