#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/open_book.h"

namespace joseki::cli {
namespace {

absl::Status RunStats(const std::string& path, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, path, book::OpenMode::kReadOnly));
  book::BookStore book(*store);
  ASSIGN_OR_RETURN(const book::BookTotals totals, book.Totals());
  ASSIGN_OR_RETURN(const std::vector<book::BookSource> sources, book.Sources());
  if (context.json()) {
    Json object;
    object["positions"] = totals.positions;
    object["moves"] = totals.moves;
    object["games"] = totals.games;
    object["epoch"] = store->epoch();
    object["sources"] = Json::array();
    for (const book::BookSource& source : sources) {
      Json options = ParseJson<Json>(source.options);
      if (options.is_discarded()) options = nullptr;  // of a damaged row
      object["sources"].push_back({{"kind", source.kind},
                                   {"name", source.name},
                                   {"options", std::move(options)},
                                   {"games", source.games},
                                   {"rejected", source.rejected},
                                   {"added_at", source.added_at}});
    }
    context.PrintJson(object);
    return absl::OkStatus();
  }
  context.out() << absl::StreamFormat("%d positions, %d moves, from %d games and %d sources\n",
                                      totals.positions, totals.moves, totals.games, totals.sources);
  for (const book::BookSource& source : sources) {
    context.out() << absl::StreamFormat("  %s  %-6s  %8d games  %6d rejected  %s\n",
                                        source.added_at, source.kind, source.games, source.rejected,
                                        source.name);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookStats(CLI::App& book, Context& context) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = book.add_subcommand("stats", "Shows the size and the sources of a book");
  AddBookOption(*command, *path);
  command->callback([path, &context] { context.Finish(RunStats(*path, context)); });
}

}  // namespace joseki::cli
