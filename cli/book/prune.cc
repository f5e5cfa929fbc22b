#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "base/option_range.h"
#include "base/status_macros.h"
#include "book/database/pruner.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/open_book.h"

namespace joseki::cli {
namespace {

struct PruneArguments {
  std::string book;
  book::PruneRules rules;
  double share_percent = 0;
  int max_loss = 0;
  bool has_max_loss = false;
  bool dry_run = false;
};

absl::Status RunPrune(const PruneArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book,
                                              arguments.dry_run ? book::OpenMode::kReadOnly
                                                                : book::OpenMode::kReadWrite));
  book::PruneRules rules = arguments.rules;
  rules.min_share = arguments.share_percent / 100;
  if (arguments.has_max_loss) rules.max_loss = arguments.max_loss;
  ASSIGN_OR_RETURN(const book::PruneReport report,
                   book::Prune(*store, context.rules(), rules, arguments.dry_run));
  if (context.json()) {
    Json object;
    object["positions"] = report.positions;
    object["moves"] = report.moves;
    object["kept"] = report.kept;
    object["left"] = report.left;
    object["dry_run"] = arguments.dry_run;
    if (arguments.dry_run) {
      Json gone = Json::array();
      for (const book::PrunedMove& move : report.gone) {
        gone.push_back({{"position", context.rules().Text(move.packed, move.ply)},
                        {"move", context.rules().Text(move.move)}});
      }
      object["gone"] = std::move(gone);
    }
    context.PrintJson(object);
    return absl::OkStatus();
  }
  if (arguments.dry_run) {
    for (const book::PrunedMove& move : report.gone) {
      context.out() << context.rules().Text(move.packed, move.ply) << "  "
                    << context.voice().MoveText(context.rules(), move.packed, move.move) << "\n";
    }
  }
  context.out() << report.positions << " positions and " << report.moves << " moves "
                << (arguments.dry_run ? "would go" : "are gone") << ", " << report.left
                << " positions " << (arguments.dry_run ? "would be" : "are") << " left\n";
  if (report.kept > 0) {
    context.out() << report.kept << " moves stay because they were marked, annotated or added by "
                  << "hand\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookPrune(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<PruneArguments>();
  CLI::App* command = book.add_subcommand(
      "prune", "Removes moves from the book for good; each option names some by itself");
  AddBookOption(*command, arguments->book);
  book::PruneRules& rules = arguments->rules;
  CLI::Option* games =
      command->add_option("--min-games", rules.min_games, "moves with fewer games or counts")
          ->check(Within(int64_t{1}, int64_t{1'000'000'000}));
  CLI::Option* share =
      command
          ->add_option("--min-share", arguments->share_percent,
                       "moves with a smaller part of the games of their position, in percent")
          ->check(Within(0.0, 100.0));
  CLI::Option* loss =
      command
          ->add_option(
              "--max-loss", arguments->max_loss,
              "moves whose value is more centipawns than this below the best of their position")
          ->check(Within(0, 100'000));
  CLI::Option* plies =
      command->add_option("--plies", rules.plies, "moves of positions at this ply and later")
          ->check(Within(1, 65'535));
  CLI::Option* reachable = command->add_flag(
      "--reachable", rules.reachable, "moves of positions that no line from the start leads to");
  command->add_flag("--dry-run", arguments->dry_run, "only list the moves that would be removed");
  command->callback([=, &context] {
    if (games->empty() && share->empty() && loss->empty() && plies->empty() && reachable->empty()) {
      throw CLI::RequiredError("one of --min-games, --min-share, --max-loss, --plies, --reachable");
    }
    arguments->has_max_loss = !loss->empty();
    context.Finish(RunPrune(*arguments, context));
  });
}

}  // namespace joseki::cli
