#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "book/formats/hashed_walk.h"
#include "book/formats/position.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// The book of Apery and dlshogi (docs/reference/formats.md): records of 16 bytes, sorted by a
// 64-bit hash of the position. The positions themselves are not stored. The book is therefore read
// by walking from known positions and looking each one up. The hash ignores the other side's hand,
// so only the rules tell a collision from a move.

struct AperyRecord {
  uint64_t key = 0;
  uint16_t move = 0;  // in the file's encoding
  uint16_t count = 0;
  int32_t score = 0;
  bool operator==(const AperyRecord&) const = default;
};

uint64_t AperyKey(const shogi::Position& position);

// True if `bytes` looks like such a book: whole records, ascending by key.
bool IsApery(std::string_view bytes);

// Gives each reached position, in the order of its distance, with ply 1 at a root. `unreached`
// receives the records of positions not reached, so that they can be kept. Fails as a whole if the
// bytes are no whole records ("bad_size"). Rejects single moves ("illegal_move").
absl::Status ReadApery(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink, std::vector<AperyRecord>* unreached);

// Records sorted by key, moves of a key in canonical order (Canonicalise), then `kept` unchanged.
// If a count exceeds 65535, all counts of its position are scaled down; none becomes 0 thereby.
std::string WriteApery(std::vector<DbPosition> positions, const std::vector<AperyRecord>& kept);

}  // namespace joseki::book
