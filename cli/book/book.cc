#include "cli/commands.h"

namespace joseki::cli {

void AddBook(CLI::App& app, Context& context) {
  CLI::App* book = app.add_subcommand("book", "Shows a book and changes it");
  book->require_subcommand(1);
  AddBookStats(*book, context);
  AddBookShow(*book, context);
  AddBookExplain(*book, context);
  AddBookMinimax(*book, context);
  AddBookWeigh(*book, context);
  AddBookVerify(*book, context);
  AddBookExpand(*book, context);
  AddBookEdit(*book, context);
  AddBookLearn(*book, context);
  AddBookSimilar(*book, context);
  AddBookMerge(*book, context);
  AddBookDiff(*book, context);
  AddBookConvert(*book, context);
  AddBookPrune(*book, context);
  AddBookExtend(*book, context);
}

}  // namespace joseki::cli
