#include <memory>
#include <ostream>
#include <string>

#include "base/option_range.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "coordinator/offline/search_learning.h"

namespace joseki::cli {
namespace {

struct LearnArguments {
  std::string book;
  uint64_t run = 0;
  int positions = 10;
};

absl::Status RunLearn(const LearnArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(
      const coordinator::LearnReport report,
      coordinator::LearnFromSearches(*store, context.rules(), arguments.run, arguments.positions));
  if (context.json()) {
    Json object;
    object["run"] = arguments.run;
    object["games"] = report.games;
    object["without_scores"] = report.without_scores;
    object["moves"] = report.moves;
    context.PrintJson(object);
  } else {
    context.out() << report.moves << " moves have a value from the searches of " << report.games
                  << " games; " << report.without_scores << " games have no scores\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookLearn(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<LearnArguments>();
  CLI::App* command = book.add_subcommand(
      "learn", "Gives the book's moves values from the engine's scores after the book");
  AddBookOption(*command, arguments->book);
  command->add_option("--run", arguments->run, "the run; its games must have scores")
      ->required()
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_option("--positions", arguments->positions, "number of positions after the book")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunLearn(*arguments, context)); });
}

}  // namespace joseki::cli
