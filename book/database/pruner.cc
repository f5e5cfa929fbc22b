#include "book/database/pruner.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_prune.h"
#include "book/database/book_store.h"
#include "book/graph.h"

namespace joseki::book {
namespace {

int64_t GamesOf(const BookMove& move) {
  return move.counts[0].games + move.counts[1].games + move.book_count;
}

bool IsMarked(const BookMove& move) {
  return move.mark == kBad || move.mark == kForbidden || !move.note.empty();
}

// Judges moves by the rules that need only one position.
class MoveJudge {
 public:
  MoveJudge(const PruneRules& rules, const BookPosition& position)
      : rules_(rules), position_(position) {
    for (const BookMove& move : position.moves) {
      games_ += GamesOf(move);
      if (move.value.has_value()) best_ = std::max(best_.value_or(*move.value), *move.value);
    }
  }

  bool Drops(const BookMove& move) const {
    if (rules_.plies > 0 && position_.ply >= rules_.plies) return true;
    if (GamesOf(move) < rules_.min_games) return true;
    const double least = rules_.min_share * static_cast<double>(games_);
    if (static_cast<double>(GamesOf(move)) < least) return true;
    return rules_.max_loss.has_value() && move.value.has_value() &&
           *move.value < *best_ - *rules_.max_loss;
  }

 private:
  const PruneRules& rules_;
  const BookPosition& position_;
  int64_t games_ = 0;
  std::optional<int> best_;
};

// The moves of `left` at positions that no line of `left` reaches from the start.
absl::StatusOr<std::vector<PrunedMove>> Unreached(const Rules& rules,
                                                  std::vector<book::GraphInput> left) {
  ASSIGN_OR_RETURN(const book::Graph graph, book::Graph::Build(rules, std::move(left)));
  ASSIGN_OR_RETURN(const auto start, rules.Start("startpos", MatchRules{}));
  std::vector<char> reached(graph.node_count(), 0);
  std::vector<book::NodeId> waiting;
  const auto arrive = [&](book::NodeId node) {
    if (node == book::kNoNode || reached[node] != 0) return;
    reached[node] = 1;
    waiting.push_back(node);
  };
  arrive(graph.Find(start->key()));
  while (!waiting.empty()) {
    const book::NodeId node = waiting.back();
    waiting.pop_back();
    for (const book::Graph::Edge& edge : graph.moves(node)) arrive(edge.to);
  }
  std::vector<PrunedMove> moves;
  for (book::NodeId node = 0; node < graph.node_count(); ++node) {
    if (reached[node] != 0) continue;
    for (const book::Graph::Edge& edge : graph.moves(node)) {
      moves.push_back({graph.node(node).packed, graph.node(node).ply, edge.move});
    }
  }
  return moves;
}

}  // namespace

absl::StatusOr<PruneReport> Prune(Store& store, const Rules& rules, const PruneRules& prune,
                                  bool try_only) {
  ASSIGN_OR_RETURN(const std::set<MoveOfPosition> edited, EditedMoves(store));
  PruneReport report;
  std::vector<PrunedMove>& gone = report.gone;
  std::vector<book::GraphInput> left;
  std::set<MoveOfPosition> users;
  RETURN_IF_ERROR(BookStore(store).ForEach([&](const BookPosition& position) {
    const MoveJudge judge(prune, position);
    book::GraphInput stays{position.packed, position.ply, {}};
    for (const BookMove& move : position.moves) {
      const MoveOfPosition name(position.packed, move.move);
      const bool users_own = IsMarked(move) || edited.contains(name);
      if (users_own) users.insert(name);
      const bool drops = judge.Drops(move);
      if (drops && users_own) ++report.kept;
      if (drops && !users_own) {
        gone.push_back({position.packed, position.ply, move.move});
      } else {
        stays.moves.push_back({move.move, 0});
      }
    }
    if (stays.moves.empty()) {
      ++report.positions;
    } else {
      left.push_back(std::move(stays));
    }
    return absl::OkStatus();
  }));
  report.left = static_cast<int64_t>(left.size());
  if (prune.reachable) {
    ASSIGN_OR_RETURN(const std::vector<PrunedMove> unreached, Unreached(rules, std::move(left)));
    std::set<PackedPosition> held;  // positions kept because the user edited them
    std::set<PackedPosition> lost;
    for (const PrunedMove& move : unreached) {
      if (users.contains({move.packed, move.move})) {
        ++report.kept;
        held.insert(move.packed);
      } else {
        gone.push_back(move);
        lost.insert(move.packed);
      }
    }
    for (const PackedPosition& position : lost) {
      if (held.contains(position)) continue;
      ++report.positions;
      --report.left;
    }
  }
  report.moves = static_cast<int64_t>(gone.size());
  std::stable_sort(gone.begin(), gone.end(), [](const PrunedMove& a, const PrunedMove& b) {
    return std::tie(a.ply, a.packed) < std::tie(b.ply, b.packed);
  });
  if (try_only || gone.empty()) return report;
  std::vector<MoveOfPosition> names;
  for (const PrunedMove& move : gone) names.emplace_back(move.packed, move.move);
  RETURN_IF_ERROR(DeleteMoves(store, names).status());
  return report;
}

}  // namespace joseki::book
