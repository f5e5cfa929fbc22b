#pragma once

#include "CLI/CLI.hpp"
#include "cli/context.h"

// One function per command: it adds the command with its options to `app`, and the command's work
// as its callback. `context` outlives the parse.
namespace joseki::cli {

void AddImport(CLI::App& app, Context& context);
void AddExport(CLI::App& app, Context& context);
void AddAudit(CLI::App& app, Context& context);
void AddCerts(CLI::App& app, Context& context);
void AddBackup(CLI::App& app, Context& context);
void AddRestore(CLI::App& app, Context& context);

// The subcommands of `joseki book`.
void AddBook(CLI::App& app, Context& context);
void AddBookStats(CLI::App& book, Context& context);
void AddBookShow(CLI::App& book, Context& context);
void AddBookExplain(CLI::App& book, Context& context);
void AddBookMinimax(CLI::App& book, Context& context);
void AddBookWeigh(CLI::App& book, Context& context);
void AddBookVerify(CLI::App& book, Context& context);
void AddBookExpand(CLI::App& book, Context& context);
void AddBookEdit(CLI::App& book, Context& context);
void AddBookLearn(CLI::App& book, Context& context);
void AddBookSimilar(CLI::App& book, Context& context);
void AddBookMerge(CLI::App& book, Context& context);
void AddBookConvert(CLI::App& book, Context& context);
void AddBookDiff(CLI::App& book, Context& context);
void AddBookPrune(CLI::App& book, Context& context);
void AddBookExtend(CLI::App& book, Context& context);

// Commands that talk to a running coordinator, or start one.
void AddRun(CLI::App& app, Context& context);
void AddStatus(CLI::App& app, Context& context);
void AddWorkers(CLI::App& app, Context& context);
void AddGames(CLI::App& app, Context& context);
void AddTune(CLI::App& app, Context& context);
void AddPage(CLI::App& app, Context& context);
void AddLoadgen(CLI::App& app, Context& context);

// A command that checks this machine and the services that it reaches.
void AddDoctor(CLI::App& app, Context& context);
// Commands that list what `app` holds when they run; they may be added before other commands.
void AddCompletion(CLI::App& app, Context& context);
void AddHelp(CLI::App& app, Context& context);

// Commands that tune synthetic books.
void AddSimulate(CLI::App& app, Context& context);
void AddSimulateLines(CLI::App& app, Context& context);

// Commands that play games of their own on this machine.
void AddMatch(CLI::App& app, Context& context);
void AddReport(CLI::App& app, Context& context);

// A command's --book option: the database, required.
CLI::Option* AddBookOption(CLI::App& command, std::string& path);
// A check that the number of a run is at least 1; 0 would stand for none.
CLI::Validator IsRunNumber();

}  // namespace joseki::cli
