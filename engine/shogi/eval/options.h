#pragma once

#include <span>

#include "engine/core/number_option.h"

namespace joseki::shogi {

// Parts of the evaluation that are switched on. Every field is a number; a switch is 0 or 1. The
// defaults are what games have shown to be best (docs/laboratory/evaluation.md has the figures of
// each).
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
  int first_ply_bonus = 0;
};

using EvaluationOption = NumberOption<EvaluationOptions>;

// Every field once, in the order in which they are declared to a user.
std::span<const EvaluationOption> EvaluationOptionTable();

// The terms that are added to the evaluation: a set of KnowledgeBit
// (engine/shogi/eval/knowledge.h).
unsigned TermsOf(const EvaluationOptions& options);

}  // namespace joseki::shogi
