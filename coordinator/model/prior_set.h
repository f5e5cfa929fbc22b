#pragma once

#include <cstdint>

#include "book/tuning/prior_model.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// Sources of the priors of a run: a row of the database, never changed. Priors are a function
// of this row and the evaluations that it names.
struct PriorSet {
  RunId run = 0;
  uint32_t version = 0;       // from 1
  uint64_t evaluations = 0;   // those of the run up to this seq,
  uint64_t shared = 0;        // and those of other runs up to this one,
  uint64_t trust_change = 0;  // less those that trust up to this change excludes
  uint64_t games_seq = 0;     // the model follows from the games up to here,
  uint64_t games = 0;         // so many of the run
  book::PriorModel model;     // of searches
  book::PriorModel imported;  // of the values that the run's book was imported with
  uint32_t positions = 0;     // with a prior
  bool operator==(const PriorSet&) const = default;
};

}  // namespace joseki::coordinator
