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
// 64-bit hash of the position, which stands nowhere itself. So it is read by walking from known
// positions and asking for every one that comes up; the hash leaves out the other side's hand, and
// only the rules tell a collision from a move.

struct AperyRecord {
  uint64_t key = 0;
  uint16_t move = 0;  // in the file's own form
  uint16_t count = 0;
  int32_t score = 0;
  bool operator==(const AperyRecord&) const = default;
};

uint64_t AperyKey(const shogi::Position& position);

// True if `bytes` look like such a book: whole records, in the order of their keys.
bool IsApery(std::string_view bytes);

// Gives each position that is reached, in the order of its distance, ply 1 at a root. `unreached`
// gets the records of positions that were not, so that they need not be lost. Fails as a whole if
// the bytes are no whole records ("bad_size"). Rejected are moves ("illegal_move").
absl::Status ReadApery(std::string_view bytes, std::string_view file, const HashedWalk& walk,
                       const DbSink& sink, std::vector<AperyRecord>* unreached);

// Sorted by key, moves of a key as in the canonical form (Canonicalise), then `kept` as they are.
// Counts above 65535 are scaled down together for a whole position, and none becomes 0 by it.
std::string WriteApery(std::vector<DbPosition> positions, const std::vector<AperyRecord>& kept);

}  // namespace joseki::book
