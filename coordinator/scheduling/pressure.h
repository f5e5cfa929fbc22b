#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"
#include "base/rng.h"

namespace joseki::coordinator {

// The coordinator's reaction when more arrives than it can write: which calls are shed, in which
// order, and how often workers should call. Pure: time, load and randomness are arguments. Not
// thread-safe.
//
// The load is the length of the writer's queue. Each level sheds one kind of call more than the one
// before. A level is left when the queue is a quarter below its mark, so that it does not
// oscillate.
class Pressure {
 public:
  enum class Level : uint8_t {
    kCalm,
    kNoReaders,   // watches and listings end, and none begins
    kNoAcquires,  // no leases are granted: retry later
    kNoBeats,     // Beats are acknowledged but not processed, and no lease expires
    kNoSubmits,   // games stay in the workers' spools
  };
  struct Options {
    // Marks in games that wait for the writer. They are below its own limit, so that other rows,
    // such as sessions, can still be written under load.
    size_t no_readers = 8'192;
    size_t no_acquires = 16'384;
    size_t no_beats = 32'768;
    size_t no_submits = 49'152;
    absl::Duration beat = absl::Seconds(15);  // with few workers
    absl::Duration longest_beat = absl::Seconds(60);
    double beats_per_second = 500;  // of all workers together
    double joins_per_second = 400;
    absl::Duration widest_spread = absl::Seconds(5);
    absl::Duration first_retry = absl::Seconds(1);
    absl::Duration longest_retry = absl::Seconds(60);
  };
  struct Load {
    size_t queued_games = 0;
    uint64_t written_games = 0;  // since the start
    size_t sessions = 0;
    bool storage_works = true;
  };

  explicit Pressure(Options options) : options_(options) {}

  // Updates the level by the current load. Time never goes backwards.
  void Note(absl::Time now, const Load& load);

  Level level() const { return level_; }
  bool Sheds(Level level) const { return level_ >= level; }

  // Intervals for workers at the last noted load.
  absl::Duration beat() const;
  absl::Duration spread() const;  // window of the first Joins after a lost connection
  // The delay before a retry after a refusal: the time until the queue should be short again. It
  // has a jitter of one half, so that callers refused together do not return together.
  absl::Duration RetryAfter(Rng& rng) const;

 private:
  size_t MarkOf(Level level) const;

  const Options options_;
  Level level_ = Level::kCalm;
  Load load_;
  double games_per_second_ = 0;  // rate of the writer over the last seconds
  absl::Time measured_ = absl::InfinitePast();
  uint64_t measured_games_ = 0;
};

}  // namespace joseki::coordinator
