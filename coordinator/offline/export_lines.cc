#include "coordinator/offline/export_lines.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace joseki::coordinator {

ExportLines::ExportLines(const Rules& rules, const ExportBook& book) {
  const auto start = rules.Start("startpos", MatchRules{});
  if (!start.ok()) return;
  start_ = (*start)->packed();
  std::map<PackedPosition, const ExportBook::Position*> positions;
  for (const ExportBook::Position& position : book.positions) {
    positions.emplace(position.packed, &position);
  }
  came_by_.emplace(start_, std::pair(start_, Move()));
  std::deque<PackedPosition> open = {start_};
  std::vector<Move> moves;
  Expansion expansion;
  while (!open.empty()) {
    const PackedPosition here = open.front();
    open.pop_front();
    const auto at = positions.find(here);
    if (at == positions.end()) continue;
    moves.clear();
    for (const ExportBook::Move& move : at->second->moves) moves.push_back(move.move);
    if (!rules.Expand(here, moves, expansion).ok()) continue;
    for (size_t i = 0; i < moves.size(); ++i) {
      if (!expansion.children[i]) continue;
      const PackedPosition& next = expansion.children[i]->packed;
      if (came_by_.emplace(next, std::pair(here, moves[i])).second) open.push_back(next);
    }
  }
}

std::optional<std::vector<Move>> ExportLines::To(const PackedPosition& position) const {
  std::vector<Move> line;
  for (PackedPosition here = position; here != start_;) {
    const auto at = came_by_.find(here);
    if (at == came_by_.end()) return std::nullopt;
    line.push_back(at->second.second);
    here = at->second.first;
  }
  std::reverse(line.begin(), line.end());
  return line;
}

}  // namespace joseki::coordinator
