#pragma once

#include <cstddef>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "book/reentry.h"
#include "worker/coordinator_port.h"
#include "worker/loop/held_leases.h"
#include "worker/loop/shared.h"
#include "worker/play/player.h"

namespace joseki::worker {

// The players of one seat's games: one for both sides, or one for the run's side and one for the
// opponent's. For the seat's thread alone.
class Crew {
 public:
  Crew(LoopShared& shared, size_t seat) : shared_(shared), seat_(seat) {}

  // Makes and starts the players for games of `play`, unless they are here. An error leaves none.
  // Cancelled: the loop begins no more games.
  absl::Status Prepare(const std::shared_ptr<const PlaySpec>& play);

  // Plays a game to its end, or until the loop breaks off or the lease is abandoned (kInterrupted).
  // `book`: null for none. REQUIRES: prepared for assignment.play.
  FinishedGame Play(const Assignment& assignment, const book::AnswerBook* book);

  // Ends the players, whose state is unknown after a fault.
  void Dismiss();

 private:
  absl::StatusOr<std::unique_ptr<Player>> Make(const PlaySpec& play, size_t number);

  LoopShared& shared_;
  const size_t seat_;
  std::shared_ptr<const PlaySpec> play_;
  std::unique_ptr<Player> player_;  // null: none
  PlaySpec opponent_play_;
  std::unique_ptr<Player> opponent_;  // null: none
};

}  // namespace joseki::worker
