#include "coordinator/runs/move_origin.h"

#include <algorithm>

namespace joseki::coordinator {

std::string_view Name(MoveOrigin origin) {
  switch (origin) {
    case MoveOrigin::kSearch:
      return "search";
    case MoveOrigin::kCandidate:
      return "candidate";
    case MoveOrigin::kBook:
      break;
  }
  return "book";
}

std::string_view Name(DecidedBy decided) {
  switch (decided) {
    case DecidedBy::kEngine:
      return "engine";
    case DecidedBy::kTrials:
      return "trials";
    case DecidedBy::kSearches:
      return "searches";
    case DecidedBy::kGames:
      return "games";
    case DecidedBy::kValue:
      return "value";
    case DecidedBy::kWeight:
      break;
  }
  return "weight";
}

MoveOrigin OriginOf(const book::Repertoire::Answer& candidate) {
  return candidate.chosen ? MoveOrigin::kSearch : MoveOrigin::kCandidate;
}

DecidedBy DecidedAmong(std::span<const book::Repertoire::Answer> candidates) {
  if (candidates.front().chosen) return DecidedBy::kEngine;
  const bool tried = std::any_of(candidates.begin(), candidates.end(),
                                 [](const auto& candidate) { return candidate.trials > 0; });
  return tried ? DecidedBy::kTrials : DecidedBy::kSearches;
}

DecidedBy DecidedAt(const BookAnswer& answer, book::NodeId node, const book::Choices& choices) {
  if (!answer.Untouched(node, choices)) {
    return std::any_of(choices.arms.begin(), choices.arms.end(),
                       [](const book::Arm& arm) { return arm.evidence.games() > 0; })
               ? DecidedBy::kGames
               : DecidedBy::kSearches;
  }
  return book::BestImported(answer.graph, answer.imported, node) == book::kNoEdge
             ? DecidedBy::kWeight
             : DecidedBy::kValue;
}

}  // namespace joseki::coordinator
