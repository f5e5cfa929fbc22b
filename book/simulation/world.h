#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "book/graph.h"
#include "book/tuning/values.h"

namespace joseki::book {

inline constexpr double kWorthScale = 600;  // centipawns

// Parameters of a synthetic book. Worths are in centipawns for the side to move; a worth's score is
// 1 / (1 + exp(-worth / kWorthScale)).
struct WorldOptions {
  size_t positions = 2500;
  int depth = 14;       // of the longest line, in plies
  int least_moves = 2;  // of a position that has moves
  int most_moves = 8;
  double start_worth = 40;        // for the side that moves first
  double mean_loss = 60;          // of the moves that are not best; exponential
  double leaf_noise = 30;         // standard deviation added at the end of a line
  double transposing = 0.06;      // share of the moves that lead to an existing position
  double human_noise = 80;        // standard deviation of players' errors about a loss
  double human_temperature = 40;  // of players' choices by the perceived loss
  double eval_deviation = 80;     // standard deviation of evaluations around the truth
  double eval_games = 200;        // games that an evaluation claims to count for; 0: no evaluations
  // Share of the base weights that follows from evaluations, for a policy without other access to
  // them.
  double evals_in_weights = 0;
  double draws = 0.06;  // share of drawn games
  bool operator==(const WorldOptions&) const = default;
};

// "mild": small losses, as among masters. "tacos": calibrated so that choosing by frequency beats
// choosing evenly by as much as the thesis reports. Nullopt for another name.
std::optional<WorldOptions> NamedWorld(std::string_view name);

// A book whose moves have known values: a layered graph from a start position. Each position with
// moves has one that loses nothing. Positions are added where the book's players come most often,
// as in a book made from games.
struct World {
  std::shared_ptr<const Graph> graph;
  NodeId start = 0;
  // By edge: an evaluation of the position after the move.
  std::shared_ptr<const Priors> priors;
  // By edge: the evaluation in centipawns, for the side that plays the move.
  std::vector<int> evaluations;
  // By node: the score for the side that moves first. It holds for a game that leaves the book here
  // and is played on perfectly, and for perfect play of both sides inside the book.
  std::vector<double> score;
  // By edge: how often players of the book choose the move.
  std::vector<double> shares;
  double draws = 0;
};

// Makes a world; deterministic in options and seed. REQUIRES: sensible options.
World MakeWorld(const WorldOptions& options, uint64_t seed);

}  // namespace joseki::book
