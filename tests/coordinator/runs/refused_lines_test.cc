#include "coordinator/runs/refused_lines.h"

#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

book::Line LineOf(int to) {
  book::Line line;
  line.moves = {Move::Board(0, to)};
  return line;
}

// Two lines, the first of which is preferred.
std::optional<book::Line> ChooseOfTwo(Rng& rng, const book::LineFilter& refused) {
  rng.Next();
  for (const int to : {1, 2}) {
    if (!refused || !refused(LineOf(to))) return LineOf(to);
  }
  return std::nullopt;
}

class RefusedLinesTest : public ::testing::Test {
 protected:
  // Number of the worker's line, 1 or 2; 0: none.
  int Choose(const std::string& worker) {
    Rng rng(1);
    const std::optional<book::Line> line = lines_.Choose(worker, rng, ChooseOfTwo);
    return line ? line->moves.at(0).to() : 0;
  }
  // The line fails once with each of the workers.
  void Fail(int to, const std::vector<std::string>& workers) {
    const SlotRef slot{next_++, 0};
    LostLines::Lost lost{slot, LineOf(to).moves, {}, static_cast<uint32_t>(workers.size())};
    for (const std::string& worker : workers) lost.failed.push_back({next_++, worker});
    lines_.lost().Add(lost);
    lines_.lost().PoisonIfBad(slot, [](const LostLines::Lost&) { return false; });
    lines_.lost().Forget(slot);
  }

  RefusedLines lines_{{.attempts = 2}, /*draws_to_rest=*/2};
  LeaseId next_ = 1;
};

TEST_F(RefusedLinesTest, ALineRestsWhileThereIsAnother) {
  EXPECT_EQ(Choose("a"), 1);
  for (int i = 0; i < 2; ++i) lines_.resting().Count(LineOf(1).moves, Result::kDraw);
  EXPECT_EQ(Choose("a"), 2);
  Fail(2, {"a", "b"});
  EXPECT_EQ(Choose("a"), 1) << "no other is left";
  lines_.BeginStage();
  EXPECT_EQ(lines_.resting().count(), 0u);
}

TEST_F(RefusedLinesTest, AWorkerMayBeIdleWhileOthersPlay) {
  for (const int to : {1, 2}) Fail(to, {"a", "a"});
  EXPECT_EQ(Choose("a"), 0);
  EXPECT_TRUE(lines_.IsIdle("a"));
  EXPECT_FALSE(lines_.exhausted());
  EXPECT_EQ(Choose("b"), 1);
  EXPECT_FALSE(lines_.IsIdle("b"));
  lines_.Played(LineOf(1).moves);
  EXPECT_FALSE(lines_.IsIdle("a")) << "another has played it";
  EXPECT_EQ(Choose("a"), 1);
}

TEST_F(RefusedLinesTest, NobodyGetsWhatIsPoisoned) {
  for (const int to : {1, 2}) Fail(to, {"a", "b"});
  EXPECT_EQ(Choose("c"), 0);
  EXPECT_TRUE(lines_.exhausted());
  EXPECT_FALSE(lines_.IsIdle("c"));
  lines_.lost().Free(std::nullopt, next_);
  EXPECT_TRUE(lines_.Reconsider());
  EXPECT_FALSE(lines_.Reconsider()) << "nobody has asked since";
  EXPECT_EQ(Choose("c"), 1);
}

// Whether nothing is left for anybody is found out with a generator of its own.
TEST_F(RefusedLinesTest, DrawsNoMoreThanTheWorkersOwnChoice) {
  for (const int to : {1, 2}) Fail(to, {"a", "a"});
  Rng rng(7);
  EXPECT_EQ(lines_.Choose("a", rng, ChooseOfTwo), std::nullopt);
  Rng once(7);
  once.Next();
  EXPECT_EQ(rng.Next(), once.Next());
}

}  // namespace
}  // namespace joseki::coordinator
