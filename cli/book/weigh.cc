#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/option_choice.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/weighing.h"
#include "cli/commands.h"
#include "cli/open_book.h"

namespace joseki::cli {
namespace {

struct WeighArguments {
  std::string book;
  std::string type;
};

book::PlayedCounts CountsOf(const book::MoveCounts& counts) {
  return {counts.games, counts.wins, counts.draws, counts.losses};
}

absl::Status RunWeigh(const WeighArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  const book::BookType type = *book::BookTypeOf(arguments.type);
  const auto weigh = [type](const book::BookMove& move) {
    return book::BaseWeight(
        type, {.professional = CountsOf(move.counts[1]), .other = CountsOf(move.counts[0])});
  };
  ASSIGN_OR_RETURN(const book::BookStore::Weighed weighed, book::BookStore(*store).Weigh(weigh));
  if (context.json()) {
    Json object;
    object["type"] = arguments.type;
    object["moves"] = weighed.kept;
    object["left_out"] = weighed.left_out;
    context.PrintJson(object);
  } else {
    context.out() << weighed.kept << " moves weighed as " << arguments.type << ", "
                  << weighed.left_out << " left out\n";
    if (weighed.kept == 0 && weighed.left_out > 0) {
      context.out() << "the book is empty by this rule until it is weighed by another\n";
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookWeigh(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<WeighArguments>();
  CLI::App* command =
      book.add_subcommand("weigh", "Sets the base weight of every move from the games imported");
  AddBookOption(*command, arguments->book);
  std::vector<std::string> types;
  for (const std::string_view name : book::BookTypeNames()) types.emplace_back(name);
  command
      ->add_option("--type", arguments->type,
                   "rule by which games become weights (docs/reference/tuning.md)")
      ->required()
      ->check(OneOf(types));
  command->callback([arguments, &context] { context.Finish(RunWeigh(*arguments, context)); });
}

}  // namespace joseki::cli
