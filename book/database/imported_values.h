#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"

namespace joseki::book {

// Values of a move from imported books and engines when a run was created: centipawns for the side
// that plays the move, and their depth.
struct ImportedValue {
  static constexpr int16_t kNone = -32768;  // nothing is known; so do books before 2023 say it
  static constexpr int kMost = 32'000;      // what is larger, either way, is held there

  int16_t score = kNone;
  uint16_t depth = 0;  // 0: not told

  bool known() const { return score != kNone; }
  bool operator==(const ImportedValue&) const = default;
};

// One an edge of the run's book; empty: none says anything. Frozen with the run: a row of the
// database, never changed.
using ImportedValues = std::vector<ImportedValue>;

// The moves that are known, in 8 bytes each: edge (4), score (2), depth (2), little-endian,
// ascending by edge. And back: DataLoss "bad_row" where they are not that.
std::string Encode(const ImportedValues& values);
absl::StatusOr<ImportedValues> DecodeImportedValues(std::string_view bytes, size_t edges);

// Positions where all known values are 0 say nothing: many books have no values, and write 0.
void DropEmpty(const book::Graph& graph, ImportedValues& values);

// The move with the largest value at the position; of equals the one with the larger base weight,
// then the first. kNoEdge where the values say nothing.
book::EdgeId BestImported(const book::Graph& graph, const ImportedValues& values,
                          book::NodeId node);

}  // namespace joseki::book
