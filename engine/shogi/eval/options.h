#pragma once

#include <span>

#include "engine/core/number_option.h"

namespace joseki::shogi {

// Settings of the parts of the evaluation. All fields are numbers; a switch is 0 or 1. The defaults
// performed best in games (docs/laboratory/evaluation.md has the figures).
struct EvaluationOptions {
  int learned_evaluation = 1;
  int formation = 0;
  int combination = 0;
  int hand_series = 0;
  int king_neighbours = 0;
  int pins = 0;
  int king_distance = 0;
  int entering_king = 0;
  int vanguard_pawns = 0;
  int lance_mobility = 0;
  int attacked_kinds = 0;
  int bishop_pawns = 0;
  int king_region = 0;
  int first_ply_bonus = 0;
};

using EvaluationOption = NumberOption<EvaluationOptions>;

// All fields, in the order in which they are declared to a user.
std::span<const EvaluationOption> EvaluationOptionTable();

// The terms added to the evaluation, as a set of KnowledgeBit (engine/shogi/eval/knowledge.h).
unsigned TermsOf(const EvaluationOptions& options);

}  // namespace joseki::shogi
