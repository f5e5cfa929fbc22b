#pragma once

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"
#include "base/rng.h"

namespace joseki::coordinator {

// How the coordinator replies when more comes than it can write: what is sacrificed, in which
// order, and how often workers should call. Pure: time and load are arguments, chance is handed in.
// Not thread-safe.
//
// The load is the writer's queue. Each level sheds one kind of call more than the one before; a
// level is left when the queue is a quarter below the mark where it was entered, so that it does
// not flutter.
class Pressure {
 public:
  enum class Level : uint8_t {
    kCalm,
    kNoReaders,   // watches and listings end, and none begins
    kNoAcquires,  // nothing is handed out: come back later
    kNoBeats,     // Beats get a reply and are not looked at, and no lease runs out meanwhile
    kNoSubmits,   // games stay in their spools
  };
  struct Options {
    // Marks in games that wait for the writer; below its own limit, so that what must be written
    // under load, as a session, still can be.
    size_t no_readers = 8'192;
    size_t no_acquires = 16'384;
    size_t no_beats = 32'768;
    size_t no_submits = 49'152;
    absl::Duration beat = absl::Seconds(15);  // while there are few workers
    absl::Duration longest_beat = absl::Seconds(60);
    double beats_per_second = 500;  // of all workers together
    double joins_per_second = 400;
    absl::Duration widest_spread = absl::Seconds(5);
    absl::Duration first_retry = absl::Seconds(1);
    absl::Duration longest_retry = absl::Seconds(60);
  };
  struct Load {
    size_t queued_games = 0;
    uint64_t written_games = 0;  // ever
    size_t sessions = 0;
    bool storage_works = true;
  };

  explicit Pressure(Options options) : options_(options) {}

  // Takes the load of now. Time never goes backwards.
  void Note(absl::Time now, const Load& load);

  Level level() const { return level_; }
  bool Sheds(Level level) const { return level_ >= level; }

  // Intervals for workers at the load noted last.
  absl::Duration beat() const;
  absl::Duration spread() const;  // window of the first Joins after a lost connection
  // When to come back after a refusal: when the queue should be short again; spread by half, so
  // that those refused together do not return together.
  absl::Duration RetryAfter(Rng& rng) const;

 private:
  size_t MarkOf(Level level) const;

  const Options options_;
  Level level_ = Level::kCalm;
  Load load_;
  double games_per_second_ = 0;  // written, over the last seconds
  absl::Time measured_ = absl::InfinitePast();
  uint64_t measured_games_ = 0;
};

}  // namespace joseki::coordinator
