#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/settling.h"
#include "book/tuning/tuner.h"

namespace joseki::book {

// The gain that further games could still find in a book: over all positions, the frequency of
// lines times the most by which another move may exceed the best one (Settlement::possible). The
// bounds hold at every time, so a run may end the first time that the gain is small. A position
// that is settled, or that no game came to, adds nothing.
//
// A function of the evidence alone, kept up to date in whole numbers: however it came about, the
// same evidence gives the same digits. About 8 bytes a position. Thread rule: as the tuner's.
class Prospects {
 public:
  // `graph` must outlive this. REQUIRES: rule.on().
  Prospects(const Graph& graph, DrawValue draw, const Settling& rule);

  // Arms are those of the whole book.
  void Rebuild(std::span<const Arm> arms);
  // The evidence of these edges has changed.
  void Update(std::span<const Arm> arms, std::span<const EdgeId> edges);
  // The most by which the book's score could rise, in a run with this many different games; 1
  // without any.
  double Left(uint64_t games) const;

 private:
  int64_t WorthOf(std::span<const Arm> arms, NodeId node) const;

  const Graph* graph_;
  DrawValue draw_;
  Settling rule_;
  std::vector<int64_t> worth_;  // by node
  int64_t sum_ = 0;
};

// The share of a stage's play for which the book's answer has changed since the stage began. A
// function of the tuner's frozen and present arms. Thread rule: as the tuner's.
class AnswerChanges {
 public:
  // `graph` must outlive this. The tuner is that of a staged policy.
  explicit AnswerChanges(const Graph& graph);

  void Rebuild(Tuner& tuner);
  // A game was applied on these edges.
  void Update(Tuner& tuner, std::span<const EdgeId> edges);
  // A stage begins.
  void Begin();
  // The share of the stage's moves, where there is a choice, at positions whose answer has changed;
  // 1 before the first.
  double Share() const;

 private:
  struct Seen {
    uint32_t games = 0;  // of the stage
    uint32_t stage = 0;  // the one that this refers to
    bool changed = false;
  };
  void Look(Tuner& tuner, NodeId node);

  const Graph* graph_;
  std::vector<Seen> seen_;  // by node
  uint32_t stage_ = 0;      // times that one began
  uint64_t games_ = 0;
  uint64_t changed_ = 0;
};

}  // namespace joseki::book
