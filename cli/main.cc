#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "base/option_choice.h"
#include "base/settings.h"
#include "base/standard_output.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/context.h"
#include "cli/database/archive.h"
#include "cli/experiment/experiment.h"
#include "cli/help/manual.h"
#include "cli/help/usage.h"
#include "engine/core/isa.h"
#include "engine/games.h"
#include "proto/grpc_log.h"
#include "proto/mutexes.h"

namespace joseki::cli {
namespace {

int Run(int argc, char** argv) {
  Context context(**RulesOf(book::kDefaultGame), std::cout, std::cerr);
  CLI::App app("Tunes opening books of shogi and xiangqi by self-play.", "joseki");
  app.set_help_flag("-h,--help", "what the command does, its options, and examples");
  app.require_subcommand(1);
  app.fallthrough();
  app.add_flag_callback(
      "--json", [&context] { context.set_json(true); }, "one JSON object on stdout");
  app.add_option_function<std::string>(
         "--game",
         [&context](const std::string& game) {
           if (const absl::Status named = context.NameGame(game); !named.ok()) {
             throw CLI::ValidationError("--game", std::string(ProblemOf(named).expected));
           }
         },
         "of a new book, and of what names none (default: shogi); a book that exists says it "
         "itself")
      ->type_name("GAME");
  context.set_language(LanguageOfLocale(std::getenv));
  app.add_option_function<std::string>(
         "--lang",
         [&context](const std::string& name) { context.set_language(LanguageNamed(name)); },
         "language of what is printed for people (default: the locale's); JSON never changes")
      ->type_name("LANG")
      ->check(OneOf(LanguageNames()));
  app.set_version_flag("-V,--version", "joseki " JOSEKI_VERSION, "the program's version");

  // Commands on a database of this machine.
  AddImport(app, context);
  AddExport(app, context);
  AddBook(app, context);
  AddAudit(app, context);
  AddArchive(app, context);
  AddCerts(app, context);
  AddBackup(app, context);
  AddRestore(app, context);

  // Commands that need a coordinator, running or of their own.
  AddTune(app, context);
  AddPage(app, context);
  AddRun(app, context);
  AddStatus(app, context);
  AddWorkers(app, context);
  AddGames(app, context);
  AddLoadgen(app, context);

  // A command that needs nothing but its arguments.
  AddSimulate(app, context);
  AddSimulateLines(app, context);

  // Commands that play games of their own on this machine.
  AddMatch(app, context);
  AddReport(app, context);
  AddExperiment(app, context);

  AddDoctor(app, context);
  AddCompletion(app, context);
  AddHelp(app, context);

  // loadgen never takes its coordinator from a settings file or the environment: it would load a
  // real cluster. The address is given each time.
  const SettingsOptions settings = {.section = "joseki", .prefix = "JOSEKI_", .apart = {"loadgen"}};
  AddSettingsOption(app, settings);
  AddManual(app);

  // Look for --json first: a parse error may come before CLI11 reaches it.
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--json") context.set_json(true);
  }
  if (const auto isa = ChosenIsa(); !isa.ok()) {
    context.Finish(isa.status(), kBadUsage);
    return context.exit_status();
  }
  SettingPlaces places;
  try {
    absl::StatusOr<std::vector<std::string>> line = CommandLine(app, settings, argc, argv, places);
    if (line.ok()) {
      app.parse(*std::move(line));
    } else {
      context.Finish(line.status(), kBadUsage);
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    context.Finish(UsageProblem(error, app, places), kBadUsage);
  }
  return context.exit_status();
}

}  // namespace
}  // namespace joseki::cli

int main(int argc, char** argv) {
  joseki::SpareDeadlockDetection();
  joseki::SilenceGrpcLog();
  // Log lines of a coordinator in this process are no output of a command: they go to stderr.
  spdlog::set_default_logger(spdlog::stderr_logger_mt("joseki"));
  spdlog::set_level(spdlog::level::warn);
  return joseki::AfterOutput("joseki", joseki::cli::Run(argc, argv));
}
