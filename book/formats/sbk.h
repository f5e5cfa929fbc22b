#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// ShogiGUI's book (docs/reference/formats.md): states that name their moves and where those lead.
// Only roots store a position; the others follow from the moves.

// True if `bytes` are such a book: text that names its maker, and states, to their last byte.
bool IsSbk(std::string_view bytes);

// Gives each position that has moves, in the order of its distance from a root; a position of
// several states comes several times. The count of a move is its weight, 0 for one that is not to
// be played. Fails as a whole ("bad_wire", with the byte) if the bytes are no fields. Rejected are
// states that no root leads to ("unreached_state"), roots ("bad_position" and ParseSfen's codes)
// and moves ("illegal_move", "bad_state": its target state does not exist; the move is kept); the
// line of a problem is the number of the state, from 1. Lost: games and wins of states,
// evaluations, comments, marks.
absl::Status ReadSbk(std::string_view bytes, std::string_view file, const DbSink& sink);

// The canonical form (Canonicalise): states in the order of their distance from the start position,
// then from the other positions that nothing leads to; weights as counts, 2^31 - 1 at most.
// A position outside the book that a move leads to is a state without moves.
std::string WriteSbk(std::vector<DbPosition> positions);

}  // namespace joseki::book
