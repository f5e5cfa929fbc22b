#include "book/tuning/line.h"

#include <algorithm>
#include <utility>

#include "book/tuning/some_choices.h"

namespace joseki::book {
namespace {

class Chooser {
 public:
  Chooser(Tuner& tuner, NodeId start, int stage, const LineRules& rules, Rng& rng,
          const LineFilter& refused)
      : tuner_(tuner),
        graph_(tuner.graph()),
        policy_(tuner.policy()),
        turn_(stage),
        rules_(rules),
        rng_(rng),
        refused_(refused) {
    line_.moves.reserve(kUsualPlies);
    line_.edges.reserve(kUsualPlies);
    visited_.reserve(kUsualPlies + 1);
    visited_.push_back(start);
    // Split off as a stream of its own, so that the choices of policies that ignore it stay
    // unchanged.
    turn_.line = rng.Split(kLineStream).Next();
    // For a policy that plays one side for the book, the low bit makes `own` that side of the line.
    if (rules.own) turn_.line = (turn_.line & ~uint64_t{1}) | Index(*rules.own);
  }

  std::optional<Line> Run() {
    bool fresh = true;  // the position was just reached by a move, not by taking one back
    for (;;) {
      if (fresh && Over()) {
        if (Accepted()) return std::move(line_);
        if (!TakeBack()) return std::nullopt;
        fresh = false;
        continue;
      }
      if (Theirs()) {
        if (fresh && FollowOpponent()) continue;
        if (fresh && Accepted()) return std::move(line_);
        if (!TakeBack()) return std::nullopt;
        fresh = false;
        continue;
      }
      if (fresh && rng_.Unit() < rules_.deviation && Deviate()) return std::move(line_);
      fresh = Advance();
      if (fresh) continue;
      // Every move here is used up; leaving the book here may still give a line that is not
      // refused.
      if (rules_.deviation > 0 && Deviate()) return std::move(line_);
      if (!TakeBack()) return std::nullopt;
    }
  }

 private:
  static constexpr size_t kUsualPlies = 31;
  static constexpr uint64_t kLineStream = 0x11e;

  // Number of moves chosen; visited_ has one more position.
  size_t depth() const { return line_.moves.size(); }
  NodeId node() const { return visited_.back(); }
  bool Accepted() const { return !refused_ || !refused_(line_); }

  bool Over() const {
    if (node() == kNoNode || graph_.stop(node()).count == 0) return true;
    if (rules_.max_book_plies > 0 && depth() >= static_cast<size_t>(rules_.max_book_plies)) {
      return true;
    }
    return std::find(visited_.begin(), visited_.end() - 1, node()) != visited_.end() - 1;
  }

  bool Theirs() const { return rules_.own && graph_.stop(node()).to_move != *rules_.own; }

  // Plays the opponent's book move, if the tuner's book has it.
  bool FollowOpponent() {
    if (rules_.opponent == nullptr) return false;
    const Graph::Node& at = graph_.node(node());
    const BookWord word = AskBook(*rules_.opponent, rules_.opponent_rules, at.key,
                                  static_cast<int>(depth()), /*seen=*/false, rng_);
    const EdgeId edge = word.move ? graph_.FindMove(node(), word.move) : kNoEdge;
    if (edge == kNoEdge) return false;
    Play(edge);
    return true;
  }

  // Ends the line here with the book moves excluded, if possible and not refused.
  bool Deviate() {
    if (graph_.stop(node()).closed) return false;
    for (const Graph::Edge& edge : graph_.moves(node())) line_.excluded.push_back(edge.move);
    if (Accepted()) return true;
    line_.excluded.clear();
    return false;
  }

  // Chooses a move among those not taken back here; false if none is left.
  bool Advance() {
    const Graph::Stop& from = graph_.stop(node());
    const Choices all = tuner_.selection(node());
    turn_.at_start = depth() == 0;
    EdgeId chosen = kNoEdge;
    const bool settled = Settled(all);
    const bool refused = taken_back_.size() > depth() && !taken_back_[depth()].empty();
    if (!settled && !refused) {
      chosen = from.first + static_cast<EdgeId>(policy_.Choose(all, turn_, rng_));
    } else {
      // Falls back to moves that a settled position has dropped, rather than to no line.
      SomeChoices left = LeftAt(from, all, settled);
      if (left.empty() && settled) left = LeftAt(from, all, false);
      if (left.empty()) return false;
      const size_t i = left.IndexOf(policy_.Choose(left.choices(), turn_, rng_));
      chosen = from.first + static_cast<EdgeId>(i);
    }
    Play(chosen);
    return true;
  }

  void Play(EdgeId edge) {
    line_.edges.push_back(edge);
    line_.moves.push_back(graph_.edge(edge).move);
    visited_.push_back(graph_.target(edge));
  }

  bool Settled(const Choices& all) {
    if (!rules_.settling.on() || all.size() < 2 || !policy_.PlaysForBook(all, turn_)) return false;
    settlement_ = Settle(all, policy_.draw_value(), rules_.settling);
    return settlement_.settled();
  }

  // The moves not taken back here; at a settled position only those that may be the best.
  SomeChoices LeftAt(const Graph::Stop& from, const Choices& all, bool settled) const {
    static const std::vector<EdgeId> kNone;
    const std::vector<EdgeId>& gone = taken_back_.size() > depth() ? taken_back_[depth()] : kNone;
    SomeChoices left(from.to_move);
    for (size_t i = 0; i < all.size(); ++i) {
      const EdgeId edge = from.first + static_cast<EdgeId>(i);
      if (std::find(gone.begin(), gone.end(), edge) != gone.end()) continue;
      if (settled && !StaysInPlay(all, policy_.draw_value(), rules_.settling, settlement_, i))
        continue;
      left.Add(all, i);
    }
    return left;
  }

  // Undoes the last move and excludes it from further choices here; false at the start.
  bool TakeBack() {
    if (depth() == 0) return false;
    const EdgeId edge = line_.edges.back();
    line_.edges.pop_back();
    line_.moves.pop_back();
    visited_.pop_back();
    taken_back_.resize(depth() + 1);  // discards what was taken back below the undone move
    taken_back_[depth()].push_back(edge);
    return true;
  }

  Tuner& tuner_;
  const Graph& graph_;
  const Policy& policy_;
  Turn turn_;
  const LineRules& rules_;
  Rng& rng_;
  const LineFilter& refused_;

  Line line_;
  Settlement settlement_;  // of the current position, if it is settled
  std::vector<NodeId> visited_;
  std::vector<std::vector<EdgeId>> taken_back_;  // by depth; empty until a line is refused
};

}  // namespace

std::optional<Line> ChooseLine(Tuner& tuner, NodeId start, int stage, const LineRules& rules,
                               Rng& rng, const LineFilter& refused) {
  return Chooser(tuner, start, stage, rules, rng, refused).Run();
}

std::vector<EdgeId> EdgesOf(const Graph& graph, NodeId start, std::span<const Move> line) {
  std::vector<EdgeId> edges;
  edges.reserve(line.size());
  NodeId node = start;
  for (const Move move : line) {
    const EdgeId edge = node == kNoNode ? kNoEdge : graph.FindMove(node, move);
    if (edge == kNoEdge) break;
    edges.push_back(edge);
    node = graph.edge(edge).to;
  }
  return edges;
}

}  // namespace joseki::book
