#include "book/tuning/witnesses.h"

namespace joseki::book {

void Witnesses::Add(uint32_t source, uint32_t worker) {
  if (source >= sources_.size()) sources_.resize(source + 1);
  Source& known = sources_[source];
  known.worker = worker;
  ++known.reports;
  if (!known.distrusted) Count(worker, 1);
}

void Witnesses::Confirm(uint32_t source, uint32_t again) {
  confirmations_.push_back({source, again});
  Count(confirmations_.back());
}

void Witnesses::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  workers_.clear();
  trusted_ = 0;
  reports_ = 0;
  for (uint32_t source = 0; source < sources_.size(); ++source) {
    Source& known = sources_[source];
    if (!known.worker) continue;
    known.distrusted = distrusted(source);
    if (!known.distrusted) Count(*known.worker, known.reports);
  }
  for (const Confirmation& confirmation : confirmations_) Count(confirmation);
}

std::optional<uint32_t> Witnesses::WorkerOf(uint32_t source) const {
  if (source >= sources_.size() || sources_[source].distrusted) return std::nullopt;
  return sources_[source].worker;
}

bool Witnesses::vouched_for(uint32_t worker) const {
  if (worker >= workers_.size()) return false;
  const Worker& known = workers_[worker];
  return known.confirmations >= kVouching || kAlone * (reports_ - known.reports) < reports_;
}

void Witnesses::Count(uint32_t worker, uint64_t reports) {
  if (worker >= workers_.size()) workers_.resize(worker + 1);
  if (workers_[worker].reports == 0) ++trusted_;
  workers_[worker].reports += reports;
  reports_ += reports;
}

void Witnesses::Count(const Confirmation& confirmation) {
  const std::optional<uint32_t> worker = WorkerOf(confirmation.source);
  const std::optional<uint32_t> other = WorkerOf(confirmation.again);
  if (worker && other && *worker != *other) ++workers_[*worker].confirmations;
}

}  // namespace joseki::book
