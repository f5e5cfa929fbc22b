#pragma once

#include "CLI/CLI.hpp"
#include "book/play_spec.h"

namespace joseki::cli {

// How games of a run and of a match are played where nothing is said of it. What does not apply has
// the default that it gets once it does (WithoutUnused of cli/field_flags.h drops it).
book::PlaySpec UsualPlay();

// Adds the options of play that runs and matches share. `play` outlives the parse.
void AddPlayOptions(CLI::App& command, book::PlaySpec& play);

}  // namespace joseki::cli
