#pragma once

#include <memory>
#include <utility>

#include "engine/core/value.h"
#include "engine/shogi/eval/learned.h"
#include "engine/shogi/eval/network.h"
#include "engine/shogi/eval/options.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/position.h"

namespace joseki::shogi {

// The evaluation of one search: the learned one, with the built-in network or another, or the plain
// one.
class Evaluator {
 public:
  // The value for the side to move; a pawn is about 100. Depends only on the position, the settings
  // below and the network.
  Value Evaluate(const Position& position);

  // Bonus of a line that begins with `move` at the root, added to the line's value. REQUIRES:
  // `move` is legal.
  Value FirstMoveBonus(const Position& position, Move move) const;

  void SetOptions(const EvaluationOptions& options);
  // Null selects the built-in network.
  void UseNetwork(std::shared_ptr<const Network> network) {
    network_ = std::move(network);
    learned_ = LearnedEvaluator(network_ != nullptr ? *network_ : BuiltInNetwork());
  }

 private:
  bool use_learned_ = true;
  unsigned terms_ = 0;  // added to either evaluation (engine/shogi/eval/knowledge.h)
  int first_ply_bonus_ = 0;
  std::shared_ptr<const Network> network_;  // used by learned_; null for the built-in network
  LearnedEvaluator learned_;
  PlainEvaluator plain_;
};

}  // namespace joseki::shogi
