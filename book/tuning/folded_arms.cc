#include "book/tuning/folded_arms.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace joseki::book {
namespace {

// The evidence of both arms, with the base weight of the first.
Arm Sum(Arm arm, const Arm& other) {
  arm.sum += other.sum;
  arm.evidence += other.evidence;
  arm.in_flight += other.in_flight;
  return arm;
}

}  // namespace

FoldedArms::FoldedArms(std::vector<Arm> own, std::shared_ptr<const Orbits> orbits)
    : own_(std::move(own)), orbits_(std::move(orbits)) {
  assert(orbits_ == nullptr || orbits_->size() == own_.size());
  if (orbits_ != nullptr) pooled_ = own_;
}

void FoldedArms::Copy(const FoldedArms& from, EdgeId first, size_t count) {
  std::copy_n(from.own_.begin() + first, count, own_.begin() + first);
  if (orbits_ == nullptr) return;
  std::copy_n(from.pooled_.begin() + first, count, pooled_.begin() + first);
}

void FoldedArms::Pool(EdgeId edge) {
  const auto pool = [this](EdgeId at) {
    pooled_[at] = own_[at];
    for (const EdgeId other : orbits_->others(at)) pooled_[at] = Sum(pooled_[at], own_[other]);
  };
  pool(edge);
  for (const EdgeId other : orbits_->others(edge)) pool(other);
}

}  // namespace joseki::book
