#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"
#include "cli/experiment/lab.h"
#include "cli/experiment/report.h"

namespace joseki::cli {

// `joseki experiment`, as the other commands are added (cli/commands.h), with a command of its own
// for each experiment.
void AddExperiment(CLI::App& app, Context& context);

// Its `field` and `curve`.
void AddField(CLI::App& group, Context& context);
void AddCurve(CLI::App& group, Context& context);

// What all of them share: the folder, what its books are made of, how games are played.
// `arguments` outlive the parse.
void AddLaboratoryOptions(CLI::App& command, ExperimentArguments& arguments);
void PrintExperiment(const ExperimentReport& report, Context& context);

}  // namespace joseki::cli
