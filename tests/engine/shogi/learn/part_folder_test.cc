#include "engine/shogi/learn/part_folder.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/problem.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"
#include "tests/support/problem_code.h"
#include "tests/support/temp_folder.h"

namespace joseki::learn {
namespace {

using testing::CodeOf;

class ManualClock final : public Clock {
 public:
  absl::Time Now() const override { return now; }
  absl::Time now = testing::kNow;
};

constexpr char kRun[] = "games=1 width=60";

BonanzaSums SumsOf(size_t part) {
  const auto n = static_cast<int64_t>(part);
  return {.gradient = {n, -10 * n},
          .asked = {100 * n, 7},
          .objective = 1000 * n,
          .positions = part,
          .agreed = 1};
}

// Three parts of a run, numbered from 1.
class PartFolderTest : public ::testing::Test {
 protected:
  // Total of a part that waits for at most `patience`; `meanwhile` is called at each pause.
  absl::StatusOr<BonanzaSums> Total(
      size_t number, absl::Duration patience = absl::ZeroDuration(),
      const std::function<void()>& meanwhile = [] {}, const std::string& run = kRun,
      const std::string& state = "state") {
    const PartFolder folder({.folder = folder_ / "parts",
                             .part = {.index = number - 1, .count = 3},
                             .run = run,
                             .patience = patience},
                            clock_, [&](absl::Duration pause) {
                              clock_.now += pause;
                              meanwhile();
                            });
    return folder.Total("gradient-0", state, [&] {
      ++searched_;
      return SumsOf(number);
    });
  }
  // A part whose process ends as soon as its sums are written.
  void Write(size_t number, const std::string& run = kRun, const std::string& state = "state") {
    EXPECT_EQ(CodeOf(Total(
                         number, absl::ZeroDuration(), [] {}, run, state)
                         .status()),
              "parts_missing");
  }
  std::string File(size_t number) {
    return folder_ / ("parts/gradient-0.part-" + std::to_string(number) + "-of-3");
  }
  // Part 3's outcome with `bytes` as part 2's file.
  absl::Status With(const std::string& bytes) {
    std::ofstream(File(2), std::ios::binary) << bytes;
    return Total(3).status();
  }

  testing::TempFolder folder_;
  ManualClock clock_;
  int searched_ = 0;  // how often sums were computed
};

TEST_F(PartFolderTest, WaitsForAllPartsAndAddsThem) {
  Write(3);
  int looks = 0;
  auto others = [&] {
    ++looks;
    if (looks == 5) Write(2);
    if (looks == 8) {
      EXPECT_TRUE(Total(1).ok()) << "the last one waits for nobody";
    }
  };
  const auto total = Total(3, absl::Minutes(1), others);
  ASSERT_TRUE(total.ok()) << total.status();
  EXPECT_EQ(looks, 8);
  EXPECT_EQ(total->gradient, (std::vector<int64_t>{6, -60}));
  EXPECT_EQ(total->asked, (std::vector<int64_t>{600, 21}));
  EXPECT_EQ(total->objective, 6000);
  EXPECT_EQ(total->positions, 6u);
  EXPECT_EQ(total->agreed, 3u);
}

TEST_F(PartFolderTest, NamesThePartsThatAreMissingInTime) {
  const absl::Time began = clock_.now;
  const absl::Status late = Total(2, absl::Minutes(1)).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(late));
  EXPECT_EQ(ProblemOf(late).code, "parts_missing");
  EXPECT_EQ(ProblemOf(late).file, folder_ / "parts");
  EXPECT_EQ(ProblemOf(late).found, "no file of part 1, 3 of 3 for gradient-0 after 1m");
  EXPECT_GE(clock_.now - began, absl::Minutes(1));
  EXPECT_LE(clock_.now - began, absl::Seconds(62));

  Write(1);
  EXPECT_EQ(ProblemOf(Total(2).status()).found, "no file of part 3 of 3 for gradient-0 after 0");
}

TEST_F(PartFolderTest, APartThatIsStartedAgainTakesItsSumsFromItsFile) {
  Write(1);
  Write(1);
  EXPECT_EQ(searched_, 1);
  Write(2);
  ASSERT_TRUE(Total(3).ok());
  const auto again = Total(1);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->objective, 6000);
  EXPECT_EQ(searched_, 3);
}

TEST_F(PartFolderTest, RefusesPartsOfAnotherRunByWhatDiffers) {
  Write(1, "games=1 width=50");
  const Problem width = ProblemOf(Total(2).status());
  EXPECT_EQ(width.code, "part_of_another_run");
  EXPECT_EQ(width.file, File(1));
  EXPECT_EQ(width.found, "'width=50'");
  EXPECT_EQ(width.expected, "width=60");

  // One's own too, rather than to search in vain.
  EXPECT_EQ(ProblemOf(Total(1).status()).found, "'width=50'");

  std::filesystem::remove_all(folder_ / "parts");
  Write(1, "games=2 width=60");
  EXPECT_EQ(ProblemOf(Total(2).status()).found, "'games=2'");

  // Other weights before the step.
  std::filesystem::remove_all(folder_ / "parts");
  Write(1, kRun, "another state");
  const Problem state = ProblemOf(Total(2).status());
  EXPECT_EQ(state.code, "part_of_another_run");
  EXPECT_EQ(state.found.substr(0, 7), "'state=");

  // Another part under this one's name.
  std::filesystem::remove(File(1));
  std::filesystem::copy_file(File(2), File(1));
  EXPECT_EQ(ProblemOf(Total(2).status()).found, "'part=2/3'");
}

TEST_F(PartFolderTest, RefusesDamagedAndForeignFiles) {
  Write(1);
  Write(2);
  const std::string sound = *ReadFile(File(2));
  EXPECT_TRUE(With(sound).ok());
  for (size_t size = 0; size < sound.size(); ++size) {
    const absl::Status cut = With(sound.substr(0, size));
    const std::string code = CodeOf(cut);
    EXPECT_TRUE(code == "bad_part" || code == "part_checksum") << size << ": " << cut;
    EXPECT_EQ(ProblemOf(cut).file, File(2));
  }
  for (size_t at = 0; at < sound.size(); ++at) {
    std::string changed = sound;
    changed[at] = static_cast<char>(changed[at] ^ 4);
    EXPECT_FALSE(With(changed).ok()) << at;
  }
  EXPECT_EQ(CodeOf(With(sound + sound)), "part_checksum");
  EXPECT_EQ(CodeOf(With("startpos moves 7g7f\n")), "bad_part");
}

TEST_F(PartFolderTest, SaysWhereItCannotWrite) {
  std::ofstream(folder_ / "parts") << "a file in the folder's place";
  EXPECT_EQ(CodeOf(Total(1).status()), "file_error");
}

TEST(BonanzaSums, HaveAnyNumberOfWeightsAndNoOtherSize) {
  const std::string bytes = WriteSums(SumsOf(4));
  const auto read = ReadSums(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->gradient, SumsOf(4).gradient);
  EXPECT_EQ(read->asked, SumsOf(4).asked);
  const auto measured = ReadSums(WriteSums({.objective = -5, .positions = 2, .agreed = 1}));
  ASSERT_TRUE(measured.ok());
  EXPECT_TRUE(measured->gradient.empty());
  EXPECT_EQ(measured->objective, -5);
  for (const size_t size : {size_t{0}, size_t{23}, size_t{32}, bytes.size() - 1}) {
    EXPECT_EQ(CodeOf(ReadSums(bytes.substr(0, size)).status()), "bad_part") << size;
  }
}

}  // namespace
}  // namespace joseki::learn
