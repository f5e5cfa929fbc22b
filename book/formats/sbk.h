#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"

namespace joseki::book {

// ShogiGUI's book (docs/reference/formats.md): states that list their moves and the states these
// lead to. Only roots store a position; the others follow from the moves.

// True if `bytes` is such a book: a string naming its author and states, up to the last byte.
bool IsSbk(std::string_view bytes);

// Gives each position that has moves, in the order of its distance from a root; a position of
// several states comes several times. A move's count is its weight, 0 for one that is not to be
// played. Fails as a whole ("bad_wire", with the byte) if the bytes are malformed. Rejects
// unreached states ("unreached_state"), roots ("bad_position" and ParseSfen's codes) and moves
// ("illegal_move"). "bad_state" reports a move whose target does not exist; the move is kept. A
// problem's line is the number of the state, from 1. Dropped: games and wins of states,
// evaluations, comments, marks.
absl::Status ReadSbk(std::string_view bytes, std::string_view file, const DbSink& sink);

// Writes the canonical form (Canonicalise). States are in the order of their distance from the
// start position, then from other positions that no move leads to. Weights are the counts, clamped
// to 2^31 - 1. A position outside the book that a move leads to becomes a state without moves.
std::string WriteSbk(std::vector<DbPosition> positions);

}  // namespace joseki::book
