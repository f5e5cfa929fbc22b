#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "book/reentry.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"
#include "worker/play/player.h"

// The settings of a work loop, and the functions that it calls.
namespace joseki::worker {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
// Receives one event, "name key=value ...". Called on any thread.
using LogSink = std::function<void(LogLevel, const std::string&)>;

// Makes the player of a run's games for seat number `seat`, counted from 0, on that seat's own
// thread. Thread-safe. An error names what the run requires in vain.
using PlayerFactory =
    std::function<absl::StatusOr<std::unique_ptr<Player>>(const PlaySpec&, size_t seat)>;

// Gets the book that a slot of a run with re-entry follows. Blocks, calls `progress` regularly
// while bytes arrive, and returns Cancelled soon after `stop`. Thread-safe.
using BookProvider = std::function<absl::StatusOr<std::shared_ptr<const book::AnswerBook>>(
    const Assignment& assignment, const std::function<void()>& progress, std::stop_token stop)>;

struct LoopOptions {
  JoinInput join;
  size_t batch_games = 32;
  uint64_t batch_bytes = uint64_t{64} << 10;
  absl::Duration batch_delay = absl::Seconds(1);             // after the first game of a batch
  absl::Duration drain_grace = absl::Seconds(30);            // for games in play
  absl::Duration flush_grace = absl::Seconds(10);            // then for games that wait for a reply
  absl::Duration exit_when_idle = absl::InfiniteDuration();  // leave after this long without work
  // The delay after a player that could not be made, or a game that ended by a fault. Doubles up
  // to backoff.most, until a game is played to its end.
  absl::Duration player_retry = absl::Seconds(1);
  Backoff::Options backoff;
  uint64_t seed = 0;  // of the back-off's jitter
};

}  // namespace joseki::worker
