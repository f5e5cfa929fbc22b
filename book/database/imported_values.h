#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"

namespace joseki::book {

// Value of a move from imported books and engines when a run was created: centipawns for the side
// that plays the move, and depth.
struct ImportedValue {
  static constexpr int16_t kNone = -32768;  // unknown; books from before 2023 use this value too
  static constexpr int kMost = 32'000;      // larger magnitudes are clamped to this

  int16_t score = kNone;
  uint16_t depth = 0;  // 0: unknown

  bool known() const { return score != kNone; }
  bool operator==(const ImportedValue&) const = default;
};

// One entry for each edge of the run's book; empty if no value is known. Stored with the run in a
// row of the database that never changes.
using ImportedValues = std::vector<ImportedValue>;

// The known values in 8 bytes each: edge (4), score (2), depth (2), little-endian, ascending by
// edge. Decode is the inverse; DataLoss "bad_row" for any other bytes.
std::string Encode(const ImportedValues& values);
absl::StatusOr<ImportedValues> DecodeImportedValues(std::string_view bytes, size_t edges);

// Drops values of positions where all known values are 0: many books have no values and write 0.
void DropEmpty(const book::Graph& graph, ImportedValues& values);

// The move with the largest value at the position; among equals that with the larger base weight,
// then the first. kNoEdge if no value is known.
book::EdgeId BestImported(const book::Graph& graph, const ImportedValues& values,
                          book::NodeId node);

}  // namespace joseki::book
