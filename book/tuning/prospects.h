#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/settling.h"
#include "book/tuning/tuner.h"

namespace joseki::book {

// The gain that further games could still find in a book. For each position it is the frequency of
// lines times the most by which another move may exceed the best one (Settlement::possible). The
// total is the sum over positions. The bounds hold at all times, so a run may stop as soon as the
// gain is small. A position that is settled, or that no game reached, adds nothing.
//
// The result depends on the evidence alone, kept up to date in integers: equal evidence gives equal
// digits. About 8 bytes for each position. Threading: as the tuner.
class Prospects {
 public:
  // `graph` must outlive this. REQUIRES: rule.on().
  Prospects(const Graph& graph, DrawValue draw, const Settling& rule);

  void Rebuild(const Tuner& tuner);
  // Call after the evidence of these edges has changed.
  void Update(const Tuner& tuner, std::span<const EdgeId> edges);
  // The most by which the book's score could rise, for a run with this many distinct games; 1 if 0.
  double Left(uint64_t games) const;

 private:
  int64_t WorthOf(const Tuner& tuner, NodeId node) const;

  const Graph* graph_;
  DrawValue draw_;
  Settling rule_;
  std::vector<int64_t> worth_;  // by node
  int64_t sum_ = 0;
};

// The share of a stage's moves at positions whose answer has changed since the stage began. It
// depends only on the tuner's frozen and present arms. Threading: as the tuner.
class AnswerChanges {
 public:
  // `graph` must outlive this. The tuner must have a staged policy.
  explicit AnswerChanges(const Graph& graph);

  void Rebuild(Tuner& tuner);
  // Call after a game was applied on these edges.
  void Update(Tuner& tuner, std::span<const EdgeId> edges);
  // Begins a stage.
  void Begin();
  // Among the stage's moves with a choice, the share at positions whose answer has changed; 1
  // before the first such move.
  double Share() const;

 private:
  struct Seen {
    uint32_t games = 0;  // of the stage
    uint32_t stage = 0;  // the stage that `games` refers to
    bool changed = false;
  };
  void Look(Tuner& tuner, NodeId node);

  const Graph* graph_;
  std::vector<Seen> seen_;  // by node
  uint32_t stage_ = 0;      // number of stages begun
  uint64_t games_ = 0;
  uint64_t changed_ = 0;
};

}  // namespace joseki::book
