#pragma once

#include <cstdint>

#include "book/tuning/prior_model.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// The sources of a run's priors: a row of the database, never changed. Priors are a function of
// this row and the evaluations that it names.
struct PriorSet {
  RunId run = 0;
  uint32_t version = 0;       // from 1
  uint64_t evaluations = 0;   // those of the run up to this seq,
  uint64_t shared = 0;        // and those of other runs up to this seq,
  uint64_t trust_change = 0;  // without those that trust up to this change excludes
  uint64_t games_seq = 0;     // the model is fitted to games up to this seq,
  uint64_t games = 0;         // of which the run has this many
  book::PriorModel model;     // for searches
  book::PriorModel imported;  // for values imported with the run's book
  uint32_t positions = 0;     // number with a prior
  bool operator==(const PriorSet&) const = default;
};

}  // namespace joseki::coordinator
