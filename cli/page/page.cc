#include <memory>
#include <ostream>
#include <string>

#include "absl/time/time.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/cluster/local_cluster.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/page/book_page.h"
#include "cli/page/foreign_book.h"

namespace joseki::cli {
namespace {

struct PageArguments {
  std::string book;
  std::string listen = kPageAddress;
};

absl::Status ServePage(const PageArguments& arguments, Context& context) {
  SignalWait signals;
  std::unique_ptr<ForeignBook> foreign;
  const auto store = OpenBook(context, arguments.book, book::OpenMode::kReadOnly);
  if (ProblemOf(store.status()).code == "not_a_book") {
    ASSIGN_OR_RETURN(foreign, ForeignBook::Import(arguments.book, context));
  } else {
    RETURN_IF_ERROR(store.status());
  }
  ASSIGN_OR_RETURN(const auto page, BookPage::Start(foreign ? foreign->database() : arguments.book,
                                                    arguments.listen, "--listen", context.rules()));
  if (context.json()) {
    context.PrintJson({{"page", page->url()}});
  } else {
    context.out() << "The page of " << arguments.book << ": " << page->url()
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
                   "read into a temporary one")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--listen", arguments->listen,
                   "where the page is served, on loopback; port 0 takes a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(ServePage(*arguments, context)); });
}

}  // namespace joseki::cli
