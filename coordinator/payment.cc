#include "coordinator/payment.h"

#include <utility>

#include "base/status_macros.h"
#include "coordinator/store/evaluation_store.h"
#include "coordinator/store/weight_store.h"

namespace joseki::coordinator {
namespace {

absl::Status Pay(const Debt& debt, RunStore& rows) {
  for (const auto& [id, run] : debt.runs) RETURN_IF_ERROR(rows.runs().Update(run));
  for (const auto& [id, state] : debt.leases) RETURN_IF_ERROR(rows.leases().SetState(id, state));
  for (const auto& [id, line] : debt.poisoned) RETURN_IF_ERROR(rows.poisoned().Insert(id, line));
  for (const auto& [id, left_ms] : debt.left) RETURN_IF_ERROR(rows.sessions().End(id, left_ms));
  for (const PriorSet& priors : debt.priors) RETURN_IF_ERROR(InsertPriorSet(rows.store(), priors));
  for (const NewWeights& weights : debt.weights) {
    RETURN_IF_ERROR(InsertNewWeights(rows.store(), weights));
  }
  for (const TrustChange& change : debt.trust) RETURN_IF_ERROR(rows.trust().Insert(change));
  for (const auto& [id, change] : debt.dropped)
    RETURN_IF_ERROR(rows.evidence().DropCheckpoint(id, change));
  for (const auto& [id, game] : debt.closed) RETURN_IF_ERROR(rows.copies().Close(id, game));
  return absl::OkStatus();
}

}  // namespace

absl::Status Payer::PayAll(RunStore& rows) {
  paying_ = gate_.Do([](Tables& tables) { return tables.ledger.Take(); });
  return Pay(paying_, rows);
}

void Payer::EndTransaction(bool committed) {
  Debt debt = std::exchange(paying_, {});
  if (committed) return;
  gate_.Do([&](Tables& tables) { tables.ledger.Return(std::move(debt)); });
}

}  // namespace joseki::coordinator
