#include "book/minimax.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

namespace joseki::book {
namespace {

constexpr uint32_t kUnseen = std::numeric_limits<uint32_t>::max();

class Solver {
 public:
  Solver(const MinimaxGraph& graph, int32_t draw)
      : graph_(graph),
        draw_(draw),
        count_(static_cast<uint32_t>(graph.first.size() - 1)),
        component_(count_, kUnseen),
        local_(count_, 0) {
    values_.value.assign(count_, 0);
    values_.plies.assign(count_, 0);
  }

  MinimaxValues Run() {
    FindComponents();
    return std::move(values_);
  }

 private:
  uint32_t Begin(uint32_t node) const { return graph_.first[node]; }
  uint32_t End(uint32_t node) const { return graph_.first[node + 1]; }

  // Tarjan's algorithm without recursion. A component is complete, and is solved, after all
  // components that it leads to.
  void FindComponents() {
    struct Frame {
      uint32_t node;
      uint32_t move;
    };
    std::vector<uint32_t> order(count_, kUnseen);
    std::vector<uint32_t> low(count_, 0);
    std::vector<uint32_t> open;
    std::vector<Frame> path;
    uint32_t next = 0;
    uint32_t components = 0;
    for (uint32_t root = 0; root < count_; ++root) {
      if (order[root] != kUnseen) continue;
      path.push_back({root, Begin(root)});
      order[root] = low[root] = next++;
      open.push_back(root);
      while (!path.empty()) {
        Frame& frame = path.back();
        const uint32_t node = frame.node;
        if (frame.move < End(node)) {
          const int32_t to = graph_.to[frame.move++];
          if (to == kNoTarget) continue;
          const auto child = static_cast<uint32_t>(to);
          if (order[child] == kUnseen) {
            order[child] = low[child] = next++;
            open.push_back(child);
            path.push_back({child, Begin(child)});
          } else if (component_[child] == kUnseen) {
            low[node] = std::min(low[node], order[child]);
          }
          continue;
        }
        path.pop_back();
        if (!path.empty()) low[path.back().node] = std::min(low[path.back().node], low[node]);
        if (low[node] != order[node]) continue;
        nodes_.clear();
        uint32_t member = 0;
        do {
          member = open.back();
          open.pop_back();
          component_[member] = components;
          local_[member] = static_cast<uint32_t>(nodes_.size());
          nodes_.push_back(member);
        } while (member != node);
        ++components;
        Solve();
      }
    }
  }

  bool IsInside(uint32_t node, uint32_t move) const {
    const int32_t to = graph_.to[move];
    return to != kNoTarget && component_[static_cast<uint32_t>(to)] == component_[node];
  }

  // Solves the component in nodes_. REQUIRES: the positions that it leads to have their values.
  void Solve() {
    if (nodes_.size() == 1 && !LeadsToItself(nodes_[0])) return SolveOne(nodes_[0]);
    ++values_.circles;
    values_.largest = std::max(values_.largest, static_cast<uint32_t>(nodes_.size()));
    SolveCircle(RepetitionValue());
  }

  bool LeadsToItself(uint32_t node) const {
    for (uint32_t move = Begin(node); move < End(node); ++move) {
      if (IsInside(node, move)) return true;
    }
    return false;
  }

  void SolveOne(uint32_t node) {
    int32_t best = std::numeric_limits<int32_t>::min();
    uint32_t plies = 0;
    for (uint32_t move = Begin(node); move < End(node); ++move) {
      const int32_t value = MoveValue(graph_, values_, move);
      const uint32_t length = PliesOf(move);
      if (value > best || (value == best && Prefers(value, length, plies))) {
        best = value;
        plies = length;
      }
    }
    values_.value[node] = best;
    values_.plies[node] = plies;
  }

  // Length of the line through a move that leaves the component, in plies.
  uint32_t PliesOf(uint32_t move) const {
    const int32_t to = graph_.to[move];
    if (to == kNoTarget) return 1;
    const uint32_t plies = values_.plies[static_cast<uint32_t>(to)];
    return plies == MinimaxValues::kRepeats ? plies : plies + 1;
  }

  // Whether a line of `a` plies is preferred to one of `b` at equal value: the sooner win, the
  // later loss.
  static bool Prefers(int32_t value, uint32_t a, uint32_t b) { return value >= 0 ? a < b : a > b; }

