#pragma once

#include <array>
#include <cstdint>

#include "engine/core/types.h"
#include "engine/xiangqi/position.h"

// Knowledge that single techniques of the search ask of xiangqi (Knowledge in engine/core/game.h).
namespace joseki::xiangqi {

// Squares of the palace beside the other side's king that `by` attacks.
int KingPressure(const Position& position, Color by);

// Whether the move takes a rook out of an attack, to a square that is not attacked or is guarded.
// The attacker is the piece that moved last where there is one.
bool EscapesAttack(const Position& position, Move move, Move last);

// Whether a quiet move meets a threat of the other side. Such a move goes away, guards the target,
// stands in a rook's or knight's way, or gives or takes a cannon its screen.
bool Meets(const Position& position, Move move, Move threat);

// Pawns, the guards of both kings, and the attacking pieces of both sides.
std::array<uint32_t, 4> PartsOf(const Position& position);

// Whether a pass proves something: with few attacking pieces left, having to move may be a burden
// (Ye's simple endgames).
bool MayPass(const Position& position);

}  // namespace joseki::xiangqi
