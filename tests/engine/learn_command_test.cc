#include "engine/learn_command.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "engine/learn_moves_command.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/learn/sample.h"
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

TEST_F(LearnPlayTest, SearchesWithTheOptionsItIsGiven) {
  std::ostringstream err;
  const LearnPlayArguments plain = Play(folder_ / "plain", 2);
  ASSERT_TRUE(LearnPlay(plain, err).ok());
  LearnPlayArguments other = Play(folder_ / "other", 2);
  other.set = {"KingNeighbours=1", "Pins"};
  ASSERT_TRUE(LearnPlay(other, err).ok());
  EXPECT_NE(Read(other.out), Read(plain.out));
  other.set = {"KingNeighbour=1"};
  EXPECT_EQ(ProblemOf(LearnPlay(other, err)).code, "unknown_option");
  other.set = {"Pins=2"};
  EXPECT_EQ(ProblemOf(LearnPlay(other, err)).code, "bad_option");
}

TEST_F(LearnPlayTest, RefusesAStateThatDoesNotFit) {
  std::ostringstream err;
  const std::string out = folder_ / "samples";
  std::ofstream(out + ".state") << "3 1000\n";
  EXPECT_EQ(ProblemOf(LearnPlay(Play(out, 4), err)).code, "bad_state");
  std::ofstream(out + ".state") << "three\n";
  EXPECT_EQ(ProblemOf(LearnPlay(Play(out, 4), err)).code, "bad_state");
  const std::string shorter = folder_ / "shorter";
  ASSERT_TRUE(LearnPlay(Play(shorter, 1), err).ok());
  std::ofstream{shorter};
  EXPECT_EQ(ProblemOf(LearnPlay(Play(shorter, 4), err)).code, "bad_state");
}

TEST_F(LearnPlayTest, LeavesAFileAloneThatIsNotItsOwn) {
  std::ostringstream err;
  const std::string out = folder_ / "something";
  std::ofstream(out) << "else";
  EXPECT_EQ(ProblemOf(LearnPlay(Play(out, 1), err)).code, "file_exists");
  EXPECT_EQ(Read(out), "else");
  EXPECT_FALSE(std::filesystem::exists(out + ".state"));
}

// Files of this process cannot grow beyond a size while it lives, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*const handler_)(int);
  rlimit before_{};
};

// The state counts only what stands in the file, so that the command can go on.
TEST_F(LearnPlayTest, StopsWhereTheDiskIsFullAndGoesOn) {
  std::ostringstream err;
  const std::string whole = folder_ / "whole";
  ASSERT_TRUE(LearnPlay(Play(whole, 3), err).ok());
  const std::string out = folder_ / "samples";
  ASSERT_TRUE(LearnPlay(Play(out, 1), err).ok());
  const std::string state = Read(out + ".state");
  {
    const FullDisk full(Read(out).size() + 100);
    LearnPlayArguments endless = Play(out, 1'000'000);
    endless.threads = 2;
    EXPECT_EQ(ProblemOf(LearnPlay(endless, err)).code, "cannot_write");
  }
  EXPECT_EQ(Read(out + ".state"), state);
  ASSERT_TRUE(LearnPlay(Play(out, 3), err).ok());
  EXPECT_EQ(Read(out), Read(whole));
}

TEST_F(LearnPlayTest, GoesOnWithTheSameSettingsAlone) {
  std::ostringstream err;
  const std::string out = folder_ / "samples";
  ASSERT_TRUE(LearnPlay(Play(out, 1), err).ok());
  const std::string samples = Read(out);
  LearnPlayArguments other = Play(out, 2);
  other.nodes = 31;
  EXPECT_EQ(ProblemOf(LearnPlay(other, err)).code, "other_settings");
  other = Play(out, 2);
  other.starts = {folder_ / "starts"};
  std::ofstream(other.starts[0]) << "startpos moves 7g7f\n";
  EXPECT_EQ(ProblemOf(LearnPlay(other, err)).code, "other_settings");
  EXPECT_EQ(Read(out), samples);
  LearnPlayArguments more = Play(out, 2);
  more.threads = 2;
  EXPECT_TRUE(LearnPlay(more, err).ok());
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

  // Nothing is left to do; the weights stay, and come back if they were not written.
  const std::string weights = Read(train.out);
  ASSERT_TRUE(LearnTrain(train, out).ok());
  EXPECT_EQ(Read(train.out), weights);
  std::filesystem::remove(train.out);
  std::filesystem::remove(train.out + ".json");
  ASSERT_TRUE(LearnTrain(train, out).ok());
  EXPECT_EQ(Read(train.out), weights);
  EXPECT_EQ(nlohmann::json::parse(Read(train.out + ".json")), record);

  // And they play.
  LearnPlayArguments next = Play(folder_ / "next", 1);
  next.weights = train.out;
  EXPECT_TRUE(LearnPlay(next, err).ok());
  std::ofstream(train.out, std::ios::app) << "x";
  EXPECT_EQ(ProblemOf(LearnPlay(next, err)).code, "weights_truncated");
}

