#include "engine/xiangqi/eval/options.h"

namespace joseki::xiangqi {
namespace {

constexpr EvaluationOption kOptions[] = {
    {"Development", &EvaluationOptions::development, 0, 1,
     "adds what rooks, knights and cannons off their starting points are worth in the opening"},
    {"PassedPawns", &EvaluationOptions::passed_pawns, 0, 1,
     "adds what pawns across the river with nothing ahead but the king are worth"},
    {"OpeningRules", &EvaluationOptions::opening_rules, 0, 1,
     "C. Ye's penalties of a root move: one piece twice, a pawn for a cannon without check, a king "
     "that leaves a cannon's line"},
};

}  // namespace

std::span<const EvaluationOption> EvaluationOptionTable() { return kOptions; }

}  // namespace joseki::xiangqi
