#include "coordinator/offline/book_reach.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace joseki::coordinator {
namespace {

using Position = ExportBook::Position;

// Lines may be cyclic. Rarer or longer ones than this do not change any order.
constexpr double kLeastMass = 1e-9;
constexpr int kMostPlies = 512;

// The successors of the book's positions, computed when lines first come there.
class Walk {
 public:
  Walk(const Rules& rules, const ExportBook& book) : rules_(rules), positions_(book.positions) {}

  struct Step {
    size_t to;
    double share;
  };
  const std::vector<Step>& From(size_t at) {
    const auto [found, is_new] = steps_.try_emplace(at);
    if (is_new) found->second = StepsFrom(positions_[at]);
    return found->second;
  }
  // The index of the position; positions_.size() if the book lacks it.
  size_t Find(const PackedPosition& packed) const {
    const auto at = std::lower_bound(positions_.begin(), positions_.end(), packed,
                                     [](const Position& position, const PackedPosition& wanted) {
                                       return position.packed < wanted;
                                     });
    return at != positions_.end() && at->packed == packed
               ? static_cast<size_t>(at - positions_.begin())
               : positions_.size();
  }

 private:
  std::vector<Step> StepsFrom(const Position& position) {
    std::vector<Move> moves;
    for (const ExportBook::Move& move : position.moves) moves.push_back(move.move);
    std::vector<Step> steps;
    // An invalid position has no successors.
    if (!rules_.Expand(position.packed, moves, expansion_).ok()) return steps;
    const std::vector<double> shares = PlayedShares(position);
    for (size_t i = 0; i < moves.size(); ++i) {
      if (!expansion_.children[i].has_value() || shares[i] == 0) continue;
      const size_t to = Find(expansion_.children[i]->packed);
      if (to != positions_.size()) steps.push_back({to, shares[i]});
    }
    return steps;
  }

  const Rules& rules_;
  const std::vector<Position>& positions_;
  std::unordered_map<size_t, std::vector<Step>> steps_;
  Expansion expansion_;
};

}  // namespace

std::vector<double> PlayedShares(const ExportBook::Position& position) {
  std::vector<double> shares(position.moves.size());
  const auto fill = [&](auto amount) {
    double sum = 0;
    for (size_t i = 0; i < shares.size(); ++i) {
      shares[i] = static_cast<double>(std::max<int64_t>(0, amount(position.moves[i])));
      sum += shares[i];
    }
    for (double& share : shares) share /= sum > 0 ? sum : 1;
    return sum > 0;
  };
  if (!fill([](const ExportBook::Move& move) { return move.prior; }) &&
      !fill([](const ExportBook::Move& move) { return move.games + move.book_count; })) {
    fill([](const ExportBook::Move&) { return int64_t{1}; });
  }
  return shares;
}

std::vector<double> ReachOf(const Rules& rules, const ExportBook& book) {
  std::vector<double> reach(book.positions.size());
  const auto start = rules.Start("startpos", {});
  if (!start.ok()) return reach;
  Walk walk(rules, book);
  std::map<size_t, double> here;
  if (const size_t first = walk.Find((*start)->packed()); first != reach.size()) here[first] = 1;
  for (int ply = 0; ply < kMostPlies && !here.empty(); ++ply) {
    std::map<size_t, double> next;
    for (const auto& [at, mass] : here) {
      reach[at] = std::min(1.0, reach[at] + mass);
      for (const Walk::Step& step : walk.From(at)) {
        if (mass * step.share >= kLeastMass) next[step.to] += mass * step.share;
      }
    }
    here = std::move(next);
  }
  return reach;
}

}  // namespace joseki::coordinator
