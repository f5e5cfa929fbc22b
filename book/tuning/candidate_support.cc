#include "book/tuning/candidate_support.h"

#include <algorithm>
#include <optional>

namespace joseki::book {

void CandidateSupport::Confirm(uint32_t source, uint32_t again, uint32_t worker) {
  witnesses_.Add(again, worker);
  witnesses_.Confirm(source, again);
}

void CandidateSupport::ConfirmMove(const Key& position, Move move, uint32_t source,
                                   uint32_t again) {
  confirmations_[position].push_back({move, source, again});
}

void CandidateSupport::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  witnesses_.Distrust(distrusted);
}

bool CandidateSupport::IsSupported(const RepertoireNode& node,
                                   const RepertoireNode::Candidate& candidate) const {
  if (trusting_ || !witnesses_.several()) return true;
  std::optional<uint32_t> first;
  const auto is_second = [&](uint32_t source) {
    const std::optional<uint32_t> worker = witnesses_.WorkerOf(source);
    if (!worker) return false;
    if (witnesses_.vouched_for(*worker)) return true;
    if (!first) first = worker;
    return *worker != *first;
  };
  for (const RepertoireNode::Search& search : node.searches) {
    if (search.move != candidate.move || !search.centipawns) continue;
    if (is_second(search.source)) return true;
  }
  for (const RepertoireNode::Tally::Part& part : candidate.tally.by_source) {
    if (is_second(part.source)) return true;
  }
  const auto at = confirmations_.find(node.key);
  if (at == confirmations_.end()) return false;
  return std::any_of(at->second.begin(), at->second.end(), [&](const Confirmation& confirmed) {
    if (confirmed.move != candidate.move) return false;
    if (!witnesses_.WorkerOf(confirmed.source) || !witnesses_.WorkerOf(confirmed.again))
      return false;
    return is_second(confirmed.source) || is_second(confirmed.again);
  });
}

}  // namespace joseki::book
