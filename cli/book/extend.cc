#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/extended_book.h"
#include "book/database/importer.h"
#include "book/database/parallel_read.h"
#include "book/database/store.h"
#include "book/formats/probe_file.h"
#include "cli/book/game_filter_options.h"
#include "cli/commands.h"
#include "cli/progress.h"

namespace joseki::cli {
namespace {

struct ExtendArguments {
  std::string out;
  std::string from = "auto";
  book::ExtendedBookOptions options;
  GameFilterArguments filter;
  int threads = 0;
  std::vector<std::string> paths;
};

absl::Status RunExtend(const ExtendArguments& arguments, Context& context) {
  constexpr int64_t kRejectsShown = 50;
  constexpr int64_t kProgressEvery = 1000;
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const std::vector<std::string> files, book::ListImportFiles(arguments.paths));
  book::ExtendedBook extended(context.rules(), arguments.options);
  ASSIGN_OR_RETURN(const book::GameFilter filter, FilterOf(arguments.filter, context.rules()));
  int64_t rejected = 0;
  int64_t filtered = 0;
  bool wanted = true;  // whether the game read last passes the filter
  std::string name;    // of the file that is being read
  const book::ReadOptions reading{.from = *book::ImportFormatOf(arguments.from),
                                  .game = context.rules().game(),
                                  .plies = arguments.options.plies,
                                  .variations = true,
                                  .evaluations = true};
  RETURN_IF_ERROR(
      book::ReadInOrder(files, reading, arguments.threads, [&](book::ImportEvent event) {
        if (const auto* file = std::get_if<book::FileBegins>(&event)) {
          name = file->name;
        } else if (const auto* game = std::get_if<book::GameRecord>(&event)) {
          wanted = filter.Keeps(*game);
          if (wanted) {
            extended.Add(*game);
          } else {
            ++filtered;
          }
          if (extended.games() % kProgressEvery == 0) {
            progress.Update("reading", static_cast<uint64_t>(extended.games()), 0,
                            absl::StrFormat("%d games", extended.games()));
          }
        } else if (const auto* variation = std::get_if<book::Variation>(&event)) {
          if (wanted) extended.Add(*variation);
        } else if (const auto* problem = std::get_if<absl::Status>(&event)) {
          if (++rejected > kRejectsShown) return;
          progress.Clear();
          context.err() << At(*problem, name).message() << "\n";
        }
      }));
  progress.Clear();
  if (extended.games() == 0) {
    return MakeProblem(
        {.code = "nothing_imported",
         .found = absl::StrFormat("%d rejected, %d left out, no game left", rejected, filtered),
         .expected = "at least one game"});
  }
  std::vector<book::DbPosition> positions = extended.Make();
  const size_t count = positions.size();
  const std::string bytes = book::WriteProbeFile(std::move(positions));
  RETURN_IF_ERROR(WriteFileAtomically(arguments.out, bytes));
  if (context.json()) {
    Json object;
    object["games"] = extended.games();
    object["variations"] = extended.variations();
    object["filtered"] = filtered;
    object["rejected"] = rejected;
    object["positions"] = count;
    object["sha256"] = Hex(Sha256Of(bytes));
    context.PrintJson(object);
    return absl::OkStatus();
  }
  context.out() << absl::StreamFormat(
      "%d games and %d variations read, %d rejected, %d left out; wrote %s: %d positions\n",
      extended.games(), extended.variations(), rejected, filtered, arguments.out, count);
  if (context.rules().game() == book::kDefaultGame) {
    context.out() << "in joseki-engine: setoption name ExtendedBook value " << arguments.out
                  << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookExtend(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<ExtendArguments>();
  CLI::App* command = book.add_subcommand(
      "extend", "Makes an extended book of records: bonuses for an engine's search, no orders");
  command->footer(
      "Records of xiangqi are read with --game xiangqi; joseki-engine takes bonuses in shogi "
      "alone.");
  command->add_option("--out", arguments->out, "the probe file to write")
      ->required()
      ->type_name("FILE");
  command->add_option("--from", arguments->from, "format of the files, instead of by content")
      ->check(OneOf(book::ImportFormatNames()));
  book::ExtendedBookOptions& options = arguments->options;
  command->add_option("--plies", options.plies, "number of plies counted of each game")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command->add_option("--most", options.most, "largest bonus from practice, in centipawns")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command->add_option("--min-games", options.min_games, "leave out positions of fewer games")
      ->capture_default_str();
  AddGameFilter(*command, arguments->filter);
  command->add_option("--threads", arguments->threads, "threads that read, 0 for one a processor")
      ->check(Within(0, 256));
  command->add_option("paths", arguments->paths, "records: files, and folders to search")
      ->required()
      ->type_name("FILE|DIR");
  command->callback([arguments, &context] { context.Finish(RunExtend(*arguments, context)); });
}

}  // namespace joseki::cli
