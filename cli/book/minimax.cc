#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/database/store.h"
#include "book/formats/db_minimax.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {
namespace {

struct MinimaxArguments {
  std::string book;
  int draw = 0;
};

// The book's positions and moves, each move with its own value before minimax.
std::vector<book::DbPosition> PositionsOf(const coordinator::ExportBook& book) {
  std::vector<book::DbPosition> positions;
  for (const coordinator::ExportBook::Position& from : book.positions) {
    book::DbPosition position;
    position.packed = from.packed;
    position.ply = from.ply;
    for (const coordinator::ExportBook::Move& move : from.moves) {
      book::DbMove added;
      added.move = move.move;
      added.value = move.worth;
      added.count = 0;
      position.moves.push_back(added);
    }
    positions.push_back(std::move(position));
  }
  return positions;
}

absl::Status RunMinimax(const MinimaxArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const coordinator::ExportBook book,
                   coordinator::ExportOfBook(*store, context.rules()));
  std::vector<book::DbPosition> positions = PositionsOf(book);
  if (positions.empty()) {
    return MakeProblem({.code = "empty_book",
                        .file = arguments.book,
                        .found = "no position",
                        .expected = "a book with positions"});
  }
  const book::DbMinimaxReport report =
      book::MinimaxBook(positions, /*turned=*/false, arguments.draw);
  book::BookImport import(*store, "expand", "minimax",
                          absl::StrCat("{\"draw\":", arguments.draw, "}"));
  for (const book::DbPosition& position : positions) RETURN_IF_ERROR(import.AddBook(position));
  ASSIGN_OR_RETURN(const book::BookImport::Totals totals, import.Commit(0, 0));
  if (context.json()) {
    Json object;
    object["positions"] = positions.size();
    object["moves"] = totals.new_moves;
    object["circles"] = report.circles;
    object["largest_circle"] = report.largest;
    context.PrintJson(object);
  } else {
    context.out() << positions.size() << " positions; " << totals.new_moves
                  << " moves that transpose into the book are new; " << report.circles
                  << " circles, the largest of " << report.largest << " positions\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookMinimax(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<MinimaxArguments>();
  CLI::App* command =
      book.add_subcommand("minimax", "Gives every move its value by minimax over the whole book");
  AddBookOption(*command, arguments->book);
  command
      ->add_option("--draw", arguments->draw,
                   "value of a repetition for the side that moves first, in centipawns")
      ->check(Within(-1000, 1000))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunMinimax(*arguments, context)); });
}

}  // namespace joseki::cli
