#include "book/tuning/witnesses.h"

namespace joseki::book {

void Witnesses::Add(uint32_t source, uint32_t worker) {
  if (source >= sources_.size()) sources_.resize(source + 1);
  if (sources_[source].worker) return;
  sources_[source].worker = worker;
  Count(worker);
}

void Witnesses::Confirm(uint32_t source, uint32_t again) {
  confirmations_.push_back({source, again});
  Count(confirmations_.back());
}

void Witnesses::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  workers_.clear();
  trusted_ = 0;
  for (uint32_t source = 0; source < sources_.size(); ++source) {
    Source& known = sources_[source];
    if (!known.worker) continue;
    known.distrusted = distrusted(source);
    if (!known.distrusted) Count(*known.worker);
  }
  for (const Confirmation& confirmation : confirmations_) Count(confirmation);
}

std::optional<uint32_t> Witnesses::WorkerOf(uint32_t source) const {
  if (source >= sources_.size() || sources_[source].distrusted) return std::nullopt;
  return sources_[source].worker;
}

bool Witnesses::vouched_for(uint32_t worker) const {
  return worker < workers_.size() && workers_[worker].confirmations >= kVouching;
}

void Witnesses::Count(uint32_t worker) {
  if (worker >= workers_.size()) workers_.resize(worker + 1);
  if (workers_[worker].trusted) return;
  workers_[worker].trusted = true;
  ++trusted_;
}

void Witnesses::Count(const Confirmation& confirmation) {
  const std::optional<uint32_t> worker = WorkerOf(confirmation.source);
  const std::optional<uint32_t> other = WorkerOf(confirmation.again);
  if (worker && other && *worker != *other) ++workers_[*worker].confirmations;
}

}  // namespace joseki::book
