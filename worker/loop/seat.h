#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "book/reentry.h"
#include "worker/coordinator_port.h"
#include "worker/loop/crew.h"
#include "worker/loop/held_leases.h"
#include "worker/loop/outbox.h"
#include "worker/loop/shared.h"

namespace joseki::worker {

// A seat, which plays one game at a time, on a thread of its own.
class Seat {
 public:
  // `number` is counted from 0.
  Seat(LoopShared& shared, Outbox& outbox, size_t number)
      : shared_(shared), outbox_(outbox), number_(number), crew_(shared, number) {}

  // Plays slots until no game is to be begun. Blocks: the seat's thread.
  void Run();

 private:
  // Waits for a slot; nullopt: no game is to be begun.
  std::optional<Assignment> Next();
  // Plays the game. Returns nullopt if it was aborted, because the loop or the coordinator no
  // longer wants it.
  std::optional<FinishedGame> Play(const Assignment& assignment);
  // The book of a slot that needs one, retried until it is here. Null: the game is no longer
  // wanted, or there are no books here.
  std::shared_ptr<const book::AnswerBook> AwaitBook(const Assignment& assignment);
  // Hands a game over, or its slot back.
  void Finish(const Assignment& assignment, std::optional<FinishedGame> game);

  LoopShared& shared_;
  Outbox& outbox_;
  const size_t number_;
  Crew crew_;
};

}  // namespace joseki::worker
