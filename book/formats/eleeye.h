#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/position.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// ElephantEye's BOOK.DAT for xiangqi (docs/reference/formats.md): records of 8 bytes, sorted by a
// 32-bit hash of the position, the lock. Positions are not stored, so the book is read by walking,
// as Apery's is. For a position without records the mirror image (files exchanged) is looked up.

uint32_t EleeyeLock(const xiangqi::Position& position);

// True if `bytes` looks like such a book: whole records ascending by lock, each with a move between
// two squares of the board.
bool IsEleeye(std::string_view bytes);

// Gives each position reached from the start, in the order of its distance; weights become counts.
// Rejects records whose position is not reached ("unreached_position"), and illegal moves of
// positions that have legal ones ("illegal_move"). Fails as a whole if the bytes are no whole
// records ("bad_size").
absl::Status ReadEleeye(std::string_view bytes, std::string_view file, const DbSink& sink);

// Records sorted by lock, the moves of a position by weight. If a count exceeds 65535, all counts
// of its position are scaled down; none becomes 0 thereby. A position whose lock is already taken
// is omitted, because its moves could not be told apart from the other's.
std::string WriteEleeye(std::vector<DbPosition> positions);

}  // namespace joseki::book
