#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/status_macros.h"
#include "cli/commands.h"
#include "cli/expansion.h"
#include "cli/progress.h"
#include "coordinator/store/book_store.h"
#include "coordinator/store/store.h"
#include "engine/search/bench.h"
#include "worker/embedded_player.h"

namespace joseki::cli {
namespace {

struct Arguments {
  std::string book;
  ExpansionOptions options;
};

std::string OptionsJson(const ExpansionOptions& options) {
  Json json;
  json["engine_signature"] = absl::StrCat(absl::Hex(BenchSignature(), absl::kZeroPad16));
  json["nodes"] = options.nodes;
  json["plies"] = options.plies;
  json["width"] = options.width;
  json["margin"] = options.margin;
  return json.dump();
}

absl::Status RunExpand(const Arguments& arguments, Context& context) {
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const auto store,
                   coordinator::Store::Open(arguments.book, coordinator::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const book::Graph graph,
                   coordinator::BookStore(*store).LoadGraph(context.rules()));
  ASSIGN_OR_RETURN(const auto player, worker::EmbeddedPlayer::Create({}));
  ASSIGN_OR_RETURN(
      std::vector<book::DbPosition> positions,
      Expand(graph, context.rules(), *player, arguments.options, [&](size_t done, size_t known) {
        progress.Update("expanding", done, known, absl::StrCat(done, " of ", known, " positions"));
      }));
  std::sort(
      positions.begin(), positions.end(),
      [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
  coordinator::BookImport import(*store, "expand", "embedded engine",
                                 OptionsJson(arguments.options));
  for (const book::DbPosition& position : positions) RETURN_IF_ERROR(import.AddBook(position));
  ASSIGN_OR_RETURN(const coordinator::BookImport::Totals totals, import.Commit(0, 0));
  progress.Clear();
  if (context.json()) {
    Json object;
    object["searched"] = positions.size();
    object["positions"] = totals.new_positions;
    object["moves"] = totals.new_moves;
    context.PrintJson(object);
  } else {
    context.out() << positions.size() << " positions searched; " << totals.new_positions
                  << " positions and " << totals.new_moves << " moves are new\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookExpand(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = book.add_subcommand(
      "expand", "Adds the embedded engine's own moves at the positions near the start");
  AddBookOption(*command, arguments->book);
  ExpansionOptions& options = arguments->options;
  command->add_option("--nodes", options.nodes, "nodes of each search")
      ->check(CLI::Range(uint64_t{1}, uint64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--plies", options.plies, "how far from the start positions are taken")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_option("--width", options.width, "the engine's best moves, how many")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  command
      ->add_option("--margin", options.margin,
                   "leave out moves that are this many centipawns below the best")
      ->check(CLI::Range(0, 100'000))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunExpand(*arguments, context)); });
}

}  // namespace joseki::cli
