#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "book/simulation/fit_world.h"
#include "cli/context.h"

namespace joseki::cli {

// The simulated world fitted to a run of a database (book/simulation/fit_world.h). `name`:
// FILE#RUN, or FILE for its newest run. NotFound where there is no such run; FailedPrecondition
// "no_searches" where it has no searches along lines.
absl::StatusOr<book::FittedWorld> WorldLike(const std::string& name, Context& context);

}  // namespace joseki::cli
