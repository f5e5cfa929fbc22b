#pragma once

#include <memory>
#include <string>

#include "CLI/CLI.hpp"
#include "base/certificates/tls_files.h"
#include "cli/cluster/rpc.h"
#include "cli/context.h"
#include "coordinator/model/messages.h"

// Options and texts of the commands that talk to a coordinator.
namespace joseki::cli {

// Adds a command's --coordinator option, and those of TLS.
CLI::Option* AddCoordinatorOption(CLI::App& command, Connection& connection);
// Adds --tls FOLDER; --tls-ca, --tls-cert and --tls-key one by one; and --http-proxy.
void AddTlsOptions(CLI::App& command, certificates::TlsFiles& files);

// Connects to the coordinator and switches `context` to the rules of its game. InvalidArgument
// "other_game" where --game names another one; else the error of the connection.
absl::StatusOr<std::unique_ptr<Cluster>> Reach(Context& context, const Connection& connection);

// An engine's limit of a move: "2000 nodes" or "100 ms".
std::string LimitWords(const coordinator::PlaySpec& play, const Voice& voice = Voice());
// One run in one line: "run 3 "night": running, stage 2 of 5, 440 of 1000 games (44 %), ...".
std::string RunLine(const coordinator::RunStatus& run, const Voice& voice);
// "80 games", "3 h 20 min", "80 games or 3 h 20 min" (whichever ends first), "no limit".
std::string BudgetWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());
// "what 40 games of run 1 say", "what 40 games of runs 1, 2 say"; empty if no game was taken over.
std::string TakenOverWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());
// The note on a run that was extended although no position was left worth a game; else empty.
std::string RegardlessWords(const coordinator::RunSpec& spec, const Voice& voice = Voice());

}  // namespace joseki::cli
