#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// ElephantEye's BOOK.DAT (docs/reference/formats.md), of xiangqi: records of 8 bytes, sorted by a
// 32-bit hash of the position, the lock, which stands nowhere itself. So it is read by walking, as
// Apery's. A position that has no records is looked up once more left and right exchanged.

uint32_t EleeyeLock(const xiangqi::Position& position);

// True if `bytes` look like such a book: whole records in the order of their locks, each with a
// move between two squares of the board.
bool IsEleeye(std::string_view bytes);

// Gives each position that is reached from the start, in the order of its distance; weights are
// counts. Rejected are records whose position is not reached ("unreached_position") and moves that
// are not legal, where others are ("illegal_move"). Fails as a whole if the bytes are no whole
// records ("bad_size").
absl::Status ReadEleeye(std::string_view bytes, std::string_view file, const DbSink& sink);

// Sorted by lock, the moves of a position by weight. Counts above 65535 are scaled down together
// for a whole position, and none becomes 0 by it. A position whose lock another one has is left
// out, since their moves could not be told apart.
std::string WriteEleeye(std::vector<DbPosition> positions);

}  // namespace joseki::book
