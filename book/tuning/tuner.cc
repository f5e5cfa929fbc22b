#include "book/tuning/tuner.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace joseki::book {
namespace {

bool IsEvidence(const Ending& ending) {
  return ending.result != Result::kNone && !IsFault(ending.termination);
}

// Calls visit(edge, score) for every edge that the game is evidence of. Lines are short: looking
// back is faster than a set.
template <typename Visit>
void ForEachCredit(const Graph& graph, const TunedGame& game, Visit visit) {
  for (auto edge = game.edges.begin(); edge != game.edges.end(); ++edge) {
    if (std::find(game.edges.begin(), edge, *edge) != edge) continue;
    visit(*edge, ScoreFor(graph.edge(*edge).mover, game.ending));
  }
}

}  // namespace

Score ScoreFor(Color side, const Ending& ending) {
  assert(ending.result != Result::kNone);
  if (ending.result == Result::kDraw) return Score::kDraw;
  return ending.result == WinFor(side) ? Score::kWin : Score::kLoss;
}

Tuner::Tuner(std::shared_ptr<const Graph> graph, std::shared_ptr<const Policy> policy)
    : graph_(std::move(graph)),
      policy_(std::move(policy)),
      staged_(!policy_->stages().empty()),
      arms_(graph_->edge_count()) {
  for (EdgeId edge = 0; edge < arms_.size(); ++edge) {
    arms_[edge].base_weight = graph_->edge(edge).base_weight;
  }
  Freeze();
}

std::span<const Arm> Tuner::arms(NodeId node) const {
  const Graph::Node& at = graph_->node(node);
  return arms().subspan(at.first, at.count);
}

bool Tuner::Apply(const TunedGame& game) {
  if (!IsEvidence(game.ending)) return false;
  const bool is_new = seen_.insert(game.moves_hash).second;
  ForEachCredit(*graph_, game, [&](EdgeId edge, Score score) {
    if (is_new) {
      policy_->Credit(arms_[edge], score, game.stage);
    } else {
      ++arms_[edge].evidence.repeats;
    }
  });
  return Counts(*policy_, game.ending);
}

void Tuner::AddInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    ++arms_[edge].in_flight;
    if (staged_) ++frozen_[edge].in_flight;
  }
}

void Tuner::RemoveInFlight(std::span<const EdgeId> edges) {
  for (const EdgeId edge : edges) {
    assert(arms_[edge].in_flight > 0);
    --arms_[edge].in_flight;
    if (staged_) --frozen_[edge].in_flight;
  }
}

void Tuner::Freeze() {
  if (staged_) frozen_ = arms_;
}

void Tuner::FreezeWithout(std::span<const TunedGame> games) {
  if (!staged_) return;
  frozen_ = arms_;
  for (const TunedGame& game : games) {
    if (!IsEvidence(game.ending)) continue;
    ForEachCredit(*graph_, game, [&](EdgeId edge, Score score) {
      Arm& arm = frozen_[edge];
      if (game.repeat) {
        --arm.evidence.repeats;
        return;
      }
      // Credits add the same to every arm, so what one adds to an empty arm is what to take away.
      Arm credit;
      policy_->Credit(credit, score, game.stage);
      arm.sum -= credit.sum;
      arm.evidence.wins -= credit.evidence.wins;
      arm.evidence.draws -= credit.evidence.draws;
      arm.evidence.losses -= credit.evidence.losses;
    });
  }
}

void Tuner::Load(EdgeId edge, int64_t sum, const Evidence& evidence) {
  arms_[edge].sum = sum;
  arms_[edge].evidence = evidence;
}

}  // namespace joseki::book