TEST_F(LearnTrainTest, GoesOnWithTheSameSettingsAlone) {
  std::ostringstream err;
  LearnTrainArguments train;
  train.samples = {folder_ / "samples"};
  ASSERT_TRUE(LearnPlay(Play(train.samples[0], 4), err).ok());
  train.out = folder_ / "weights";
  train.state = folder_ / "training";
  train.epochs = 2;
  train.held_out = 2;
  std::ostringstream out;
  ASSERT_TRUE(LearnTrain(train, out).ok());
  const std::string weights = Read(train.out);
  const auto record = nlohmann::json::parse(Read(train.out + ".json"));
  ASSERT_EQ(record["passes"].size(), 2u);

  // Broken off after the first pass: the record has both when it goes on.
  const std::string second = Read(train.state);
  const size_t end = second.find('\n');
  auto head = nlohmann::json::parse(second.substr(0, end));
  EXPECT_EQ(head["passes"].size(), 2u);
  LearnTrainArguments other = train;
  other.rate = 1e-4;
  EXPECT_EQ(ProblemOf(LearnTrain(other, out)).code, "other_settings");
  other = train;
  other.samples = {folder_ / "more"};
  ASSERT_TRUE(LearnPlay(Play(other.samples[0], 5), err).ok());
  EXPECT_EQ(ProblemOf(LearnTrain(other, out)).code, "other_settings");
  EXPECT_EQ(Read(train.out), weights);

  // The state of one pass: the trainer's number of passes follows its mark of eight letters.
  std::string first = second.substr(end + 1);
  first[8] = 1;
  head["passes"].erase(1);
  std::ofstream(train.state, std::ios::binary) << head.dump() << "\n" << first;
  ASSERT_TRUE(LearnTrain(train, out).ok());
  const auto resumed = nlohmann::json::parse(Read(train.out + ".json"));
  ASSERT_EQ(resumed["passes"].size(), 2u);
  EXPECT_EQ(resumed["passes"][0], record["passes"][0]);
  EXPECT_EQ(resumed["passes"][1]["pass"], 2);

  std::ofstream(train.state, std::ios::binary) << first;
  EXPECT_EQ(ProblemOf(LearnTrain(train, out)).code, "bad_training_state");
}

TEST_F(LearnTrainTest, BeginsWithTheWeightsItIsGiven) {
  std::ostringstream err;
  const std::string samples = folder_ / "samples";
  ASSERT_TRUE(LearnPlay(Play(samples, 4), err).ok());
  LearnTrainArguments train;
  train.samples = {samples};
  train.out = folder_ / "first";
  train.epochs = 1;
  train.held_out = 2;
  std::ostringstream out;
  ASSERT_TRUE(LearnTrain(train, out).ok());

  // With steps of size zero the weights stay as they were.
  LearnTrainArguments next = train;
  next.out = folder_ / "next";
  next.rate = 0;
  ASSERT_TRUE(LearnTrain(next, out).ok());
  EXPECT_NE(Read(next.out), Read(train.out));
  next.from = train.out;
  ASSERT_TRUE(LearnTrain(next, out).ok());
  EXPECT_EQ(Read(next.out), Read(train.out));
  const auto record = nlohmann::json::parse(Read(next.out + ".json"));
  EXPECT_EQ(record["from"], nlohmann::json::parse(Read(train.out + ".json"))["weights_sha256"]);

  std::ofstream(train.out, std::ios::app) << "x";
  EXPECT_EQ(ProblemOf(LearnTrain(next, out)).code, "weights_truncated");
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

using LearnGatherTest = Learn;
using LearnMovesTest = Learn;
using LearnCombineTest = Learn;

constexpr char kGame[] =
    R"({"start": "startpos", "moves": "7g7f 3c3d 2g2f 8c8d 2f2e", "scores": [12, null, -7],
    "result": "first_wins"})";

