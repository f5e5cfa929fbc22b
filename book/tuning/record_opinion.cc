#include "book/tuning/record_opinion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "book/tuning/choosing.h"

namespace joseki::book {
namespace {

double WeightOf(const Graph::Edge& edge) {
  return std::max(0.0, static_cast<double>(edge.base_weight));
}

}  // namespace

RecordOpinion::RecordOpinion(std::shared_ptr<const Graph> book, const RepertoireRules& rules)
    : book_(std::move(book)), rules_(rules) {}

std::optional<Move> RecordOpinion::BookMove(const Key& key, bool evenly, Rng& rng) const {
  const NodeId id = book_->Find(key);
  if (id == kNoNode) return std::nullopt;
  const std::span<const Graph::Edge> moves = book_->moves(id);
  const auto weight = [&](size_t i) {
    const double weighed = WeightOf(moves[i]);
    return evenly && weighed > 0 ? 1.0 : weighed;
  };
  double sum = 0;
  for (size_t i = 0; i < moves.size(); ++i) sum += weight(i);
  if (sum == 0) return std::nullopt;
  return moves[ChooseInProportion(moves.size(), rng, weight)].move;
}

bool RecordOpinion::MayAnswer(const PackedPosition& position) const {
  return !rules_.book_only || book_->FindPacked(position) != kNoNode;
}

bool RecordOpinion::MayAnswer(const PackedPosition& position, Move move) const {
  if (!rules_.book_only) return true;
  const NodeId id = book_->FindPacked(position);
  return id != kNoNode && book_->FindMove(id, move) != kNoEdge;
}

void RecordOpinion::Apply(RepertoireNode& node, bool searched, std::optional<int> best) const {
  const NodeId id = book_->FindPacked(node.packed);
  if (id == kNoNode) return;
  double sum = 0;
  double most = 0;
  for (const Graph::Edge& edge : book_->moves(id)) {
    sum += WeightOf(edge);
    most = std::max(most, WeightOf(edge));
  }
  if (sum == 0 && !rules_.book_only) return;
  for (RepertoireNode::Candidate& candidate : node.candidates) candidate.usual = false;
  if (!searched) return;  // as if the position had never been visited
  const double least = rules_.book_only ? 0 : rules_.usual * sum;
  for (const Graph::Edge& edge : book_->moves(id)) {
    if (WeightOf(edge) < least) continue;
    RepertoireNode::Candidate& usual = node.FindOrAdd(edge.move);
    usual.usual = true;
    if (usual.nodes > 0) continue;
    usual.centipawns.reset();  // its score may come from a source that is no longer trusted
    if (best) usual.centipawns = *best - rules_.unsearched;
  }
  for (RepertoireNode::Candidate& candidate : node.candidates) {
    const EdgeId edge = book_->FindMove(id, candidate.move);
    const double played = edge == kNoEdge ? 0 : WeightOf(book_->edge(edge));
    candidate.rarity = rules_.rarity * std::log((most + 1) / (played + 1));
  }
}

}  // namespace joseki::book