  // Value of a repetition in this component for the first side.
  int32_t RepetitionValue() const {
    if (graph_.checks.empty()) return draw_;
    bool always[2] = {true, true};
    bool moves[2] = {false, false};
    for (const uint32_t node : nodes_) {
      for (uint32_t move = Begin(node); move < End(node); ++move) {
        if (!IsInside(node, move)) continue;
        const size_t side = graph_.second[node] != 0 ? 1 : 0;
        moves[side] = true;
        always[side] = always[side] && graph_.checks[move] != 0;
      }
    }
    const bool first = moves[0] && always[0];
    const bool second = moves[1] && always[1];
    if (first == second) return draw_;
    return first ? kLostValue : -kLostValue;
  }

  // A final value: a move of `node` is worth `value` to its mover.
  struct Event {
    int32_t value = 0;  // relative to the value of a repetition for that mover
    uint32_t node = 0;  // index in nodes_
    uint32_t plies = 0;
  };

  void SolveCircle(int32_t repetition) {
    const auto size = static_cast<uint32_t>(nodes_.size());
    // For each position, the moves within the component that lead to it.
    std::vector<uint32_t> into(size + 1, 0);
    std::vector<uint32_t> open(size, 0);  // by position: number of moves without a value yet
    std::vector<Event> events;
    for (uint32_t i = 0; i < size; ++i) {
      const uint32_t node = nodes_[i];
      open[i] = End(node) - Begin(node);
      const int32_t own = graph_.second[node] != 0 ? -repetition : repetition;
      for (uint32_t move = Begin(node); move < End(node); ++move) {
        if (IsInside(node, move)) {
          ++into[local_[static_cast<uint32_t>(graph_.to[move])] + 1];
        } else {
          events.push_back({MoveValue(graph_, values_, move) - own, i, PliesOf(move)});
        }
      }
    }
    for (uint32_t i = 0; i < size; ++i) into[i + 1] += into[i];
    std::vector<uint32_t> from(into[size]);
    std::vector<uint32_t> filled(into.begin(), into.end() - 1);
    for (uint32_t i = 0; i < size; ++i) {
      for (uint32_t move = Begin(nodes_[i]); move < End(nodes_[i]); ++move) {
        if (!IsInside(nodes_[i], move)) continue;
        from[filled[local_[static_cast<uint32_t>(graph_.to[move])]]++] = i;
      }
    }
    // Largest distance from the value of a repetition first; of equal distances the shorter line.
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
      const int32_t far_a = std::abs(a.value);
      const int32_t far_b = std::abs(b.value);
      return far_a != far_b ? far_a > far_b : a.plies < b.plies;
    });
    std::vector<uint8_t> solved(size, 0);
    std::vector<Event> queue;  // events of one distance, breadth first
    size_t at = 0;
    while (at < events.size() && events[at].value != 0) {
      const int32_t far = std::abs(events[at].value);
      queue.clear();
      size_t head = 0;
      while (head < queue.size() || (at < events.size() && std::abs(events[at].value) == far)) {
        // Merges `events` and `queue`, which both ascend by plies.
        const bool outside = at < events.size() && std::abs(events[at].value) == far &&
                             (head == queue.size() || events[at].plies <= queue[head].plies);
        const Event event = outside ? events[at++] : queue[head++];
        if (solved[event.node] != 0) continue;
        if (event.value < 0 && --open[event.node] > 0) continue;
        solved[event.node] = 1;
        const uint32_t node = nodes_[event.node];
        const int32_t own = graph_.second[node] != 0 ? -repetition : repetition;
        values_.value[node] = event.value + own;
        values_.plies[node] = event.plies;
        const uint32_t plies =
            event.plies == MinimaxValues::kRepeats ? event.plies : event.plies + 1;
        for (uint32_t i = into[event.node]; i < into[event.node + 1]; ++i) {
          queue.push_back({-event.value, from[i], plies});
        }
      }
    }
    for (uint32_t i = 0; i < size; ++i) {
      if (solved[i] != 0) continue;
      const uint32_t node = nodes_[i];
      values_.value[node] = graph_.second[node] != 0 ? -repetition : repetition;
      values_.plies[node] = MinimaxValues::kRepeats;
    }
  }

  const MinimaxGraph& graph_;
  const int32_t draw_;
  const uint32_t count_;
  std::vector<uint32_t> component_;
  std::vector<uint32_t> local_;  // by position: its index in nodes_
  std::vector<uint32_t> nodes_;  // positions of the component being solved
  MinimaxValues values_;
};

}  // namespace

int32_t MoveValue(const MinimaxGraph& graph, const MinimaxValues& values, uint32_t move) {
  const int32_t to = graph.to[move];
  return to == kNoTarget ? graph.value[move] : -values.value[static_cast<size_t>(to)];
}

MinimaxValues Minimax(const MinimaxGraph& graph, int32_t draw) { return Solver(graph, draw).Run(); }

}  // namespace joseki::book
