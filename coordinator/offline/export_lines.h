#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The shortest line of a book's moves from the start position of the game to each of its positions;
// of several, that of the moves that the book lists first. In proportion to the book.
class ExportLines {
 public:
  ExportLines(const Rules& rules, const ExportBook& book);

  // Empty for the start position; nullopt where no line of the book leads.
  std::optional<std::vector<Move>> To(const PackedPosition& position) const;

 private:
  PackedPosition start_;
  // By position: the one before on its line, and the move that leads from there.
  std::map<PackedPosition, std::pair<PackedPosition, Move>> came_by_;
};

}  // namespace joseki::coordinator
