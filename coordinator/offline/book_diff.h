#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "book/formats/book_file.h"
#include "book/formats/position.h"
#include "coordinator/offline/exporter.h"
#include "engine/core/types.h"

namespace joseki::coordinator {

// A move on which two books differ, with either book's entry.
struct MoveDiff {
  Move move;
  std::optional<ExportBook::Move> before;  // nullopt: not in that book
  std::optional<ExportBook::Move> after;
};

// A position on which they differ.
struct PositionDiff {
  PackedPosition packed;
  int ply = 1;
  bool in_before = false;
  bool in_after = false;
  bool answer_changed = false;  // in both books, with different answers
  int64_t games = 0;            // through the position, in the book that has more of them
  double reach = 0;             // chance that lines come here, in the book where it is larger
  // The difference of the answers in score, by the later book if it has both; 0 for a position of
  // one book.
  double change = 0;
  std::vector<MoveDiff> moves;  // ascending by raw(): those that differ, and both answers if they
                                // differ
};

// The order of positions with another answer, descending: by reach, by the difference of the
// answers in score, or by the product.
enum class DiffOrder { kReach, kDifference, kBoth };

struct BookDiff {
  int64_t same_positions = 0;
  int64_t only_before = 0;
  int64_t only_after = 0;
  int64_t changed_answers = 0;
  int64_t changed_moves = 0;  // in positions of both: added, removed, or with another weight, count
                              // or mark
  // Most important first: changed answers, among these the start position's. Then by the requested
  // order, by reach and by games, all descending; then ascending by packed form.
  std::vector<PositionDiff> positions;
};

// The reach of the positions of both books (ReachOf); empty: unknown.
struct Reaches {
  PackedPosition start;
  std::vector<double> before;
  std::vector<double> after;
};

// The changes that turn `before` into `after`. Weights of two runs, or of a run and its book, have
// different scales: if `weights` is false they are shown and not compared.
BookDiff Diff(const ExportBook& before, const ExportBook& after, bool weights,
              const Reaches& reaches = {}, DiffOrder order = DiffOrder::kBoth);

// A book of another program's format, for comparisons; its data are values and counts alone. The
// answer is the move that the format's program plays most often (ChoiceBy of
// book/formats/reader.h), and among equals the one with the best value, then the largest count, as
// where that book was imported.
ExportBook ExportOfPositions(std::vector<book::DbPosition> positions, book::BookFormat format);

}  // namespace joseki::coordinator
