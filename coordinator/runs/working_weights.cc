#include "coordinator/runs/working_weights.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace joseki::coordinator {

WorkingWeights::WorkingWeights(const book::Tuner& tuner, bool shares, int stage)
    : tuner_(tuner),
      shares_(shares),
      anew_(shares && !tuner.policy().stages().empty()),
      stage_(stage) {}

void WorkingWeights::Follow() {
  if (anew_) return;
  if (weights_) {
    Set(tuner_.touched());
  } else if (credited_) {
    credited_->insert(tuner_.touched().begin(), tuner_.touched().end());
  }
}

void WorkingWeights::BeginStage(int stage) {
  stage_ = stage;
  if (anew_) Forget();  // they are drawn with the stage's noise
}

void WorkingWeights::Forget() {
  weighed_ = 0;
  credited_.reset();
}

void WorkingWeights::Weigh() { Weigh(positions()); }

bool WorkingWeights::WeighSome(book::NodeId at_once) {
  if (!weights_ || weighed_ == positions()) return false;
  // Draws by which one position's shares are estimated.
  constexpr book::NodeId kDraws = book::kTries;
  Weigh(shares_ ? std::max<book::NodeId>(at_once / kDraws, 1) : at_once);
  return weighed_ < positions();
}

void WorkingWeights::Weigh(book::NodeId most) {
  if (!weights_) {
    weights_.emplace(tuner_.graph().edge_count());
    Forget();
  }
  std::vector<book::NodeId> nodes(std::min(most, positions() - weighed_));
  std::iota(nodes.begin(), nodes.end(), weighed_);
  Set(nodes);
  weighed_ += static_cast<book::NodeId>(nodes.size());
}

void WorkingWeights::Set(std::span<const book::NodeId> nodes) {
  if (shares_) {
    book::SetShares(tuner_, stage_, nodes, *weights_);
  } else {
    book::SetWeights(tuner_, nodes, *weights_);
  }
}

WorkingWeights::Vector WorkingWeights::Take() {
  if (const Vector last = WantsCopy()) GiveCopy(last, *last);
  Weigh();
  taken_ = std::make_shared<const book::Weights>(*std::exchange(weights_, std::nullopt));
  credited_.emplace();
  return taken_;
}

void WorkingWeights::GiveCopy(const Vector& of, book::Weights copy) {
  if (of == nullptr || of != WantsCopy()) return;
  weights_ = std::move(copy);
  if (!credited_) return;  // all are to be computed
  const std::vector<book::NodeId> nodes(credited_->begin(), credited_->end());
  Set(nodes);
  credited_.reset();
}

}  // namespace joseki::coordinator
