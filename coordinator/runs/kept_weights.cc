#include "coordinator/runs/kept_weights.h"

#include <algorithm>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/store/weight_store.h"

namespace joseki::coordinator {

void KeptWeights::Put(RunId run, uint32_t version, Vector weights) {
  const ScopedLock lock(mutex_);
  recent_.remove_if(
      [&](const Entry& entry) { return entry.run == run && entry.version == version; });
  recent_.push_front({run, version, std::move(weights)});
  if (recent_.size() > kept_) recent_.pop_back();
}

KeptWeights::Vector KeptWeights::Recent(RunId run, uint32_t version) {
  const ScopedLock lock(mutex_);
  const auto found = std::find_if(recent_.begin(), recent_.end(), [&](const Entry& entry) {
    return entry.run == run && entry.version == version;
  });
  if (found == recent_.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found);
  return recent_.front().weights;
}

absl::StatusOr<KeptWeights::Vector> KeptWeights::Get(RunId run, uint32_t version) {
  if (Vector recent = Recent(run, version)) return recent;
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path_, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(book::Weights weights, ReadWeights(*store, run, version));
  auto vector = std::make_shared<const book::Weights>(std::move(weights));
  Put(run, version, vector);
  return vector;
}

absl::StatusOr<std::string> KeptWeights::Delta(RunId run, uint32_t have, uint32_t version) {
  ASSIGN_OR_RETURN(const Vector after, Get(run, version));
  std::string whole = book::EncodeWeightsDelta({}, *after, 0, version);
  if (have == 0 || have >= version) return whole;
  const Vector before = Recent(run, have);
  if (before == nullptr || before->size() != after->size()) return whole;
  std::string delta = book::EncodeWeightsDelta(*before, *after, have, version);
  return delta.size() < whole.size() ? delta : whole;
}

}  // namespace joseki::coordinator
