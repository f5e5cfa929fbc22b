#include "engine/shogi/eval/options.h"

#include "engine/shogi/eval/knowledge.h"

namespace joseki::shogi {
namespace {

constexpr EvaluationOption kOptions[] = {
    {"LearnedEvaluation", &EvaluationOptions::learned_evaluation, 0, 1,
     "evaluates by what was learned; else by the plain evaluation"},
    {"Formation", &EvaluationOptions::formation, 0, 2,
     "adds TACOS's tables for making and judging castles to the evaluation; 2: and provisional "
     "ones "
     "by both sides' strategies where no castle is near"},
    {"Combination", &EvaluationOptions::combination, 0, 3,
     "adds what pieces are worth together: by hand (1), mined from games (2), both (3)"},
    {"HandSeries", &EvaluationOptions::hand_series, 0, 1,
     "adds YSS's series: the more of a kind in hand, the less another"},
    {"KingNeighbours", &EvaluationOptions::king_neighbours, 0, 1,
     "adds YSS's table of the squares beside the king"},
    {"Pins", &EvaluationOptions::pins, 0, 1, "adds what pinned pieces cost"},
    {"KingDistance", &EvaluationOptions::king_distance, 0, 2,
     "adds YSS's tables of distances to both kings; 2: a rook gains less by obstacles on its way"},
    {"EnteringKing", &EvaluationOptions::entering_king, 0, 1,
     "adds what a king is worth that goes to the other camp to declare"},
    {"VanguardPawns", &EvaluationOptions::vanguard_pawns, 0, 1,
     "adds YSS's terms of the opening for pawns ahead, the rook's file and the king's"},
    {"LanceMobility", &EvaluationOptions::lance_mobility, 0, 1,
     "adds the squares that lances can go to, as TACOS has them"},
    {"AttackedKinds", &EvaluationOptions::attacked_kinds, 0, 1,
     "adds what lances, knights, bishops and rooks attack, a group of Bonanza's"},
    {"BishopPawns", &EvaluationOptions::bishop_pawns, 0, 1,
     "adds what pawns on the own bishop's squares cost, a group of Bonanza's"},
    {"KingRegion", &EvaluationOptions::king_region, 0, 1,
     "adds the attacks on the 25 squares round a king, a group of Bonanza's"},
    {"FirstPlyBonus", &EvaluationOptions::first_ply_bonus, 0, 64,
     "eighths of what a root move gains for the formation at once; 0: off"},
};

}  // namespace

std::span<const EvaluationOption> EvaluationOptionTable() { return kOptions; }

unsigned TermsOf(const EvaluationOptions& options) {
  unsigned set = 0;
  const auto add = [&](KnowledgeBit bit, bool on) { set |= on ? 1U << bit : 0; };
  add(kFormation, options.formation == 1);
  add(kFormationByStrategy, options.formation == 2);
  add(kCombination, (options.combination & 1) != 0);
  add(kMinedCombination, (options.combination & 2) != 0);
  add(kHandSeries, options.hand_series != 0);
  add(kKingNeighbours, options.king_neighbours != 0);
  add(kPins, options.pins != 0);
  add(kKingDistance, options.king_distance == 1);
  add(kKingDistanceObstructed, options.king_distance == 2);
  add(kEnteringKing, options.entering_king != 0);
  add(kVanguardPawns, options.vanguard_pawns != 0);
  add(kLanceMobility, options.lance_mobility != 0);
  add(kAttackedKinds, options.attacked_kinds != 0);
  add(kBishopPawns, options.bishop_pawns != 0);
  add(kKingRegion, options.king_region != 0);
  return set;
}

}  // namespace joseki::shogi
