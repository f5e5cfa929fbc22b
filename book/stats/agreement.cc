#include "book/stats/agreement.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/status_macros.h"

namespace joseki::book {
namespace {

// Positions rarer than this are ignored.
constexpr double kLeastReach = 1e-9;

// A position reached by some lines.
struct Arrival {
  Key key;
  double reach = 0;
};
using Frontier = std::map<PackedPosition, Arrival>;

// Frequency of each move: by positive weights, or equal if there are none.
std::vector<double> SharesAt(const PlayBook& book, NodeId id) {
  const Graph::Node& node = book.graph->node(id);
  std::vector<double> shares(node.count);
  double sum = 0;
  for (size_t i = 0; i < shares.size(); ++i) {
    shares[i] = std::max(0.0, book.weights[node.first + i]);
    sum += shares[i];
  }
  for (double& share : shares) {
    share = sum > 0 ? share / sum : 1 / static_cast<double>(shares.size());
  }
  return shares;
}

Move AnswerAt(const PlayBook& book, const Key& key) {
  const NodeId id = book.graph->Find(key);
  if (id == kNoNode || book.answers[id] == kNoEdge) return {};
  return book.graph->edge(book.answers[id]).move;
}

class AnswerWalk {
 public:
  AnswerWalk(const Rules& rules, const PlayBook& book, const PlayBook& others)
      : rules_(rules), book_(book), others_(others) {}

  absl::Status Go(const GameState& start, bool own_first, int plies,
                  std::vector<ReachedAnswer>& answers) {
    Frontier here{{start.packed(), {start.key(), 1}}};
    for (int ply = 0; ply < plies && !here.empty(); ++ply) {
      const bool own = (ply % 2 == 0) == own_first;
      Frontier next;
      for (const auto& [packed, at] : here) {
        RETURN_IF_ERROR(own ? Answer(packed, at, answers, next) : Reply(packed, at, next));
      }
      here = std::move(next);
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Answer(const PackedPosition& packed, const Arrival& at,
                      std::vector<ReachedAnswer>& answers, Frontier& next) {
    const Move answer = AnswerAt(book_, at.key);
    if (!answer) return absl::OkStatus();
    answers.push_back({at.key, answer, at.reach});
    return Follow(packed, std::span(&answer, 1), std::vector<double>{at.reach}, next);
  }

  absl::Status Reply(const PackedPosition& packed, const Arrival& at, Frontier& next) {
    const NodeId id = others_.graph->Find(at.key);
    if (id == kNoNode || others_.graph->node(id).count == 0) return absl::OkStatus();
    std::vector<Move> moves;
    for (const Graph::Edge& edge : others_.graph->moves(id)) moves.push_back(edge.move);
    std::vector<double> reaches = SharesAt(others_, id);
    for (double& reach : reaches) reach *= at.reach;
    return Follow(packed, moves, reaches, next);
  }

  absl::Status Follow(const PackedPosition& packed, std::span<const Move> moves,
                      const std::vector<double>& reaches, Frontier& next) {
    RETURN_IF_ERROR(rules_.Expand(packed, moves, expansion_));
    for (size_t i = 0; i < moves.size(); ++i) {
      const std::optional<Expansion::Child>& child = expansion_.children[i];
      if (!child || reaches[i] < kLeastReach) continue;
      Arrival& at = next[child->packed];
      at.key = child->key;
      at.reach += reaches[i];
    }
    return absl::OkStatus();
  }

  const Rules& rules_;
  const PlayBook& book_;
  const PlayBook& others_;
  Expansion expansion_;
};

}  // namespace

absl::StatusOr<std::vector<ReachedAnswer>> AnswersOf(const Rules& rules, const PlayBook& book,
                                                     const PlayBook& others, int plies) {
  ASSIGN_OR_RETURN(const std::unique_ptr<GameState> start, rules.Start("startpos", MatchRules{}));
  std::vector<ReachedAnswer> answers;
  AnswerWalk walk(rules, book, others);
  for (const bool own_first : {true, false}) {
    RETURN_IF_ERROR(walk.Go(*start, own_first, plies, answers));
  }
  return answers;
}

double ShareInCommon(std::span<const ReachedAnswer> answers, const PlayBook& other) {
  double all = 0;
  double common = 0;
  for (const ReachedAnswer& answer : answers) {
    all += answer.reach;
    if (AnswerAt(other, answer.position) == answer.answer) common += answer.reach;
  }
  return all > 0 ? common / all : 0;
}

}  // namespace joseki::book
