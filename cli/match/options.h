#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/match/book.h"
#include "cli/match/settings.h"
#include "cli/play_options.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The command line of a match.
struct MatchArguments {
  std::string sides[2];  // BOOK, BOOK@ENGINE or ENGINE
  std::string engines;   // path of the engines file; may be empty
  uint32_t pairs = 0;
  uint64_t games = 0;
  book::PlaySpec play = UsualPlay();
  std::optional<uint64_t> side_nodes[2];
  std::optional<uint32_t> side_move_ms[2];
  std::vector<std::vector<std::string>> set;  // SIDE, NAME=VALUE
  std::string choice = "answer";
  std::string side_choice[2];  // empty: `choice`
  double range = 1;
  double deviation = 0;
  uint32_t max_book_plies = 0;
  std::string starts;
  uint32_t start_plies = 12;
  std::string sprt;
  std::string elo_model = "logistic";
  double alpha = 0.05;
  double beta = 0.05;
  std::optional<uint64_t> seed;
};

void AddMatchOptions(CLI::App& command, MatchArguments& arguments);

// LoadBook, or a function that caches its results.
using BookLoader = std::function<absl::StatusOr<LoadedBook>(
    const Rules& rules, const std::string& name, FileWeights weights)>;

// The match for the arguments: reads books and starts, and starts each engine of the file once to
// identify it. `fresh_seed` applies where no seed is given. InvalidArgument with the flag in the
// problem.
absl::StatusOr<MatchSettings> MatchOf(const MatchArguments& arguments, uint64_t fresh_seed,
                                      const Rules& rules, const BookLoader& load = LoadBook);

}  // namespace joseki::cli
