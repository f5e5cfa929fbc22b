#include "coordinator/scheduling/pressure.h"

#include <vector>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using Level = Pressure::Level;

constexpr Pressure::Options kOptions = {
    .no_readers = 100, .no_acquires = 200, .no_beats = 400, .no_submits = 800};
const absl::Time kStart = absl::FromUnixSeconds(1'000'000);

Pressure::Load Queue(size_t games) {
  Pressure::Load load;
  load.queued_games = games;
  return load;
}

TEST(Pressure, ShedsInTheOrderOfSacrifice) {
  Pressure pressure(kOptions);
  struct Step {
    size_t queued;
    Level level;
  };
  // Up at the marks, down only a quarter below them.
  const std::vector<Step> steps = {
      {0, Level::kCalm},         {99, Level::kCalm},        {100, Level::kNoReaders},
      {76, Level::kNoReaders},   {74, Level::kCalm},        {200, Level::kNoAcquires},
      {151, Level::kNoAcquires}, {149, Level::kNoReaders},  {400, Level::kNoBeats},
      {799, Level::kNoBeats},    {800, Level::kNoSubmits},  {601, Level::kNoSubmits},
      {599, Level::kNoBeats},    {299, Level::kNoAcquires}, {0, Level::kCalm},
      {5000, Level::kNoSubmits}, {0, Level::kCalm},
  };
  for (const Step& step : steps) {
    pressure.Note(kStart, Queue(step.queued));
    EXPECT_EQ(pressure.level(), step.level) << "queue " << step.queued;
  }
}

TEST(Pressure, WhatIsShedIncludesWhatIsLessDear) {
  Pressure pressure(kOptions);
  pressure.Note(kStart, Queue(400));
  EXPECT_TRUE(pressure.Sheds(Level::kNoReaders));
  EXPECT_TRUE(pressure.Sheds(Level::kNoAcquires));
  EXPECT_TRUE(pressure.Sheds(Level::kNoBeats));
  EXPECT_FALSE(pressure.Sheds(Level::kNoSubmits));
}

TEST(Pressure, IntervalsGrowWithTheWorkersAndTheLoad) {
  Pressure pressure({.beat = absl::Seconds(15),
                     .longest_beat = absl::Seconds(60),
                     .beats_per_second = 500,
                     .joins_per_second = 400,
                     .widest_spread = absl::Seconds(5)});
  struct Case {
    size_t sessions;
    size_t queued;
    absl::Duration beat;
    absl::Duration spread;
  };
  const std::vector<Case> cases = {
      {0, 0, absl::Seconds(15), absl::ZeroDuration()},
      {4, 0, absl::Seconds(15), absl::Milliseconds(10)},
      {2'000, 0, absl::Seconds(15), absl::Seconds(5)},
      {10'000, 0, absl::Seconds(20), absl::Seconds(5)},
      {10'000, 20'000, absl::Seconds(40), absl::Seconds(5)},
      {1'000'000, 0, absl::Seconds(60), absl::Seconds(5)},
      {4, 20'000, absl::Seconds(30), absl::Milliseconds(10)},
  };
  for (const Case& test : cases) {
    Pressure::Load load = Queue(test.queued);
    load.sessions = test.sessions;
    pressure.Note(kStart, load);
    EXPECT_EQ(pressure.beat(), test.beat) << test.sessions << " workers";
    EXPECT_EQ(pressure.spread(), test.spread) << test.sessions << " workers";
    pressure.Note(kStart, Queue(0));
  }
}

TEST(Pressure, AFlaggedBeatIsNeverShorterThanAsked) {
  Pressure pressure({.beat = absl::Minutes(5), .longest_beat = absl::Seconds(60)});
  EXPECT_EQ(pressure.beat(), absl::Minutes(5));
}

TEST(Pressure, SaysToComeBackWhenTheQueueShouldBeShort) {
  Rng rng(1);
  Pressure pressure(kOptions);
  Pressure::Load load = Queue(800);
  // 100 games a second, measured over a while.
  absl::Time now = kStart;
  for (int second = 0; second < 60; ++second, now += absl::Seconds(1)) {
    pressure.Note(now, load);
    load.written_games += 100;
  }
  absl::Duration least = absl::InfiniteDuration();
  absl::Duration most = absl::ZeroDuration();
  for (int i = 0; i < 1000; ++i) {
    const absl::Duration wait = pressure.RetryAfter(rng);
    least = std::min(least, wait);
    most = std::max(most, wait);
  }
  EXPECT_NEAR(absl::ToDoubleSeconds(least), 8, 0.1);
  EXPECT_NEAR(absl::ToDoubleSeconds(most), 12, 0.1) << "spread by half";
}

TEST(Pressure, NeverSaysSoonerThanASecondNorLaterThanAMinuteAndAHalf) {
  Rng rng(1);
  Pressure pressure(kOptions);
  pressure.Note(kStart, Queue(800));
  EXPECT_GE(pressure.RetryAfter(rng), absl::Seconds(1)) << "nothing measured yet";
  Pressure::Load load = Queue(1'000'000);
  pressure.Note(kStart + absl::Seconds(1), load);
  load.written_games = 1;
  pressure.Note(kStart + absl::Seconds(2), load);
  EXPECT_GE(pressure.RetryAfter(rng), absl::Seconds(60));
  EXPECT_LE(pressure.RetryAfter(rng), absl::Seconds(90));
  load.storage_works = false;
  pressure.Note(kStart + absl::Seconds(3), load);
  EXPECT_LE(pressure.RetryAfter(rng), absl::Seconds(7.5));
}

}  // namespace
}  // namespace joseki::coordinator
