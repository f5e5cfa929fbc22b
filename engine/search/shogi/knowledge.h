#pragma once

#include <array>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/shogi/position.h"

// Knowledge of shogi about moves and positions that options of the search ask for.
namespace joseki::shogi {

// Squares beside the other king that pieces of `by` attack.
int KingPressure(const Position& position, Color by);

// Whether `move` takes a rook or bishop, promoted or not, that is attacked to
// where it is not or is guarded. With `last`, the move before, only the piece
// that made it counts as the attacker. REQUIRES: `move` is legal.
bool EscapesAttack(const Position& position, Move move, Move last);

// Whether the quiet `move` meets `threat`, which the other side would play now. Such a move goes
// away with the threatened piece, guards the square, or stands between.
bool Meets(const Position& position, Move move, Move threat);

// Bound that `move` hardly ever exceeds in changing the evaluation for the better, besides its
// material (Bonanza's Vdiff without that). For a king's move it is a constant; for another a
// constant and its change of the king-piece term. REQUIRES: `move` is legal.
Value SwingAtMost(const Position& position, Move move);

// Classes of moves for the realisation probability: fourteen purposes times
// five kinds of piece. Ours, in the spirit of TACOS (purpose, check, promotion
// or drop, gain or loss).
inline constexpr int kMovePurposes = 14;
inline constexpr int kPieceClasses =
    5;  // pawn; lance, knight; silver, gold and their like; major; king
inline constexpr int kMoveCategories = kMovePurposes * kPieceClasses;
// `last`: the move before, or none. REQUIRES: `move` is legal.
int CategoryOf(const Position& position, Move move, Move last);

// Parts, mixed to 32 bits each, the upper ones best: the hands, the pawns, the first side's castle,
// the other's. A castle is a king with its golds, promoted pieces like them and silvers.
std::array<uint32_t, 4> PartsOf(const Position& position);

// Progress of the game: pieces in hand, promoted and in the other camp, weighted. Ours.
int Progress(const Position& position);
inline constexpr int kStages = 4;  // opening, middle game, early and late endgame
int StageOf(const Position& position);

// Cost of a move of a category in a stage, in parts of a ply, from the counts of transitions.h. It
// is the less the likelier masters choose one of the category where there is one.
int TransitionCost(int stage, int category);

}  // namespace joseki::shogi
