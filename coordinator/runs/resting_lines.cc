#include "coordinator/runs/resting_lines.h"

#include <utility>

namespace joseki::coordinator {

void RestingLines::Count(std::vector<Move> line, Result result) {
  if (result == Result::kDraw) {
    if (++drawn_[std::move(line)] == draws_to_rest_) ++resting_;
    return;
  }
  const auto at = drawn_.find(line);
  if (at == drawn_.end()) return;
  if (at->second >= draws_to_rest_) --resting_;
  drawn_.erase(at);
}

bool RestingLines::Rests(const std::vector<Move>& line) const {
  const auto at = drawn_.find(line);
  return at != drawn_.end() && at->second >= draws_to_rest_;
}

std::vector<RestingLine> RestingLines::Some(size_t most) const {
  std::vector<RestingLine> lines;
  for (const auto& [line, draws] : drawn_) {
    if (lines.size() == most) break;
    if (draws >= draws_to_rest_) lines.push_back({line, draws});
  }
  return lines;
}

void RestingLines::Clear() {
  drawn_.clear();
  resting_ = 0;
}

}  // namespace joseki::coordinator
