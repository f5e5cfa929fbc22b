#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// Adds `joseki experiment` (as cli/commands.h) with a subcommand for each experiment.
void AddExperiment(CLI::App& app, Context& context);

// Its subcommands `field` and `curve`.
void AddField(CLI::App& group, Context& context);
void AddCurve(CLI::App& group, Context& context);

// Adds the options that all experiments share: the folder, the sources of its books, how games are
// played. `arguments` outlive the parse.
void AddLaboratoryOptions(CLI::App& command, ExperimentArguments& arguments);
// Prints the report, and sets the exit status if it was interrupted.
void PrintExperiment(const ExperimentReport& report, const ExperimentArguments& arguments,
                     Context& context);

}  // namespace joseki::cli
