#pragma once

#include "CLI/CLI.hpp"
#include "book/play_spec.h"

namespace joseki::cli {

// The defaults of play for runs and matches. A field that does not apply has a default as well;
// WithoutUnused of cli/field_flags.h drops it.
book::PlaySpec UsualPlay();

// Adds the options of play that runs and matches share. `play` outlives the parse.
void AddPlayOptions(CLI::App& command, book::PlaySpec& play);

}  // namespace joseki::cli
