#pragma once

#include <span>

#include "engine/shogi/position.h"

// Terms of older programs that can be added to the evaluation individually. Each gives a number for
// a side in hundredths of a pawn, symmetric between colours; the difference counts. All are slow
// compared with the plain evaluation.
namespace joseki::shogi {

struct KnowledgeTerm {
  const char* name;
  int (*of)(const Position& position, Color side);
};

// Bit numbers in a set of terms.
enum KnowledgeBit : unsigned {
  kFormation,            // engine/shogi/eval/formations.h
  kFormationByStrategy,  // with provisional tables
  kCombination,          // hand-written, engine/shogi/eval/combinations.h
  kMinedCombination,     // from games
  kHandSeries,           // after YSS, engine/shogi/eval/yss_terms.h
  kKingNeighbours,
  kPins,
  kKingDistance,
  kKingDistanceObstructed,  // with what stands in a rook's way
  kEnteringKing,
  kVanguardPawns,
  kLanceMobility,  // engine/shogi/eval/tacos_terms.h
  kAttackedKinds,  // engine/shogi/eval/bonanza_terms.h
  kBishopPawns,
  kKingRegion,
  kKnowledgeBits,
};
std::span<const KnowledgeTerm> KnowledgeTerms();

// Sum of the terms in `set`, for the side to move.
int EvaluateKnowledge(const Position& position, unsigned set);

// Bonus of a first move, independent of its line (TACOS). The progress of the own formation counts,
// so that its moves are played in the order of the tables. Without it every order would be equal,
// as all end in one position. In the opening there are also rules, which tables cannot express.
// They give a bonus for answering the push of an edge pawn, and for guarding the square before the
// bishop. The guard counts once the other rook's pawn is on its fifth rank. They give a malus for
// giving up that guard, and for pushing the pawn in front of the castled king. `provisional`: as in
// FormationOf. REQUIRES: `move` is legal.
int FirstMoveGain(const Position& position, Move move, bool provisional = false);

}  // namespace joseki::shogi