std::string OneLine(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  return text;
}

TEST_F(LearnGatherTest, TakesTheScoredPositionsAfterTheLine) {
  const std::string games = folder_ / "games";
  const std::string game = OneLine(kGame);
  std::ofstream(games) << game << "\n\n{\"games\": [" << game << ", {\"result\": \"none\"}]}\n";
  LearnGatherArguments arguments{.games = {games}, .out = folder_ / "samples"};
  std::ostringstream out;
  const absl::Status gathered = LearnGather(arguments, out);
  ASSERT_TRUE(gathered.ok()) << gathered;
  const auto samples = learn::ReadSamples(arguments.out);
  ASSERT_TRUE(samples.ok());
  ASSERT_EQ(samples->size(), 4u) << "two a game have a score";
  EXPECT_EQ((*samples)[0].score, 12);
  EXPECT_EQ((*samples)[0].ply, 2);
  EXPECT_EQ((*samples)[0].result, 1);
  EXPECT_EQ((*samples)[1].score, -7);
  EXPECT_EQ((*samples)[1].result, 1);
  EXPECT_TRUE((*samples)[1].quiet);
  EXPECT_NE(out.str().find("2 games, 4 positions, 1 games without"), std::string::npos);
}

TEST_F(LearnGatherTest, LeavesOutScoresBeyondMeasure) {
  std::string game = OneLine(kGame);
  const std::string scores = "[12, null, -7]";
  game.replace(game.find(scores), scores.size(), "[12, 2500, -9223372036854775808]");
  std::ofstream(folder_ / "games") << game << "\n";
  LearnGatherArguments arguments{.games = {folder_ / "games"}, .out = folder_ / "samples"};
  std::ostringstream out;
  ASSERT_TRUE(LearnGather(arguments, out).ok());
  EXPECT_EQ(learn::ReadSamples(arguments.out)->size(), 1u);
}

TEST_F(LearnGatherTest, NamesTheLineOfWhatIsNoGame) {
  const std::string games = folder_ / "games";
  LearnGatherArguments arguments{.games = {games}, .out = folder_ / "samples"};
  const std::string sound = OneLine(kGame);
  auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = sound;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& bad :
       {std::string("no JSON"), std::string("[]"), replaced("first_wins", "black"),
        replaced("\"first_wins\"", "1"), replaced("7g7f", "7g7e"),
        replaced("[12, null, -7]", "[1, 2, 3, 4, 5, 6]"), replaced("[12, null, -7]", "7"),
        replaced("\"startpos\"", "7")}) {
    std::ofstream(games) << sound << "\n" << bad << "\n";
    std::ostringstream out;
    const absl::Status gathered = LearnGather(arguments, out);
    ASSERT_FALSE(gathered.ok()) << bad;
    EXPECT_EQ(ProblemOf(gathered).file, games) << bad;
    EXPECT_EQ(ProblemOf(gathered).line, 2) << bad;
    EXPECT_EQ(Read(arguments.out), "nothing");
  }
}

TEST_F(LearnMovesTest, LearnsToPreferTheMovesOfGamesAndGoesOn) {
  const std::string games = folder_ / "games";
  {
    std::ofstream file(games);
    for (int i = 0; i < 4; ++i) {
      file << "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b\n";
      file << "startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b\n";
    }
  }
  LearnMovesArguments arguments{
      .games = {games}, .out = folder_ / "weights", .state = folder_ / "state", .rounds = 6};
  arguments.held_out = 4;
  std::ostringstream out;
  const absl::Status learned = LearnMoves(arguments, out);
  ASSERT_TRUE(learned.ok()) << learned;
  EXPECT_TRUE(shogi::LoadNetwork(arguments.out).ok());
  const std::string whole = Read(arguments.out);

  // In two parts, with other threads: the same weights.
  LearnMovesArguments parts = arguments;
  parts.out = folder_ / "parts";
  parts.state = folder_ / "parts.state";
  parts.rounds = 2;
  parts.threads = 3;
  ASSERT_TRUE(LearnMoves(parts, out).ok());
  EXPECT_NE(Read(parts.out), whole);
  parts.rounds = 6;
  parts.threads = 1;
  ASSERT_TRUE(LearnMoves(parts, out).ok());
  EXPECT_EQ(Read(parts.out), whole);

  std::filesystem::remove(parts.out);
  ASSERT_TRUE(LearnMoves(parts, out).ok());
  EXPECT_EQ(Read(parts.out), whole) << "of a learning that is over";

  LearnMovesArguments other = parts;
  other.width = 50;
  EXPECT_EQ(ProblemOf(LearnMoves(other, out)).code, "other_settings");
  EXPECT_EQ(Read(parts.out), whole);
  std::ofstream(parts.state) << "something else";
  EXPECT_EQ(ProblemOf(LearnMoves(parts, out)).code, "bad_training_state");
  arguments.held_out = 100;
  EXPECT_EQ(ProblemOf(LearnMoves(arguments, out)).code, "too_few_games");
}

