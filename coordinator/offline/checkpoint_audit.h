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

// Compares the checkpoint of a run with what its games say, while somebody reads them in order and
// credits them in `tuner`:
//
//     Read, then for each game Before and tuner.Apply, then End.
//
// Each evidence row is compared where the games reach its own; the frozen ones where they reach the
// beginning of the run's stage; counters and hashes where they reach the checkpoint. `report` gets
// each mismatch in words.
class CheckpointAudit {
 public:
  CheckpointAudit(const RunRow& run, const book::Tuner& tuner,
                  std::function<void(const std::string&)> report);

  // DataLoss where the rows are none that a coordinator writes.
  absl::Status Read(RunStore& rows);
  // A game that the run takes over, not credited yet: before all of its own.
  void TakeOver(const book::TunedGame& game);
  // The next game, not credited yet; `excluded`: nor will it be, its worker is not trusted.
  void Before(const GameRow& game, bool excluded);
  // All are credited; `last` is the last one, 0 if there was none.
  void End(uint64_t last);

 private:
  // Every game up to `seq` is credited, and no later one.
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
