#include "coordinator/offline/export_lines.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>

#include "coordinator/offline/book_reach.h"

namespace joseki::coordinator {

ExportLines::ExportLines(const Rules& rules, const ExportBook& book) {
  const auto start = rules.Start("startpos", MatchRules{});
  if (!start.ok()) return;
  start_ = (*start)->packed();
  std::map<PackedPosition, const ExportBook::Position*> positions;
  for (const ExportBook::Position& position : book.positions) {
    positions.emplace(position.packed, &position);
  }
  came_by_.emplace(start_, Step{.from = start_});
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
    const std::vector<double> shares = PlayedShares(*at->second);
    const Step before = came_by_.at(here);
    for (size_t i = 0; i < moves.size(); ++i) {
      if (!expansion.children[i]) continue;
      const PackedPosition& next = expansion.children[i]->packed;
      const Step step{.from = here,
                      .move = moves[i],
                      .length = before.length + 1,
                      .chance = before.chance + std::log(shares[i])};
      const auto [known, is_new] = came_by_.emplace(next, step);
      if (is_new) {
        open.push_back(next);
      } else if (known->second.length == step.length && known->second.chance < step.chance) {
        known->second = step;
      }
    }
  }
}

std::optional<std::vector<Move>> ExportLines::To(const PackedPosition& position) const {
  std::vector<Move> line;
  for (PackedPosition here = position; here != start_;) {
    const auto at = came_by_.find(here);
    if (at == came_by_.end()) return std::nullopt;
    line.push_back(at->second.move);
    here = at->second.from;
  }
  std::reverse(line.begin(), line.end());
  return line;
}

}  // namespace joseki::coordinator
