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

// The command line's opponent of a run.
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

// The side of the run's book, by its game's word: "black", "red", "both". REQUIRES: the run has an
// opponent.
std::string SideWord(const coordinator::PlaySpec& play);

// Makes `spec` a run against the arguments' opponent, and returns the opponent's book: store it
// (Cluster::PutBook) before creating the run. Empty where the opponent has no book. Does nothing
// and returns empty if no opponent is named. `asked`: the command line of the run. InvalidArgument
// with the flag in the problem.
absl::StatusOr<std::string> SetOpponent(const OpponentArguments& arguments,
                                        const SpecArguments& asked, const Rules& rules,
                                        coordinator::RunSpec& spec);

}  // namespace joseki::cli
