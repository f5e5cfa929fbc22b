#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "book/play_book.h"
#include "book/tuning/tuner.h"
#include "book/weights_delta.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// Re-entry: a game that has left its line and transposes back into the book follows the book again.
// Worker and coordinator ask the same function, so a game needs no mark of which moves were the
// book's: they follow from its moves, the frozen book and the version of the weights.

// A frozen book and its weights at one version; of a match neither, but what each side plays from.
// Immutable; shared by the games that follow it.
struct AnswerBook {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Weights> weights;         // one an edge
  std::shared_ptr<const PlayBook> opponent = {};  // what the other side plays from; null: nothing
  std::shared_ptr<const PlayBook> own = {};       // of a match: what A plays from; null: nothing
};

// The book's move at `node`: the one with the largest weight, the first of equals; kNoEdge at a
// position without moves.
EdgeId AnswerOf(const Graph& graph, std::span<const int64_t> weights, NodeId node);

// Sets the weights of the given nodes to those of the tuner's policy for its arms as of now, in
// thousandths, so that AnswerOf is the policy's own answer: where rounding or the policy's ties
// would give another move, its answer is lifted above the others. REQUIRES: tuner.values_ready().
void SetWeights(const Tuner& tuner, std::span<const NodeId> nodes, Weights& weights);
Weights WeightsOf(const Tuner& tuner);

// Shares for games against an opponent, in which the book goes on exploring: a move's weight is how
// often the tuner's policy chose it in kTries choices, by present evidence and without games in
// flight. Chance is the position's own, so the same evidence gives the same weights. In
// thousandths. REQUIRES: tuner.values_ready().
inline constexpr int kTries = 32;
void SetShares(const Tuner& tuner, int stage, std::span<const NodeId> nodes, Weights& weights);
Weights SharesOf(const Tuner& tuner, int stage);

// The run's side of a game against an opponent, and the seed of its slot.
struct OwnSide {
  Color color = Color::kFirst;
  uint64_t seed = 0;
};

// Leaves of a game's moves those that `own` played; all where it is nullopt. Credited are these.
void KeepOwn(const Graph& graph, std::optional<Color> own, std::vector<EdgeId>& edges);

// Follows one game through the book, position by position. Call See with the start position, and
// after every move Played and See again.
//
// The book's move is due once the line and the exit after it have been played (`line_plies` + 1
// plies), at a book position that is new in the game, so that book moves cannot cause a repetition.
//
// Against an opponent (`own`) a move is due at our side's positions alone, and is drawn by the
// weights as shares (SetShares), with the slot's seed and the ply.
class Follower {
 public:
  // `book` must outlive this.
  Follower(const AnswerBook& book, size_t line_plies, std::optional<OwnSide> own = std::nullopt)
      : book_(book), line_plies_(line_plies), own_(own) {}

  // The book's move where one is due; nullopt: the engine chooses.
  std::optional<Move> See(const Key& key);
  void Played(Move move);

  // Book moves after the line, whoever chose them, or those of our side in a game against an
  // opponent: with the line's they are credited with the game. A move that was played twice stands
  // there twice.
  const std::vector<EdgeId>& edges() const { return edges_; }

 private:
  EdgeId Choose() const;

  const AnswerBook& book_;
  const size_t line_plies_;
  const std::optional<OwnSide> own_;
  size_t plies_ = 0;
  NodeId node_ = kNoNode;     // of the position seen last
  std::vector<NodeId> seen_;  // few: looking back is faster than a set
  std::vector<EdgeId> edges_;
};

// Follower::edges() of a whole game from `start`, from its moves alone: nothing of it depends on
// the weights. `own`: of a game against an opponent, our side. InvalidArgument where `rules` refuse
// the start or a move.
absl::StatusOr<std::vector<EdgeId>> ReenteredEdges(const Rules& rules, const Graph& graph,
                                                   std::string_view start,
                                                   std::span<const Move> moves, size_t line_plies,
                                                   std::optional<Color> own = std::nullopt);

}  // namespace joseki::book
