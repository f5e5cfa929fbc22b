#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "cli/cluster/local_cluster.h"
#include "cli/commands.h"
#include "cli/match/game_of_books.h"
#include "cli/page/book_page.h"
#include "cli/page/foreign_book.h"

namespace joseki::cli {
namespace {

struct PageArguments {
  std::string book;
  std::string with;  // empty: none
  std::string listen = kPageAddress;
};

// A file as the page shows it, under the name that was typed: a database, or the import of another
// program's book.
struct Shown {
  coordinator::BookFile file;
  std::unique_ptr<ForeignBook> foreign;
};

absl::StatusOr<Shown> Open(const std::string& path, Context& context) {
  Shown shown{.file = {path, path}};
  const auto store = book::Store::Open(path, book::OpenMode::kReadOnly, context.rules().game());
  if (ProblemOf(store.status()).code == "not_a_book") {
    ASSIGN_OR_RETURN(shown.foreign, ForeignBook::Import(path, context));
    shown.file.db_path = shown.foreign->database();
  } else {
    RETURN_IF_ERROR(store.status());
  }
  return shown;
}

absl::Status ServePage(const PageArguments& arguments, Context& context) {
  SignalWait signals;
  RETURN_IF_ERROR(UseGameOfBooks(context, std::vector{arguments.book, arguments.with}));
  ASSIGN_OR_RETURN(const Shown book, Open(arguments.book, context));
  std::optional<Shown> with;
  if (!arguments.with.empty()) {
    ASSIGN_OR_RETURN(with, Open(arguments.with, context));
  }
  ASSIGN_OR_RETURN(const auto page,
                   BookPage::Start(book.file, with ? std::optional(with->file) : std::nullopt,
                                   arguments.listen, "--listen", context.rules()));
  if (context.json()) {
    context.PrintJson({{"page", page->url()}});
  } else {
    context.out() << "The page of " << arguments.book
                  << (with ? " beside " + arguments.with : std::string()) << ": " << page->url()
                  << " (Ctrl-C ends it)\n";
  }
  context.out().flush();
  while (!signals.Wait(absl::Hours(1))) {
  }
  return absl::OkStatus();
}

}  // namespace

void AddPage(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<PageArguments>();
  CLI::App* const command = app.add_subcommand(
      "page", "Shows a book and its runs in a browser of this machine, until Ctrl-C");
  command
      ->add_option("--book", arguments->book,
                   "the book's database; or a book of another program or game records, which are "
                   "read into a temporary one (of an archive, --game names the game)")
      ->required()
      ->type_name("FILE");
  command
      ->add_option(
          "--with", arguments->with,
          "another book of any of these kinds, to compare its runs with those of the first")
      ->type_name("FILE");
  command
      ->add_option("--listen", arguments->listen,
                   "where the page is served, on loopback; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(ServePage(*arguments, context)); });
}

}  // namespace joseki::cli
