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

// The standing result of one position's searches.
struct Assessment {
  enum class By : uint8_t { kNobody, kOwnProfile, kOlderProfile };
  By by = By::kNobody;  // kNobody also if the engine gave no score
  int16_t score = 0;    // for the side to move
};

// Assessments of a run's positions at one moment, without the names of workers. A value, quickly
// copied, from which priors follow. Only its owner may change it.
struct Assessments {
  // By edge: index + 1 of the position behind it; 0: none that is searched.
  std::shared_ptr<const std::vector<uint32_t>> of_edge;
  std::vector<Assessment> of_target;
  // By edge; null or empty: no imported values.
  std::shared_ptr<const book::ImportedValues> imported;

  // Priors by edge: searches and imported values, each as a number of games. Takes time in
  // proportion to the book, as do the functions below.
  std::shared_ptr<const book::Priors> PriorsBy(const PriorSet& set) const;
  // Moves with a score by the run's own profile, from the side that moved.
  std::vector<std::pair<book::EdgeId, int16_t>> OfOwnProfile() const;
};

// Games of the run below which models keep their defaults.
inline constexpr uint64_t kFirstGames = 128;
// Fits the set's models to the games. `arms`: the run's evidence of set.games games, by edge.
void FitModels(const Assessments& assessments, std::span<const book::Arm> arms, PriorSet& set);

}  // namespace joseki::coordinator
