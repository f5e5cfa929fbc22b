#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// A move that two books do not agree on, with what either says of it.
struct MoveDiff {
  Move move;
  std::optional<ExportBook::Move> before;  // nullopt: that book has no such move
  std::optional<ExportBook::Move> after;
};

// A position that they do not agree on.
struct PositionDiff {
  PackedPosition packed;
  int ply = 1;
  bool in_before = false;
  bool in_after = false;
  bool answer_changed = false;  // in both, with different answers
  int64_t games = 0;            // through the position, in the book that knows more of them
  double reach = 0;             // how likely lines come here, in the book where they do more
  // By how much of the score the answers differ, by the later book where it knows both; 0 for a
  // position that only one book has.
  double change = 0;
  std::vector<MoveDiff> moves;  // ascending by raw(): that differ, and both answers if they do
};

// By what the positions with another answer are ordered, descending: how likely lines come there,
// by how much of the score the answers differ, or the product of both.
enum class DiffOrder { kReach, kDifference, kBoth };

struct BookDiff {
  int64_t same_positions = 0;
  int64_t only_before = 0;
  int64_t only_after = 0;
  int64_t changed_answers = 0;
  int64_t changed_moves = 0;  // of positions in both: added, taken away, or of another weight,
                              // count or mark
  // What matters most first: changed answers, of these the start position's, then by the order
  // asked for, by reach and by games, all descending; then ascending by packed form.
  std::vector<PositionDiff> positions;
};

// How likely lines come to the positions of either book (ReachOf); empty: not known.
struct Reaches {
  PackedPosition start;
  std::vector<double> before;
  std::vector<double> after;
};

// What it takes to make `after` of `before`. Weights of two runs, or of a run and its book, are on
// their own scales: where `weights` is false they are shown and not compared.
BookDiff Diff(const ExportBook& before, const ExportBook& after, bool weights,
              const Reaches& reaches = {}, DiffOrder order = DiffOrder::kBoth);

// A book of another program's format, to compare with: its values and counts are all that it says.
// The answer is what the program that the format was made for plays most often (ChoiceBy of
// book/formats/reader.h), of equals the one with the best value.
ExportBook ExportOfPositions(std::vector<book::DbPosition> positions, book::BookFormat format);

}  // namespace joseki::coordinator