// Each life of a part ends at the first stage that another part has not written. It is killed
// there, whatever it has written, and another life begins, that of the first part with its state.
TEST_F(LearnMovesTest, PartsThatAreKilledAtEveryStageWriteTheWeightsOfOneProcess) {
  const std::string games = folder_ / "games";
  {
    std::ofstream file(games);
    for (int i = 0; i < 2; ++i) {
      file << "startpos moves 7g7f 3c3d 2g2f 8c8d\nstartpos moves 2g2f 8c8d 2f2e 8d8e 6i7h\n";
    }
  }
  LearnMovesArguments arguments{.games = {games}, .out = folder_ / "weights", .rounds = 4};
  arguments.held_out = 4;
  std::ostringstream whole;
  ASSERT_TRUE(LearnMoves(arguments, whole).ok());

  arguments.folder = folder_ / "parts";
  arguments.wait_seconds = 0;
  auto live = [&](int number, std::ostream& out) {
    LearnMovesArguments part = arguments;
    part.part = std::to_string(number) + "/3";
    part.threads = number;
    part.out = folder_ / ("weights." + std::to_string(number));
    if (number == 1) part.state = folder_ / "state";
    return LearnMoves(part, out);
  };
  // One life of the first part ends after its step, before its file of held-out games is written.
  const std::string obstacle = folder_ / "parts/held-1.part-1-of-3";
  std::filesystem::create_directories(obstacle);
  bool blocked = true;
  int lives = 0;
  for (int done = 0; done < 3; ++lives) {
    ASSERT_LT(lives, 100);
    const int number = lives % 3 + 1;
    std::ostringstream out;
    const absl::Status lived = live(number, out);
    done = lived.ok() ? done + 1 : 0;
    if (lived.ok() || ProblemOf(lived).code == "parts_missing") continue;
    ASSERT_TRUE(blocked) << lived;
    ASSERT_EQ(ProblemOf(lived).file, obstacle);
    if (number == 1) {
      std::filesystem::remove(obstacle);
      blocked = false;
    }
  }
  EXPECT_FALSE(blocked);
  EXPECT_GT(lives, 9) << "nobody was broken off";
  for (const char* number : {"1", "2", "3"}) {
    EXPECT_EQ(Read(folder_ / (std::string("weights.") + number)), Read(arguments.out)) << number;
  }
  std::ostringstream again;
  ASSERT_TRUE(live(2, again).ok());
  EXPECT_EQ(again.str(), whole.str()) << "objective and agreement of all parts";

  arguments.width = 50;
  EXPECT_EQ(ProblemOf(live(2, again)).code, "part_of_another_run");
  arguments.width = 60;
  std::ofstream(games, std::ios::app) << "startpos moves 2g2f\n";
  EXPECT_EQ(ProblemOf(live(2, again)).found.substr(0, 7), "'games=");
  for (const char* bad : {"0/3", "4/3", "1", "1/2/3", "one/3", "-1/3", "1/0", "1/10001"}) {
    arguments.part = bad;
    EXPECT_EQ(ProblemOf(LearnMoves(arguments, again)).code, "bad_part_number") << bad;
  }
}

TEST_F(LearnCombineTest, WritesTheTableThatTheEngineIsBuiltWith) {
  std::ostringstream err;
  const std::string samples = folder_ / "samples";
  ASSERT_TRUE(LearnPlay(Play(samples, 4), err).ok());
  LearnCombineArguments arguments{
      .samples = {samples}, .out = folder_ / "mined.h", .least_positions = 5, .most = 3};
  std::ostringstream out;
  ASSERT_TRUE(LearnCombine(arguments, out).ok());
  const std::string header = Read(arguments.out);
  EXPECT_NE(header.find("inline constexpr Combination kMinedCombinations[] = {\n    {"),
            std::string::npos)
      << header;
  EXPECT_NE(out.str().find(", "), std::string::npos);
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
