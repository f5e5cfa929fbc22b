#include "book/tuning/prospects.h"

#include <algorithm>
#include <cmath>

namespace joseki::book {
namespace {

constexpr double kScore = 1 << 20;  // fixed point of worth_: a score of 1

uint64_t GamesOf(std::span<const Arm> arms) {
  uint64_t games = 0;
  for (const Arm& arm : arms) games += arm.evidence.games();
  return games;
}

}  // namespace

Prospects::Prospects(const Graph& graph, DrawValue draw, const Settling& rule)
    : graph_(&graph), draw_(draw), rule_(rule), worth_(graph.node_count()) {}

int64_t Prospects::WorthOf(const Tuner& tuner, NodeId node) const {
  const Graph::Stop& at = graph_->stop(node);
  if (at.count < 2) return 0;
  // Images of one position share what is known of it, but each has its own games.
  const uint64_t games = GamesOf(tuner.arms(node));
  if (games == 0) return 0;
  Choices choices(tuner.pooled().subspan(at.first, at.count));
  choices.mover = at.to_move;
  const Settlement found = Settle(choices, draw_, rule_);
  if (found.settled()) return 0;
  return static_cast<int64_t>(games) * std::llround(found.possible * kScore);
}

void Prospects::Rebuild(const Tuner& tuner) {
  sum_ = 0;
  for (NodeId node = 0; node < worth_.size(); ++node) {
    worth_[node] = WorthOf(tuner, node);
    sum_ += worth_[node];
  }
}

void Prospects::Update(const Tuner& tuner, std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    const NodeId node = graph_->edge(edge).from;
    const int64_t worth = WorthOf(tuner, node);
    sum_ += worth - worth_[node];
    worth_[node] = worth;
  }
}

double Prospects::Left(uint64_t games) const {
  if (games == 0) return 1;
  return static_cast<double>(sum_) / kScore / static_cast<double>(games);
}

AnswerChanges::AnswerChanges(const Graph& graph) : graph_(&graph), seen_(graph.node_count()) {}

void AnswerChanges::Begin() {
  ++stage_;
  games_ = 0;
  changed_ = 0;
}

void AnswerChanges::Rebuild(Tuner& tuner) {
  Begin();
  for (NodeId node = 0; node < seen_.size(); ++node) Look(tuner, node);
}

void AnswerChanges::Update(Tuner& tuner, std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) Look(tuner, graph_->edge(edge).from);
}

void AnswerChanges::Look(Tuner& tuner, NodeId node) {
  const Graph::Stop& at = graph_->stop(node);
  if (at.count < 2) return;
  uint64_t before = 0;
  for (EdgeId edge = at.first; edge < at.first + at.count; ++edge) {
    before += tuner.frozen(edge).evidence.games();
  }
  const auto games = static_cast<uint32_t>(GamesOf(tuner.arms(node)) - before);
  Seen& seen = seen_[node];
  if (seen.stage == stage_) {
    games_ -= seen.games;
    if (seen.changed) changed_ -= seen.games;
  }
  seen.stage = stage_;
  seen.games = games;
  seen.changed = games > 0 && tuner.policy().Answer(tuner.choices(node)) !=
                                  tuner.policy().Answer(tuner.selection(node));
  games_ += games;
  if (seen.changed) changed_ += games;
}

double AnswerChanges::Share() const {
  if (games_ == 0) return 1;
  return static_cast<double>(changed_) / static_cast<double>(games_);
}

}  // namespace joseki::book
