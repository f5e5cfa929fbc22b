// Processes of joseki-engine that learn together from the moves of games, as tasks of a cluster do.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/e2e/child.h"
#include "tests/engine/engine_command.h"

namespace joseki {
namespace {

using testing::Child;
using LearnParts = testing::EngineCommand;

TEST_F(LearnParts, ThreeProcessesOneOfThemKilledWriteTheWeightsOfOne) {
  const std::string games = File(
      "startpos moves 7g7f 3c3d 2g2f 8c8d\nstartpos moves 2g2f 8c8d 2f2e 8d8e 6i7h\n"
      "startpos moves 7g7f 8c8d 6g6f 3c3d\n");
  const std::vector<std::string> learn = {"learn",  "moves", games,        "--rounds", "8",
                                          "--step", "64",    "--held-out", "3"};
  std::string line;
  for (const std::string& word : learn) line += word + " ";
  const testing::CommandOutcome one = RunEngine(line + "--out " + folder_ / "weights");
  ASSERT_EQ(one.status, 0) << one.err;

  auto weights = [&](int number) { return folder_ / ("weights." + std::to_string(number)); };
  auto log = [&](int number) { return folder_ / ("log." + std::to_string(number)); };
  auto start = [&](int number) {
    std::vector<std::string> command = {JOSEKI_BINARY_DIR "/joseki-engine"};
    command.insert(command.end(), learn.begin(), learn.end());
    for (const std::string& word :
         {std::string("--part"), std::to_string(number) + "/3", std::string("--folder"),
          folder_ / "parts", std::string("--out"), weights(number)}) {
      command.push_back(word);
    }
    return std::make_unique<Child>(command, log(number));
  };
  std::vector<std::unique_ptr<Child>> parts;
  for (int number = 1; number <= 3; ++number) parts.push_back(start(number));
  ASSERT_TRUE(testing::Eventually([&] {
    return std::filesystem::exists(folder_ / "parts/gradient-1.part-3-of-3");
  })) << *ReadFile(log(3));
  parts[2]->Kill();
  std::filesystem::remove(log(3));
  parts[2] = start(3);
  for (int number = 1; number <= 3; ++number) {
    EXPECT_EQ(parts[static_cast<size_t>(number - 1)]->Wait(), 0) << *ReadFile(log(number));
    EXPECT_EQ(*ReadFile(log(number)), one.out);
    EXPECT_EQ(ReadFile(weights(number)).value_or("none"), *ReadFile(folder_ / "weights"));
  }
}

}  // namespace
}  // namespace joseki
