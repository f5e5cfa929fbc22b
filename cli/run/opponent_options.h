#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "cli/run/spec_options.h"
#include "coordinator/model/messages.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// Against whom a run's book is tuned, as the user says it.
struct OpponentArguments {
  std::string opponent;  // BOOK, BOOK@ENGINE or none@ENGINE; empty: none, the book plays itself
  std::string side = "both";
  std::string choice = "answer";
  double range = 1;
  std::optional<uint64_t> nodes;
  std::optional<uint32_t> move_ms;
  std::vector<std::string> engine_options;  // K=V
};

void AddOpponentOptions(CLI::App& command, OpponentArguments& arguments);

// The side that the run's book has, by its game's word: "black", "red", "both". REQUIRES: it has an
// opponent.
std::string SideWord(const coordinator::PlaySpec& play);

// Makes `spec` a run against the opponent that the arguments name, and returns the book to be given
// to the coordinator before the run is created (Cluster::PutBook); empty where the opponent has
// none, or there is no opponent, and then nothing happens. `asked`: the run whose opponent it is.
// InvalidArgument with the flag in the problem.
absl::StatusOr<std::string> SetOpponent(const OpponentArguments& arguments,
                                        const SpecArguments& asked, const Rules& rules,
                                        coordinator::RunSpec& spec);

}  // namespace joseki::cli
