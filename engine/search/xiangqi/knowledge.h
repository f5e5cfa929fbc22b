#pragma once

#include <array>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

// Knowledge of xiangqi that single techniques of the search need (Knowledge in engine/core/game.h).
namespace joseki::xiangqi {

// Number of squares in the palace beside the other side's king that `by` attacks.
int KingPressure(const Position& position, Color by);

// Whether the move takes an attacked rook to a square where it is not attacked or is guarded. With
// `last` only the piece that moved last counts as the attacker.
bool EscapesAttack(const Position& position, Move move, Move last);

// Whether a quiet move meets a threat of the other side. Such a move goes away, guards the target,
// blocks a rook or knight, or adds or removes a cannon's screen.
bool Meets(const Position& position, Move move, Move threat);

// Hashes of the pawns, the guards of both kings, and each side's attacking pieces.
std::array<uint32_t, 4> PartsOf(const Position& position);

// Whether a pass gives a bound: not with few attacking pieces left, where zugzwang is possible
// (Ye's simple endgames).
bool MayPass(const Position& position);

}  // namespace joseki::xiangqi
