#include "book/tuning/repertoire_node.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "book/tuning/choosing.h"

namespace joseki::book {
namespace {

// The newest matching one among the last entries; the end if none matches. A source usually returns
// soon; one that returns later gets another entry.
template <typename Entry, typename Matches>
typename std::vector<Entry>::iterator Recent(std::vector<Entry>& entries, const Matches& matches) {
  constexpr size_t kRecent = 32;
  const auto end =
      entries.rbegin() + static_cast<std::ptrdiff_t>(std::min(entries.size(), kRecent));
  const auto at = std::find_if(entries.rbegin(), end, matches);
  return at == end ? entries.end() : std::prev(at.base());
}

}  // namespace

void RepertoireNode::Tally::Add(double score, uint32_t source) {
  trials += 1;
  sum += score;
  squares += score * score;
  const auto at = Recent(by_source, [&](const Part& earlier) { return earlier.source == source; });
  Part& part = at == by_source.end() ? by_source.emplace_back(Part{source}) : *at;
  part.trials += 1;
  part.sum += score;
  part.squares += score * score;
}

void RepertoireNode::Tally::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  trials = 0;
  sum = 0;
  squares = 0;
  for (const Part& part : by_source) {
    if (distrusted(part.source)) continue;
    trials += part.trials;
    sum += part.sum;
    squares += part.squares;
  }
}

void RepertoireNode::Replies::Count(Move move, uint32_t times) {
  trusted += times;
  const auto at = std::find_if(moves.begin(), moves.end(),
                               [&](const Times& known) { return known.move == move; });
  if (at == moves.end()) {
    moves.push_back({move, times});
  } else {
    at->times += times;
  }
}

void RepertoireNode::Replies::Add(Move move, uint32_t source) {
  Count(move, 1);
  const auto at =
      Recent(all, [&](const Seen& seen) { return seen.source == source && seen.move == move; });
  if (at == all.end()) {
    all.push_back({move, source, 1});
  } else {
    ++at->times;
  }
}

void RepertoireNode::Replies::Distrust(const std::function<bool(uint32_t source)>& distrusted) {
  trusted = 0;
  moves.clear();
  for (const Seen& seen : all) {
    if (!distrusted(seen.source)) Count(seen.move, seen.times);
  }
}

std::optional<Move> RepertoireNode::Replies::Sample(Rng& rng) const {
  if (trusted == 0) return std::nullopt;
  const auto times = [this](size_t i) { return static_cast<double>(moves[i].times); };
  return moves[ChooseInProportion(moves.size(), rng, times)].move;
}

RepertoireNode::Candidate* RepertoireNode::Find(Move move) {
  const auto at = std::find_if(candidates.begin(), candidates.end(),
                               [&](const Candidate& known) { return known.move == move; });
  return at == candidates.end() ? nullptr : &*at;
}

RepertoireNode::Candidate& RepertoireNode::FindOrAdd(Move move) {
  Candidate* const known = Find(move);
  return known != nullptr ? *known : candidates.emplace_back(Candidate{.move = move});
}

RepertoireNode::Replies& RepertoireNode::RepliesSince(uint32_t searched_from, uint64_t limit) {
  // An opponent that searches from ply 0 or 1 has had no book.
  const bool had_book = searched_from >= 2;
  const auto at = std::find_if(replies.begin(), replies.end(), [&](const Replies& known) {
    return known.had_book == had_book && known.nodes == limit;
  });
  if (at != replies.end()) return *at;
  Replies& added = replies.emplace_back();
  added.had_book = had_book;
  added.nodes = limit;
  return added;
}

uint32_t* RepertoireNode::InFlight(const LineTask& task) {
  switch (task.kind) {
    case TaskKind::kAnswer:
      return &in_flight;
    case TaskKind::kReply:
      return &RepliesSince(task.searched_from, task.nodes).in_flight;
    case TaskKind::kTrial:
      break;
  }
  return nullptr;
}

size_t RepertoireNode::CountingCandidates() const {
  return static_cast<size_t>(
      std::count_if(candidates.begin(), candidates.end(),
                    [](const Candidate& candidate) { return candidate.counts(); }));
}

double RepertoireNode::trials() const {
  double all = 0;
  for (const Candidate& candidate : candidates) all += candidate.tally.trials;
  return all;
}

uint64_t RepertoireNode::Worth(const RepertoireRules& rules, bool patient) const {
  const double heard = rules.heard_trials / (rules.heard_trials + trials());
  const double least = patient ? static_cast<double>(rules.patient_answers) : 1;
  const double worth = static_cast<double>(rules.least_nodes) * std::max(least, lines * heard);
  return static_cast<uint64_t>(std::min(static_cast<double>(rules.most_nodes), worth));
}

uint32_t RepertoireNode::WantedSamples(const RepertoireRules& rules, bool patient) const {
  const double part = patient ? rules.patient : 1 - rules.patient;
  const auto root = static_cast<uint32_t>(std::sqrt(part * passed));
  return std::min(rules.replies, 1 + root);
}

uint32_t RepertoireNode::WantedCandidates(const RepertoireRules& rules) const {
  const auto more = static_cast<uint32_t>(std::log2(1 + trials() / rules.widening));
  return std::min(rules.candidates, 1 + more);
}

}  // namespace joseki::book
