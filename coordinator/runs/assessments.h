#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "book/database/imported_values.h"
#include "book/graph.h"
#include "book/tuning/policy.h"
#include "book/tuning/prior_model.h"
#include "book/tuning/values.h"
#include "coordinator/model/prior_set.h"

namespace joseki::coordinator {

// The searches of one position that stand.
struct Assessment {
  enum class By : uint8_t { kNobody, kOwnProfile, kOlderProfile };
  By by = By::kNobody;  // nobody: also where the engine gave no score
  int16_t score = 0;    // for the side to move
};

// The searches of a run's positions at one moment, without who made them: a value, quickly copied,
// from which priors follow. Immutable but for its owner's.
struct Assessments {
  // By edge: index + 1 of the position that it leads to; 0: none that is searched.
  std::shared_ptr<const std::vector<uint32_t>> of_edge;
  std::vector<Assessment> of_target;
  // By edge; null or empty: nothing is known.
  std::shared_ptr<const book::ImportedValues> imported;

  // One an edge: what searches and imported values say, as games of both. In proportion to the
  // book, as is all below.
  std::shared_ptr<const book::Priors> PriorsBy(const PriorSet& set) const;
  // The moves with a score by the run's own profile, and that score for the side that moved.
  std::vector<std::pair<book::EdgeId, int16_t>> OfOwnProfile() const;
};

// Before so many games of the run nothing is known of the model, and the default stands.
inline constexpr uint64_t kFirstGames = 128;
// Gives the set its models as the games say: `arms` are the run's evidence of set.games games, one
// an edge.
void FitModels(const Assessments& assessments, std::span<const book::Arm> arms, PriorSet& set);

}  // namespace joseki::coordinator
