#pragma once

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "base/certificates/tls_files.h"
#include "cli/cluster/rpc.h"
#include "cli/context.h"
#include "coordinator/model/messages.h"

// What the commands that speak to a coordinator share.
namespace joseki::cli {

// A command's --coordinator option, and those of TLS.
CLI::Option* AddCoordinatorOption(CLI::App& command, Connection& connection);
// --tls FOLDER, or --tls-ca, --tls-cert and --tls-key one by one; and --http-proxy.
void AddTlsOptions(CLI::App& command, certificates::TlsFiles& files);

// Speaks to the coordinator with the rules of its game, which are from now on the context's.
// InvalidArgument "other_game" where --game names another one; else what keeps it from being asked.
absl::StatusOr<std::unique_ptr<Cluster>> Reach(Context& context, const Connection& connection);

// One run in one line: "run 3 "night": running, stage 2 of 5, 440 of 1000 games (44 %), ...".
// "2000 nodes" or "100 ms": what the engine may spend on a move.
std::string LimitWords(const coordinator::PlaySpec& play, const Voice& voice = Voice());
std::string RunLine(const coordinator::RunStatus& run, const Voice& voice);
// "80 games", "3 h 20 min", "80 games or 3 h 20 min", whichever is over first; "no limit".
std::string BudgetWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());
// "what 40 games of run 1 say", "what 40 games of runs 1, 2 say"; empty: nothing was taken over.
std::string TakenOverWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());
// What is to be said of a run that goes on although nothing was left worth a game; else empty.
std::string RegardlessWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());

}  // namespace joseki::cli
