#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "book/simulation/world.h"
#include "book/tuning/policy.h"
#include "book/tuning/settling.h"

namespace joseki::book {

// Quality of a book's answers in a world where every value is known.
struct Quality {
  double elo = 0;  // of the answers over a player of the book's frequencies, both colours
  double exploitability = 0;  // mean score that a perfect opponent within the book takes from them
};
// `answers`: by node, the edge that the book plays; kNoEdge where there is no move.
Quality QualityOf(const World& world, std::span<const EdgeId> answers);

struct SimulationOptions {
  std::string policy;
  std::map<std::string, std::string> policy_options;
  std::vector<uint64_t> games;  // checkpoints, ascending
  uint32_t in_flight = 1;       // games that are being played at once; they end in any order
  // Number of runs that divide games and games in flight among themselves; each chooses by its own
  // games alone, and the answers are those of the evidence of all. Not for staged policies.
  uint32_t parts = 1;
  // Games in all after which each part learns what the others have played; 0: never.
  uint64_t merge_every = 0;
  double deviation = 0.008;
  uint64_t seed = 1;
  // The weight of evaluations is not given by the world, but begins with the default model and is
  // estimated from the games (prior_model.h), first after kFirstFit of them, then at twice as many
  // each time.
  bool estimate_priors = false;
  static constexpr uint64_t kFirstFit = 128;
  Settling settling = {};  // as of LineRules
};

// Tunes the world's book by self-play of known outcome probabilities and returns the quality of the
// answers at each checkpoint, a number of games. A staged policy is run for each checkpoint by
// itself, with that many games in all; if its "games" are given, with as many stages of these as it
// takes. InvalidArgument for what MakePolicy refuses. Pure.
absl::StatusOr<std::vector<Quality>> Simulate(const World& world, const SimulationOptions& options);

// Over several books.
struct Mean {
  double mean = 0;
  double standard_error = 0;
};
Mean MeanOf(std::span<const double> values);

struct Checkpoint {
  uint64_t games = 0;
  Mean elo;
  Mean exploitability;
};
// Simulate for worlds of the seeds options.seed, + 1, ..., on this many threads; the result does
// not depend on their number. REQUIRES: books > 0, threads > 0.
absl::StatusOr<std::vector<Checkpoint>> SimulateBooks(const WorldOptions& world,
                                                      const SimulationOptions& options,
                                                      uint32_t books, uint32_t threads);

}  // namespace joseki::book
