#include "coordinator/scheduling/pressure.h"

#include <algorithm>

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kMeasureEvery = absl::Seconds(1);
constexpr double kNewMeasure = 0.3;  // weight of the last second in the rate
// The writer retries a failing disk every second: callers need not hurry.
constexpr absl::Duration kStorageRetry = absl::Seconds(5);

Pressure::Level Below(Pressure::Level level) {
  return static_cast<Pressure::Level>(static_cast<uint8_t>(level) - 1);
}
Pressure::Level Above(Pressure::Level level) {
  return static_cast<Pressure::Level>(static_cast<uint8_t>(level) + 1);
}

}  // namespace

size_t Pressure::MarkOf(Level level) const {
  switch (level) {
    case Level::kCalm:
      return 0;
    case Level::kNoReaders:
      return options_.no_readers;
    case Level::kNoAcquires:
      return options_.no_acquires;
    case Level::kNoBeats:
      return options_.no_beats;
    case Level::kNoSubmits:
      return options_.no_submits;
  }
  return 0;
}

void Pressure::Note(absl::Time now, const Load& load) {
  load_ = load;
  if (measured_ == absl::InfinitePast()) {
    measured_ = now;
    measured_games_ = load.written_games;
  } else if (now - measured_ >= kMeasureEvery) {
    const double rate = static_cast<double>(load.written_games - measured_games_) /
                        absl::ToDoubleSeconds(now - measured_);
    games_per_second_ += kNewMeasure * (rate - games_per_second_);
    measured_ = now;
    measured_games_ = load.written_games;
  }
  while (level_ != Level::kNoSubmits && load.queued_games >= MarkOf(Above(level_))) {
    level_ = Above(level_);
  }
  while (level_ != Level::kCalm && load.queued_games < MarkOf(level_) - MarkOf(level_) / 4) {
    level_ = Below(level_);
  }
}

absl::Duration Pressure::beat() const {
  absl::Duration beat = std::max(options_.beat, absl::Seconds(static_cast<double>(load_.sessions) /
                                                              options_.beats_per_second));
  if (Sheds(Level::kNoAcquires)) beat *= 2;
  return std::min(beat, std::max(options_.beat, options_.longest_beat));
}

absl::Duration Pressure::spread() const {
  return std::min(absl::Seconds(static_cast<double>(load_.sessions) / options_.joins_per_second),
                  options_.widest_spread);
}

absl::Duration Pressure::RetryAfter(Rng& rng) const {
  absl::Duration wait = options_.first_retry;
  if (!load_.storage_works) {
    wait = kStorageRetry;
  } else if (games_per_second_ > 0) {
    wait = absl::Seconds(static_cast<double>(load_.queued_games) / games_per_second_);
  }
  wait = std::clamp(wait, options_.first_retry, options_.longest_retry);
  return wait * (1.0 + rng.Unit() / 2);
}

}  // namespace joseki::coordinator
