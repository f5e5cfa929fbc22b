#include "coordinator/scheduling/fair_share.h"

#include <algorithm>
#include <tuple>

namespace joseki::coordinator {

void FairShare::Set(RunId run, const Share& share) {
  Entry& entry = runs_[run];
  // Finish times of different priorities are not comparable: start at the new queue's.
  if (entry.share.priority != share.priority) entry.finish = served_[share.priority];
  entry.share = share;
}

uint64_t FairShare::StartOf(const Entry& entry) const {
  return std::max(entry.finish, served_[entry.share.priority]);
}

RunId FairShare::Next(std::span<const RunId> runs) const {
  RunId next = 0;
  std::tuple<uint32_t, uint64_t, uint64_t, RunId> best;
  for (const RunId run : runs) {
    const Entry& entry = runs_.at(run);
    const std::tuple rank(kMaxPriority - entry.share.priority, StartOf(entry), entry.finish, run);
    if (next == 0 || rank < best) {
      next = run;
      best = rank;
    }
  }
  return next;
}

void FairShare::Charge(RunId run, uint32_t slots) {
  Entry& entry = runs_.at(run);
  const uint64_t start = StartOf(entry);
  served_[entry.share.priority] = start;
  entry.finish = start + slots * kUnit / entry.share.weight;
}

void FairShare::Refund(RunId run, uint32_t slots) {
  const auto at = runs_.find(run);
  if (at == runs_.end()) return;
  const uint64_t cost = slots * kUnit / at->second.share.weight;
  at->second.finish -= std::min(at->second.finish, cost);
}

}  // namespace joseki::coordinator
