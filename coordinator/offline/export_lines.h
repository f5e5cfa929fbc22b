#pragma once

#include <map>
#include <optional>
#include <vector>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The shortest line of a book's moves from the start position of the game to each of its positions;
// of several, the likeliest by the shares of its moves (PlayedShares of book_reach.h), then that of
// the moves that the book lists first. In proportion to the book.
class ExportLines {
 public:
  ExportLines(const Rules& rules, const ExportBook& book);

  // Empty for the start position; nullopt where no line of the book leads.
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
  std::map<PackedPosition, Step> came_by_;  // by where it leads
};

}  // namespace joseki::coordinator
