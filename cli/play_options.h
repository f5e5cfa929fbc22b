#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "CLI/CLI.hpp"
#include "engine/core/outcome.h"

namespace joseki::cli {

// How games are played, as the user says it of a run and of a match.
struct PlayArguments {
  uint64_t nodes = 2000;
  uint32_t move_ms = 0;  // 0: by nodes
  uint32_t jitter_percent = 20;
  uint32_t max_plies = 300;
  std::string declaration = "27";
  uint32_t resign_below = 0;  // 0: no resignation by score
  uint32_t resign_moves = 3;
};

// The words of --declaration.
const std::map<std::string, Declaration>& Declarations();
std::string NameOf(Declaration declaration);

// Adds --nodes, --move-ms, --jitter, --max-plies, --declaration, --resign-below and --resign-moves.
// `arguments` outlive the parse.
void AddPlayOptions(CLI::App& command, PlayArguments& arguments);

}  // namespace joseki::cli
