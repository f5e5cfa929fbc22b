#include "cli/database/archive.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/file_lock.h"
#include "book/database/store.h"
#include "book/records/game_writer.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "coordinator/offline/archiver.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

using coordinator::ArchiveOptions;
using coordinator::ArchiveReport;
using coordinator::ArchiveRow;

struct ArchiveArguments {
  std::string book;
  coordinator::RunId run = 0;
  uint64_t games_per_file = ArchiveOptions().games_per_file;
  bool shrink = false;
};

ArchiveOptions OptionsOf(const ArchiveArguments& arguments, const Rules& rules) {
  ArchiveOptions options{.run = arguments.run, .games_per_file = arguments.games_per_file};
  const book::GameWriter* const writer = book::GameWriterOf(rules.game());
  if (writer == nullptr) return options;
  options.record = [writer](const coordinator::RunSpec& spec, const coordinator::GameRow& game) {
    const std::string event = absl::StrCat("run ", game.run, " game ", game.commit_seq, " lease ",
                                           game.lease, " slot ", game.slot);
    return writer->write(
        {.event = event, .start = spec.start, .moves = game.moves, .ending = game.ending});
  };
  options.record_suffix = std::string(writer->suffix);
  options.record_separator = std::string(writer->separator);
  return options;
}

void Show(const ArchiveReport& report, const char* done, Context& context) {
  if (context.json()) {
    Json object;
    object["archives"] = report.archives;
    object["games"] = report.games;
    object["bytes"] = report.bytes;
    context.PrintJson(object);
    return;
  }
  context.out() << report.archives << " archives with " << report.games << " games " << done << ", "
                << report.bytes << " bytes\n";
}

absl::Status Make(const ArchiveArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(
      const ArchiveReport report,
      coordinator::MakeArchives(*store, context.rules(), OptionsOf(arguments, context.rules())));
  Show(report, "made", context);
  return absl::OkStatus();
}

// Makes a change that a running coordinator would not see in its memory: takes the database's file
// lock first.
template <typename Change>
absl::Status ChangeAlone(const ArchiveArguments& arguments, Change change, const char* done,
                         Context& context) {
  ASSIGN_OR_RETURN(const auto lock, book::FileLock::Take(arguments.book));
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const ArchiveReport report,
                   change(*store, OptionsOf(arguments, context.rules())));
  if (arguments.shrink) RETURN_IF_ERROR(coordinator::Shrink(*store));
  Show(report, done, context);
  return absl::OkStatus();
}

absl::Status List(const ArchiveArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  coordinator::RunStore rows(*store);
  std::vector<coordinator::RunRow> runs;
  if (arguments.run != 0) {
    ASSIGN_OR_RETURN(runs.emplace_back(), rows.runs().Read(arguments.run));
  } else {
    ASSIGN_OR_RETURN(runs, rows.runs().ReadAll());
  }
  Json list = Json::array();
  bool shown = false;
  for (const coordinator::RunRow& run : runs) {
    ASSIGN_OR_RETURN(const std::vector<ArchiveRow> archives,
                     coordinator::ReadArchives(*store, run.run));
    for (const ArchiveRow& archive : archives) {
      if (context.json()) {
        const coordinator::ArchiveTotals& totals = archive.totals;
        list.push_back({{"run", run.run},
                        {"first", archive.first_seq},
                        {"last", archive.last_seq},
                        {"games", totals.games},
                        {"first_wins", totals.first_wins},
                        {"second_wins", totals.second_wins},
                        {"draws", totals.draws},
                        {"faults", totals.faults},
                        {"plies", totals.plies},
                        {"file", archive.file},
                        {"bytes", archive.bytes},
                        {"sha256", Hex(archive.sha256)},
                        {"dropped", archive.dropped}});
      } else {
        context.out() << archive.file << "  run " << run.run << ", " << archive.totals.games
                      << " games, " << archive.bytes << " bytes, "
                      << (archive.dropped ? "in the file alone" : "in the book too") << "\n";
        shown = true;
      }
    }
  }
  if (context.json()) {
    Json object;
    object["folder"] = coordinator::ArchiveFolder(arguments.book);
    object["archives"] = std::move(list);
    context.PrintJson(object);
  } else if (!shown) {
    context.out() << "no archives\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddArchive(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ArchiveArguments>();
  CLI::App* const archive = app.add_subcommand(
      "archive", "Games in sealed, compressed files beside the book: JSON lines, and CSA of shogi");
  archive->require_subcommand(1);
  const auto add = [&](const char* name, const char* what) {
    CLI::App* const command = archive->add_subcommand(name, what);
    AddBookOption(*command, arguments->book);
    command->add_option("--run", arguments->run, "only this run; without it every one")
        ->type_name("R")
        ->check(IsRunNumber());
    return command;
  };
  CLI::App* const make =
      add("make", "Writes the games that stand in no archive yet; a coordinator may be running");
  make->add_option("--games-per-file", arguments->games_per_file,
                   "games of a file; of a run that goes on only whole files are written")
      ->check(Within(1, 1'000'000))
      ->capture_default_str();
  make->callback([arguments, &context] { context.Finish(Make(*arguments, context)); });
  CLI::App* const drop =
      add("drop",
          "Takes archived games of runs that are over out of the book, once each file has "
          "been read and compared");
  drop->callback([arguments, &context] {
    context.Finish(ChangeAlone(*arguments, coordinator::DropArchived, "dropped", context));
  });
  drop->add_flag("--shrink", arguments->shrink,
                 "give the room back to the disk; needs as much again meanwhile");
  CLI::App* const back = add("put-back", "Takes dropped games into the book again");
  back->callback([arguments, &context] {
    context.Finish(ChangeAlone(*arguments, coordinator::PutBackArchived, "put back", context));
  });
  CLI::App* const list = add("list", "The archives of a book");
  list->callback([arguments, &context] { context.Finish(List(*arguments, context)); });
}

}  // namespace joseki::cli
