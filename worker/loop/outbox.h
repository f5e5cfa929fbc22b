#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/backoff.h"
#include "worker/coordinator_port.h"
#include "worker/loop/fetcher.h"
#include "worker/loop/membership.h"
#include "worker/loop/shared.h"
#include "worker/loop/submit_report.h"
#include "worker/spool.h"

namespace joseki::worker {

// Spools finished games at once, and submits them in batches until each is acknowledged.
// Thread-safe.
class Outbox {
 public:
  Outbox(LoopShared& shared, Membership& membership, Fetcher& fetcher)
      : shared_(shared), membership_(membership), fetcher_(fetcher) {}

  // Spools a game.
  void Add(FinishedGame game);

  // Submits what the spool holds, until the loop stops. Blocks: the submit thread.
  void Run();

 private:
  // Waits until games are to be submitted; false: the loop stops. Meanwhile probes a failed disk.
  bool AwaitGames(Backoff& disk);
  // Submits the batch, handles its verdicts, and takes the slots in the reply. An error leaves the
  // batch pending.
  absl::Status Submit(const Session& session, const Spool::Batch& batch);
  void Acknowledge(const Spool::Batch& batch);
  // Reports a change of the spool's room.
  void NoteRoom();

  LoopShared& shared_;
  Membership& membership_;
  Fetcher& fetcher_;
  SubmitReport report_;  // of the submit thread
  absl::Status room_;    // as reported; guarded by the lock of shared_.life
};

}  // namespace joseki::worker
