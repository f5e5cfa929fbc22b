#pragma once

#include <array>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/core/value.h"
#include "engine/shogi/position.h"

// Knowledge of shogi's moves and positions that options of the search need.
namespace joseki::shogi {

// Number of squares beside the other king that pieces of `by` attack.
int KingPressure(const Position& position, Color by);

// Whether `move` takes an attacked rook or bishop, promoted or not, to a square where it is not
// attacked or is guarded. With `last`, the move before, only the piece that made it counts as the
// attacker. REQUIRES: `move` is legal.
bool EscapesAttack(const Position& position, Move move, Move last);

// Whether the quiet `move` meets `threat`, a move that the other side would play now. Such a move
// takes the threatened piece away, guards the square, or interposes.
bool Meets(const Position& position, Move move, Move threat);

// YSS's six kinds of defence against `threat`, a move that the other side would play now.
enum class Defence : uint8_t {
  kNone,
  kTakes,       // captures the piece that threatens
  kOccupies,    // takes the square to which the threat goes, for a drop the place that it needs
  kGuards,      // attacks that square
  kFlees,       // takes the threatened piece away
  kForestalls,  // stands between a slider and what it would attack once the threat is played
  kBlocks,      // stands between the slider that threatens and its target
};
// REQUIRES: `move` is legal.
Defence DefenceOf(const Position& position, Move move, Move threat);

// Bound that `move` hardly ever exceeds in improving the evaluation beyond material (Bonanza's
// Vdiff without material). A constant for a king's move; otherwise a constant plus the change of
// the king-piece term. REQUIRES: `move` is legal.
Value SwingAtMost(const Position& position, Move move);

// Categories of moves for the realisation probability: fourteen purposes times five piece classes.
// Ours, in the spirit of TACOS (purpose, check, promotion or drop, gain or loss).
inline constexpr int kMovePurposes = 14;
inline constexpr int kPieceClasses =
    5;  // pawn; lance, knight; silver, gold and their like; major; king
inline constexpr int kMoveCategories = kMovePurposes * kPieceClasses;
// `last`: the move before, or Move(). REQUIRES: `move` is legal.
int CategoryOf(const Position& position, Move move, Move last);

// Hashes of parts of the position, 32 bits each, the high ones best: hands, pawns, the first side's
// castle, the other's. A castle is a king with its silvers, golds and promoted pieces like golds.
std::array<uint32_t, 4> PartsOf(const Position& position);

// Progress of the game: weighted count of pieces in hand, promoted, and in the other camp. Ours.
int Progress(const Position& position);
inline constexpr int kStages = 4;  // opening, middle game, early and late endgame
int StageOf(const Position& position);

// Cost of a move of a category in a stage, in fractions of a ply, from the counts of transitions.h.
// It falls with the probability that masters choose a move of the category if there is one.
int TransitionCost(int stage, int category);

}  // namespace joseki::shogi
