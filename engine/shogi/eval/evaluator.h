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

// The evaluation of one search: the learned one, by the network that this program was built with or
// by another, or the plain one.
class Evaluator {
 public:
  // From the side to move, a pawn is about 100. Depends on nothing but the position, what was
  // chosen below and the network.
  Value Evaluate(const Position& position);

  // The bonus of a line that begins with `move`, played at the root, beside the line's value.
  // REQUIRES: `move` is legal.
  Value FirstMoveBonus(const Position& position, Move move) const;

  void SetOptions(const EvaluationOptions& options);
  // null: the built-in one.
  void UseNetwork(std::shared_ptr<const Network> network) {
    network_ = std::move(network);
    learned_ = LearnedEvaluator(network_ != nullptr ? *network_ : BuiltInNetwork());
  }

 private:
  bool use_learned_ = true;
  unsigned terms_ = 0;  // added to either evaluation (engine/shogi/eval/knowledge.h)
  int first_ply_bonus_ = 0;
  std::shared_ptr<const Network> network_;  // learned_'s, unless that has the built-in one
  LearnedEvaluator learned_;
  PlainEvaluator plain_;
};

}  // namespace joseki::shogi
