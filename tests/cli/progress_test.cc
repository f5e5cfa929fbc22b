#include "cli/progress.h"

#include <sstream>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;

class ManualClock : public Clock {
 public:
  absl::Time Now() const override { return now_; }
  void Advance(absl::Duration by) { now_ += by; }

 private:
  absl::Time now_ = absl::UnixEpoch();
};

TEST(Progress, IsQuietAtFirst) {
  std::ostringstream out;
  ManualClock clock;
  Progress progress(out, clock, {});
  progress.Update("reading", 1, 100, "x");
  clock.Advance(absl::Milliseconds(1900));
  progress.Update("reading", 50, 100, "x");
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, WritesPlainLinesNowAndThen) {
  std::ostringstream out;
  ManualClock clock;
  Progress progress(out, clock, {});
  progress.Update("reading", 0, 100, "0 games");
  clock.Advance(absl::Seconds(10));
  progress.Update("reading", 25, 100, "5 games");
  clock.Advance(absl::Seconds(5));
  progress.Update("reading", 30, 100, "6 games");
  clock.Advance(absl::Seconds(5));
  progress.Update("reading", 50, 100, "7 games");
  EXPECT_EQ(out.str(),
            "reading 25 %, 5 games, 30 s left\n"
            "reading 50 %, 7 games, 20 s left\n");
}

TEST(Progress, WritesOneLineOverOnATerminalAndTakesItAway) {
  std::ostringstream out;
  ManualClock clock;
  {
    Progress progress(out, clock, {.terminal = true});
    progress.Update("reading", 0, 100, "");
    clock.Advance(absl::Seconds(4));
    progress.Update("reading", 50, 100, "a long detail");
    clock.Advance(absl::Seconds(1));
    progress.Update("reading", 60, 100, "");
  }
  EXPECT_EQ(out.str().find('\n'), std::string::npos);
  EXPECT_THAT(out.str(), HasSubstr("\rreading 50 %, a long detail, 4 s left"));
  EXPECT_EQ(out.str().substr(out.str().rfind('\r')), "\r");
}

TEST(Progress, MeasuresEachPieceOfWorkByItself) {
  std::ostringstream out;
  ManualClock clock;
  Progress progress(out, clock, {});
  progress.Update("reading", 0, 10, "");
  clock.Advance(absl::Seconds(100));
  progress.Update("writing", 0, 10, "");
  clock.Advance(absl::Seconds(10));
  progress.Update("writing", 5, 10, "");
  EXPECT_THAT(out.str(), HasSubstr("writing 50 %, 10 s left"));
}

TEST(Progress, SpeaksJapanese) {
  std::ostringstream out;
  ManualClock clock;
  Progress progress(out, clock, {.voice = Voice(Language::kJapanese, "")});
  progress.Update("対戦", 0, 100, "0 局");
  clock.Advance(absl::Seconds(10));
  progress.Update("対戦", 25, 100, "5 局");
  EXPECT_EQ(out.str(), "対戦 25 %、5 局、残り 30 秒\n");
}

}  // namespace
}  // namespace joseki::cli
