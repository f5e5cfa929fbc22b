#include "coordinator/core/ledger.h"

namespace joseki::coordinator {
namespace {

// Puts earlier debts before later ones.
template <typename Entry>
void PutBefore(const std::vector<Entry>& first, std::vector<Entry>& list) {
  list.insert(list.begin(), first.begin(), first.end());
}

}  // namespace

void Ledger::RowWritten(LeaseId lease) {
  const auto at = unwritten_.find(lease);
  if (at == unwritten_.end()) return;
  if (at->second) debt_.leases[lease] = *at->second;
  unwritten_.erase(at);
}

void Ledger::OweEnd(LeaseId lease, LeaseState state) {
  const auto at = unwritten_.find(lease);
  if (at != unwritten_.end()) {
    at->second = state;
  } else {
    debt_.leases[lease] = state;
  }
}

void Ledger::Return(Debt debt) {
  debt_.runs.insert(debt.runs.begin(), debt.runs.end());
  debt_.leases.insert(debt.leases.begin(), debt.leases.end());
  debt_.left.insert(debt.left.begin(), debt.left.end());
  debt_.dropped.insert(debt.dropped.begin(), debt.dropped.end());
  PutBefore(debt.poisoned, debt_.poisoned);
  PutBefore(debt.priors, debt_.priors);
  PutBefore(debt.weights, debt_.weights);
  PutBefore(debt.trust, debt_.trust);
  PutBefore(debt.closed, debt_.closed);
}

}  // namespace joseki::coordinator
