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

// Recipe of a synthetic book. Worths are in centipawns for the side to move; a score follows from
// one by 1 / (1 + exp(-worth / kWorthScale)).
struct WorldOptions {
  size_t positions = 2500;
  int depth = 14;       // plies of the longest line
  int least_moves = 2;  // of a position that has any
  int most_moves = 8;
  double start_worth = 40;        // of the start, for the side that moves first
  double mean_loss = 60;          // of a move that is not the best: exponential
  double leaf_noise = 30;         // standard deviation of what the end of a line adds
  double transposing = 0.06;      // share of the moves that lead to a position there already
  double human_noise = 80;        // standard deviation of how players misjudge a loss
  double human_temperature = 40;  // of their choice by what they think a move loses
  double eval_deviation = 80;     // standard deviation of evaluations from the truth
  double eval_games = 200;        // that an evaluation is said to be worth; 0: there are none
  double evals_in_weights = 0;    // share of the base weights that follows from evaluations, for a
                                  // policy that knows no others
  double draws = 0.06;            // share of drawn games
  bool operator==(const WorldOptions&) const = default;
};

// "mild": small losses, as among masters. "tacos": so calibrated that choosing by frequency beats
// choosing evenly by as much as the thesis reports. Nullopt for another name.
std::optional<WorldOptions> NamedWorld(std::string_view name);

// A book whose moves have known values: a layered graph from a start position; every position with
// moves has one that loses nothing. Positions are added where the book's players come most often,
// as in a book made of games.
struct World {
  std::shared_ptr<const Graph> graph;
  NodeId start = 0;
  // One an edge: what an evaluation of the position after the move says.
  std::shared_ptr<const Priors> priors;
  // The same evaluations in centipawns, for the side that plays the move.
  std::vector<int> evaluations;
  // By node: the score of the side that moves first, of a game that leaves the book here and is
  // played on perfectly; and of one that both sides play perfectly from here.
  std::vector<double> score;
  // By edge: how often players of the book choose the move.
  std::vector<double> shares;
  double draws = 0;
};

// Makes a world; the same options and seed give the same one. REQUIRES: sensible options.
World MakeWorld(const WorldOptions& options, uint64_t seed);

}  // namespace joseki::book
