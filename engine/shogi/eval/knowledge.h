#pragma once

#include <span>

#include "engine/shogi/position.h"

// Terms of the older programs that can be put on top of the evaluation, one by one. Each is a
// number for a side, in hundredths of a pawn, the same for both colours seen from their own side;
// what counts is the difference. All are slow beside the plain evaluation.
namespace joseki::shogi {

struct KnowledgeTerm {
  const char* name;
  int (*of)(const Position& position, Color side);
};

// Bit i of a set of terms is the i-th of these.
enum KnowledgeBit : unsigned {
  kFormation,         // engine/shogi/eval/formations.h
  kCombination,       // by hand, engine/shogi/eval/combinations.h
  kMinedCombination,  // from games
  kHandSeries,        // YSS's, engine/shogi/eval/yss_terms.h
  kKingNeighbours,
  kPins,
  kKingDistance,
  kEnteringKing,
  kVanguardPawns,
  kKnowledgeBits,
};
std::span<const KnowledgeTerm> KnowledgeTerms();

// The sum of the terms in `set`, from the side to move.
int EvaluateKnowledge(const Position& position, unsigned set);

// What a first move has for itself beside its line (TACOS): how far it brings the own formation on,
// so that moves come in the order that the tables want though every order ends alike; a bonus for
// answering the push of an edge pawn, which tables are blind to, and a malus for pushing the pawn
// before the own castled king in the opening. REQUIRES: `move` is legal.
int FirstMoveGain(const Position& position, Move move);

}  // namespace joseki::shogi
