#pragma once

#include <map>
#include <optional>
#include <vector>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The shortest line of a book's moves from the start position of the game to each of its positions.
// Among several it is the likeliest by the shares of its moves (PlayedShares of book_reach.h), then
// the one whose moves the book lists first. Time and memory are proportional to the book.
class ExportLines {
 public:
  ExportLines(const Rules& rules, const ExportBook& book);

  // Empty for the start position; nullopt if no line of the book leads there.
  std::optional<std::vector<Move>> To(const PackedPosition& position) const;

 private:
  // The last step of a line.
  struct Step {
    PackedPosition from;
    Move move;
    int length = 0;     // of the line
    double chance = 0;  // of the line, as a logarithm
  };

  PackedPosition start_;
  std::map<PackedPosition, Step> came_by_;  // by the position that it leads to
};

}  // namespace joseki::coordinator
