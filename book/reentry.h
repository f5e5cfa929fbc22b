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
// Worker and coordinator call the same function. A game therefore needs no mark of its book moves:
// they follow from its moves, the frozen book and the version of the weights.

// A frozen book and its weights at one version. In a match both are null, and `opponent` and `own`
// are used instead. Immutable; shared by the games that follow it.
struct AnswerBook {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const Weights> weights;  // by edge
  // what the opponent plays from; null: its engine only
  std::shared_ptr<const PlayBook> opponent = {};
  std::shared_ptr<const PlayBook> own = {};  // of a match: what A plays from; null: its engine only
};

// The book's move at `node`: the first move of the largest weight; kNoEdge at a position without
// moves.
EdgeId AnswerOf(const Graph& graph, std::span<const int64_t> weights, NodeId node);

// Sets the weights of `nodes` to the present values of the tuner's policy, in thousandths. AnswerOf
// then gives the policy's own answer: where rounding or ties would give another move, the answer's
// weight is lifted above the others. REQUIRES: tuner.values_ready().
void SetWeights(const Tuner& tuner, std::span<const NodeId> nodes, Weights& weights);
Weights WeightsOf(const Tuner& tuner);

// Sets shares for games against an opponent, in which the book goes on exploring. The weight of a
// move is how often the tuner's policy chose it in kTries choices, in thousandths. Choices see
// present evidence and no games in flight. The random stream depends on the position alone, so
// equal evidence gives equal weights. REQUIRES: tuner.values_ready().
inline constexpr int kTries = 32;
void SetShares(const Tuner& tuner, int stage, std::span<const NodeId> nodes, Weights& weights);
Weights SharesOf(const Tuner& tuner, int stage);

// In a game against an opponent: the run's side and the seed of the slot.
struct OwnSide {
  Color color = Color::kFirst;
  uint64_t seed = 0;
};

// Removes from `edges` the moves that `own` did not play; the rest are credited. Nullopt keeps all.
void KeepOwn(const Graph& graph, std::optional<Color> own, std::vector<EdgeId>& edges);

// Follows one game through the book, position by position. Call See with the start position; after
// each move call Played, then See again.
//
// A book move is due once the line and the exit after it (`line_plies` + 1 plies) have been played.
// It is due only at book positions that are new in the game, so that the book never causes a
// repetition.
//
// Against an opponent (`own`) a move is due at our side's positions only. It is drawn by the
// weights as shares (SetShares), from the slot's seed and the ply.
class Follower {
 public:
  // `book` must outlive this.
  Follower(const AnswerBook& book, size_t line_plies, std::optional<OwnSide> own = std::nullopt)
      : book_(book), line_plies_(line_plies), own_(own) {}

  // The book's move if one is due; nullopt: the engine chooses.
  std::optional<Move> See(const Key& key);
  void Played(Move move);

  // Book moves played after the line, whoever chose them; against an opponent only those of our
  // side. Together with the line's moves they are credited with the game. A move played twice
  // appears twice.
  const std::vector<EdgeId>& edges() const { return edges_; }

 private:
  EdgeId Choose() const;

  const AnswerBook& book_;
  const size_t line_plies_;
  const std::optional<OwnSide> own_;
  size_t plies_ = 0;
  NodeId node_ = kNoNode;     // of the position seen last
  std::vector<NodeId> seen_;  // few entries: a linear search is faster than a set
  std::vector<EdgeId> edges_;
};

// Follower::edges() for a whole game from `start`, computed from its moves alone; the weights play
// no part. `own` is our side in a game against an opponent. InvalidArgument where `rules` refuse
// the start or a move.
absl::StatusOr<std::vector<EdgeId>> ReenteredEdges(const Rules& rules, const Graph& graph,
                                                   std::string_view start,
                                                   std::span<const Move> moves, size_t line_plies,
                                                   std::optional<Color> own = std::nullopt);

}  // namespace joseki::book
