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

// Quality of a book's answers in a world with known values.
struct Quality {
  double elo = 0;  // of the answers against a player of the book's frequencies, over both colours
  double exploitability = 0;  // mean score that a perfect opponent inside the book gains
};
// `answers`: the book's edge by node; kNoEdge at a node without moves.
Quality QualityOf(const World& world, std::span<const EdgeId> answers);

struct SimulationOptions {
  std::string policy;
  std::map<std::string, std::string> policy_options;
  std::vector<uint64_t> games;  // checkpoints, ascending
  uint32_t in_flight = 1;       // concurrent games; they end in random order
  // Number of runs that share the games and the games in flight. Each chooses by its own games
  // only; the answers use the evidence of all. Not for staged policies.
  uint32_t parts = 1;
  // Total games after which each part receives the games of the others; 0: never.
  uint64_t merge_every = 0;
  double deviation = 0.008;
  uint64_t seed = 1;
  // Estimates the weight of evaluations from the games (prior_model.h) instead of taking it from
  // the world. It begins with the default model; the first estimate is after kFirstFit games, the
  // next after twice as many each.
  bool estimate_priors = false;
  static constexpr uint64_t kFirstFit = 128;
  Settling settling = {};  // as in LineRules
};

// Tunes the world's book by simulated self-play and returns the quality of the answers at each
// checkpoint (a number of games). A staged policy runs separately for each checkpoint, with that
// total of games; if its "games" are given, with as many such stages as fit. InvalidArgument as
// from MakePolicy. Pure.
absl::StatusOr<std::vector<Quality>> Simulate(const World& world, const SimulationOptions& options);

// Statistics over several books.
struct Mean {
  double mean = 0;
  double standard_error = 0;  // infinite for fewer than two
};
Mean MeanOf(std::span<const double> values);

struct Checkpoint {
  uint64_t games = 0;
  Mean elo;
  Mean exploitability;
};
// Runs Simulate for worlds of the seeds options.seed, options.seed + 1, ..., on `threads` threads.
// The result does not depend on their number. REQUIRES: books > 0, threads > 0.
absl::StatusOr<std::vector<Checkpoint>> SimulateBooks(const WorldOptions& world,
                                                      const SimulationOptions& options,
                                                      uint32_t books, uint32_t threads);

}  // namespace joseki::book
