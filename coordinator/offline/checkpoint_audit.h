#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "book/tuning/tuner.h"
#include "coordinator/store/run_counters.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

// Compares the checkpoint of a run with its games, while the caller reads them in order and credits
// them in `tuner`:
//
//     Read, then for each game Before and tuner.Apply, then End.
//
// An evidence row is compared when the games reach the row's own, frozen ones when they reach the
// beginning of the run's stage. Counters and hashes are compared when the games reach the
// checkpoint. `report` receives each mismatch in words.
class CheckpointAudit {
 public:
  CheckpointAudit(const RunRow& run, const book::Tuner& tuner,
                  std::function<void(const std::string&)> report);

  // DataLoss for rows that no coordinator writes.
  absl::Status Read(RunStore& rows);
  // Notes a game that the run takes over, before it is credited. Such games come before its own.
  void TakeOver(const book::TunedGame& game);
  // Notes the next game, before it is credited; `excluded`: it will not be, as its worker is not
  // trusted.
  void Before(const GameRow& game, bool excluded);
  // To be called when all are credited; `last` is the commit_seq of the last one, 0 if there was
  // none.
  void End(uint64_t last);

 private:
  // Compares what is due when exactly the games up to `seq` are credited.
  void Reach(uint64_t seq);
  void CompareRow(const EvidenceRow& row);
  void CompareTotals();

  const RunRow& run_;
  const book::Tuner& tuner_;
  const std::function<void(const std::string&)> report_;

  // The stored values.
  std::vector<EvidenceRow> evidence_;  // by seq
  std::vector<bool> has_row_;          // by edge
  std::optional<RunCounters> counters_;
  std::vector<uint64_t> stored_seen_;

  // The values by the games so far.
  size_t next_ = 0;  // the first row of evidence_ that is not compared yet
  RunCounters games_say_;
  std::vector<uint64_t> seen_;
  std::optional<std::vector<book::Arm>> frozen_;
  bool totals_compared_ = false;
};

}  // namespace joseki::coordinator
