#include <chrono>
#include <memory>
#include <ostream>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/option_range.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/database/store_backup.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "coordinator/store/archive_store.h"

namespace joseki::cli {
namespace {

struct BackupArguments {
  std::string book;
  std::string file;
  int mb_per_second = 200;
};

constexpr int kPagesAtOnce = 1024;  // of 4 KiB: 4 MiB

// Options of a backup that shows its progress and copies at most `mb_per_second`; 0 is no limit.
book::BackupOptions Paced(Progress& progress, const std::string& what, int mb_per_second) {
  book::BackupOptions options;
  options.pages_at_once = kPagesAtOnce;
  options.pause = [&progress, what, mb_per_second, began = std::chrono::steady_clock::now()](
                      uint64_t done, uint64_t total) {
    progress.Update(what, done, total, "pages");
    if (mb_per_second == 0 || done == total) return;
    const double seconds = static_cast<double>(done) / 256 / mb_per_second;
    std::this_thread::sleep_until(began + std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              std::chrono::duration<double>(seconds)));
  };
  return options;
}

// The number of games that a book has in its archives alone; 0 where it cannot be read.
uint64_t DroppedGamesOf(const std::string& book) {
  const auto store = book::Store::Open(book, book::OpenMode::kReadOnly);
  if (!store.ok()) return 0;
  return coordinator::CountDropped(**store).value_or(0);
}

absl::Status RunBackup(const BackupArguments& arguments, Context& context) {
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const book::BackupReport report,
                   book::BackUp(arguments.book, arguments.file,
                                Paced(progress, "copy", arguments.mb_per_second)));
  progress.Clear();
  const uint64_t dropped = DroppedGamesOf(arguments.book);
  if (context.json()) {
    Json object;
    object["file"] = arguments.file;
    object["bytes"] = report.bytes;
    object["sha256"] = Hex(report.sha256);
    object["epoch"] = report.epoch;
    object["games"] = report.games;
    object["games_in_archives_alone"] = dropped;
    context.PrintJson(object);
  } else {
    context.out() << arguments.file << ": " << report.games << " games, " << report.bytes
                  << " bytes, SHA-256 " << Hex(report.sha256) << "\n";
    if (dropped > 0) {
      context.out() << "the moves of " << dropped << " games are in "
                    << coordinator::ArchiveFolder(arguments.book)
                    << " alone: copy that folder, too\n";
    }
  }
  return absl::OkStatus();
}

absl::Status RunRestore(const BackupArguments& arguments, Context& context) {
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const book::RestoreReport report,
                   book::RestoreBackup(arguments.file, arguments.book,
                                       Paced(progress, "copy", /*mb_per_second=*/0)));
  progress.Clear();
  const uint64_t dropped = DroppedGamesOf(arguments.book);
  if (context.json()) {
    Json object;
    object["book"] = arguments.book;
    object["games"] = report.games;
    object["epoch"] = report.epoch;
    object["lost_epoch"] = report.lost_epoch;
    object["moved_aside"] = report.moved_aside;
    object["games_in_archives_alone"] = dropped;
    context.PrintJson(object);
  } else {
    context.out() << arguments.book << ": " << report.games << " games, epoch " << report.epoch
                  << "; games played for epoch " << report.lost_epoch
                  << " since the backup will be refused\n";
    if (!report.moved_aside.empty()) {
      context.out() << "the book that was there is now " << report.moved_aside << "\n";
    }
    if (dropped > 0) {
      context.out() << "the moves of " << dropped << " games are not in it: they belong in "
                    << coordinator::ArchiveFolder(arguments.book) << "\n";
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddBackup(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand(
      "backup", "Copies a book to one checked file, while a coordinator may be using it");
  AddBookOption(*command, arguments->book);
  command->add_option("--out", arguments->file, "the file to make; one that exists is refused")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--mb-per-second", arguments->mb_per_second,
                   "how fast to read, so that the coordinator has its disk; 0: no limit")
      ->check(Within(0, 1'000'000))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunBackup(*arguments, context)); });
}

void AddRestore(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<BackupArguments>();
  CLI::App* command = app.add_subcommand(
      "restore", "Makes a book of a backup, under a new epoch: games played since are refused");
  AddBookOption(*command, arguments->book);
  command->add_option("--from", arguments->file, "the backup")->required()->type_name("FILE");
  command->callback([arguments, &context] { context.Finish(RunRestore(*arguments, context)); });
}

}  // namespace joseki::cli
