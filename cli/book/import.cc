#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/import_source.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/weighing.h"
#include "cli/book/game_filter_options.h"
#include "cli/cluster/online.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/progress.h"

namespace joseki::cli {
namespace {

constexpr int kRejectsShown = 50;
constexpr char kByContent[] = "auto";

struct ImportArguments {
  std::string book;
  Connection coordinator;  // instead of the book
  std::string from = kByContent;
  std::optional<book::NoiseFilter> filter;
  GameFilterArguments games;
  int plies = 45;
  bool professional = false;
  bool strict = false;
  bool again = false;
  int threads = 0;
  uint64_t portion = 0;
  uint64_t memory = 1024;
  bool variations = false;
  bool evaluations = false;
  std::vector<std::string> paths;
};

std::string SourceName(const std::vector<std::string>& paths) {
  constexpr size_t kShown = 5;
  std::string name = absl::StrJoin(
      paths.begin(), paths.begin() + static_cast<ptrdiff_t>(std::min(paths.size(), kShown)), ", ");
  if (paths.size() > kShown) absl::StrAppend(&name, " and ", paths.size() - kShown, " more");
  return name;
}

// Fails before the import where its end could only fail: on a database that is not ours, or a
// missing folder.
absl::Status CheckTarget(const std::string& path, Context& context) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    return OpenBook(context, path, book::OpenMode::kCreate).status();
  }
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder, error)) {
    return MakeProblem({.code = "file_error",
                        .file = path,
                        .found = "no such folder",
                        .expected = "a folder for the book"},
                       absl::StatusCode::kNotFound);
  }
  return absl::OkStatus();
}

// The files in portions of `megabytes` or a little more; one portion if that is 0.
std::vector<std::vector<std::string>> Portions(const std::vector<std::string>& files,
                                               uint64_t megabytes) {
  std::vector<std::vector<std::string>> portions(1);
  uint64_t bytes = 0;
  for (const std::string& file : files) {
    portions.back().push_back(file);
    std::error_code error;
    if (const uintmax_t size = std::filesystem::file_size(file, error); !error) bytes += size;
    if (megabytes == 0 || bytes < megabytes << 20) continue;
    portions.emplace_back();
    bytes = 0;
  }
  if (portions.back().empty()) portions.pop_back();
  return portions;
}

struct Imported {
  book::ImportReport report;
  int64_t unweighed = 0;  // moves of a weighed book that have no weight now, or are left out
};

absl::StatusOr<Imported> Import(const ImportArguments& arguments, Context& context,
                                Progress& progress) {
  RETURN_IF_ERROR(CheckTarget(arguments.book, context));
  book::ImportOptions options;
  options.from = *book::ImportFormatOf(arguments.from);
  options.plies = arguments.plies;
  options.filter = arguments.filter;
  options.professional = arguments.professional;
  options.again = arguments.again;
  options.threads = arguments.threads;
  options.variations = arguments.variations;
  options.evaluations = arguments.evaluations;
  options.memory = arguments.memory << 20;
  options.spill_folder = std::filesystem::absolute(arguments.book).parent_path().string();
  std::error_code error;
  const bool is_there = std::filesystem::exists(arguments.book, error);
  const auto leave_nothing = absl::MakeCleanup([&arguments, is_there] {
    if (!is_there) book::RemoveIfNothingIsIn(arguments.book);
  });
  bool weighed = false;
  if (is_there) {
    ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kCreate));
    ASSIGN_OR_RETURN(options.imported, book::BookStore(*store).ImportedFiles());
    ASSIGN_OR_RETURN(weighed, book::BookStore(*store).IsWeighed());
  }
  ASSIGN_OR_RETURN(options.games, FilterOf(arguments.games, context.rules()));
  int shown = 0;
  options.on_reject = [&](const absl::Status& problem) {
    if (++shown > kRejectsShown) return;
    progress.Clear();
    context.err() << problem.message() << "\n";
    if (shown == kRejectsShown) context.err() << "further rejects are only counted\n";
  };
  options.on_progress = [&](const book::ImportProgress& now) {
    progress.Update(now.writing ? "writing" : "reading", now.done, now.total,
                    absl::StrCat(now.games, " games, ", now.rejected, " rejected"));
  };
  ASSIGN_OR_RETURN(const std::vector<std::string> files, book::ListImportFiles(arguments.paths));
  Imported sum;
  for (const std::vector<std::string>& portion : Portions(files, arguments.portion)) {
    book::Importer importer(context.rules(), options);
    RETURN_IF_ERROR(importer.AddFiles(portion));
    book::ImportReport report = importer.report();
    if (arguments.strict && report.rejected > 0) {
      // Nothing of it may come into the book: a mended file would count a second time.
      return MakeProblem({.code = "rejected",
                          .found = absl::StrCat(report.rejected, " rejected"),
                          .expected = absl::StrCat("none, with --strict; nothing",
                                                   arguments.portion > 0 ? " of this portion" : "",
                                                   " was imported")});
    }
    if (report.anything()) {
      ASSIGN_OR_RETURN(const auto store,
                       OpenBook(context, arguments.book, book::OpenMode::kCreate));
      ASSIGN_OR_RETURN(report, importer.Commit(*store, SourceName(arguments.paths)));
      ASSIGN_OR_RETURN(options.imported, book::BookStore(*store).ImportedFiles());
    }
    sum.report.Add(report);
  }
  if (weighed && sum.report.anything()) {
    ASSIGN_OR_RETURN(const auto store,
                     OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
    ASSIGN_OR_RETURN(sum.unweighed, book::BookStore(*store).Unweighed());
  }
  return sum;
}

// Sends the files to the coordinator, which adds them to its book one by one.
absl::StatusOr<Imported> Send(const ImportArguments& arguments, Context& context,
                              Progress& progress) {
  ASSIGN_OR_RETURN(const auto cluster, Reach(context, arguments.coordinator));
  ASSIGN_OR_RETURN(const std::vector<std::string> files, book::ListImportFiles(arguments.paths));
  Imported sum;
  uint64_t sent = 0;
  for (const std::string& path : files) {
    progress.Update("sending", sent++, files.size(), path);
    const bool piped = path == book::ImportSource::kStandardInput;
    ASSIGN_OR_RETURN(const std::string bytes, ReadFile(piped ? "/dev/stdin" : path));
    const absl::StatusOr<book::ImportReport> report = cluster->Import(
        {.name = piped ? "standard input" : std::filesystem::path(path).filename().string(),
         .format = arguments.from == kByContent ? "" : arguments.from,
         .plies = static_cast<uint32_t>(arguments.plies),
         .professional = arguments.professional,
         .again = arguments.again},
        bytes);
    if (absl::IsAlreadyExists(report.status())) {
      ++sum.report.files_known;
      continue;
    }
    RETURN_IF_ERROR(report.status());
    progress.Clear();
    for (const absl::Status& problem : report->first_problems) {
      context.err() << problem.message() << "\n";
    }
    sum.report.Add(*report);
  }
  return sum;
}

void Print(const Imported& imported, double seconds, Context& context) {
  const book::ImportReport& report = imported.report;
  const double rate = seconds > 0 ? static_cast<double>(report.games) / seconds : 0;
  if (context.json()) {
    Json object;
    object["games"] = report.games;
    object["book_positions"] = report.book_positions;
    object["files_known"] = report.files_known;
    object["filtered"] = report.filtered;
    object["rejected"] = report.rejected;
    object["positions"] = report.positions;
    object["moves"] = report.moves;
    object["unweighed"] = imported.unweighed;
    object["seconds"] = seconds;
    object["games_per_second"] = rate;
    object["rejects"] = report.rejects_by_reason;
    context.PrintJson(object);
    return;
  }
  context.out() << absl::StreamFormat(
      "%d games and %d book positions read, %d rejected; %d positions and %d moves are new; %.1f s",
      report.games, report.book_positions, report.rejected, report.positions, report.moves,
      seconds);
  if (report.games > 0) context.out() << absl::StreamFormat(", %.0f games/s", rate);
  context.out() << "\n";
  if (report.files_known > 0) {
    context.out() << absl::StreamFormat(
        "%d files were left out: the book is made of them already (--again counts them anyway)\n",
        report.files_known);
  }
  if (report.filtered > 0) {
    context.out() << report.filtered << " games were not wanted and left out\n";
  }
  if (imported.unweighed > 0) {
    context.out()
        << imported.unweighed
        << " moves of the book have no weight or are left out: `joseki book weigh` weighs "
           "them again\n";
  }
  if (!report.rejects_by_reason.empty()) context.out() << "rejected, by reason:\n";
  for (const auto& [reason, count] : report.rejects_by_reason) {
    context.out() << absl::StreamFormat("  %8d  %s\n", count, reason);
  }
}

void RunImport(const ImportArguments& arguments, Context& context) {
  const Clock& clock = Clock::System();
  const absl::Time began = clock.Now();
  const absl::StatusOr<Imported> imported = [&] {
    Progress progress(context.err(), clock, Progress::ForStandardError());
    return arguments.book.empty() ? Send(arguments, context, progress)
                                  : Import(arguments, context, progress);
  }();
  if (!imported.ok()) return context.Finish(imported.status());
  const book::ImportReport& report = imported->report;
  if (!report.anything()) {
    if (report.rejected > 0 && !context.json()) Print(*imported, 0, context);
    if (report.rejected == 0 && report.files_known > 0) {
      return context.Finish(MakeProblem(
          {.code = "already_imported",
           .found = absl::StrCat(report.files_known, " files that the book is made of already"),
           .expected = "new files, or --again to count them once more"}));
    }
    return context.Finish(
        MakeProblem({.code = "nothing_imported",
                     .found = absl::StrCat(report.rejected, " rejected, ", report.filtered,
                                           " not wanted, no game or book position left"),
                     .expected = "at least one game or book position"}));
  }
  Print(*imported, absl::ToDoubleSeconds(clock.Now() - began), context);
}

}  // namespace

CLI::Option* AddBookOption(CLI::App& command, std::string& path) {
  return command.add_option("--book", path, "the book's database")->required()->type_name("FILE");
}

CLI::Validator IsRunNumber() {
  return Within(uint64_t{1}, uint64_t{1'000'000'000}).description("");
}

void AddImport(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ImportArguments>();
  CLI::App* command = app.add_subcommand(
      "import",
      "Adds game records (of shogi CSA, KIF, KI2, JKF, USI; of xiangqi UCCI, PGN, XQF) and books "
      "of other programs to a book; a new book of xiangqi is made with --game xiangqi");
  CLI::Option* const book = AddBookOption(*command, arguments->book)->required(false);
  command->add_option("--from", arguments->from, "format of the files, instead of by content")
      ->check(OneOf(book::ImportFormatNames()));
  command
      ->add_option("--plies", arguments->plies,
                   "number of plies of each game that become book moves")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command->add_flag("--professional", arguments->professional, "the games are professionals'");
  command->add_flag("--again", arguments->again,
                    "count files again whose content was imported before");
  const size_t of_both = command->get_options().size();  // the options up to here
  command
      ->add_option_function<std::string>(
          "--filter",
          [arguments](const std::string& text) {
            const absl::StatusOr<book::NoiseFilter> filter = book::ParseNoiseFilter(text);
            if (!filter.ok()) {
              throw CLI::ValidationError("--filter", std::string(filter.status().message()));
            }
            arguments->filter = *filter;
          },
          "in positions seen more than SEEN times, drop moves played fewer than PLAYED times; "
          "never applied to books")
      ->type_name("SEEN/PLAYED");
  AddGameFilter(*command, arguments->games);
  command
      ->add_option("--threads", arguments->threads,
                   "threads that read files, 0 for one a processor; the book is the same")
      ->check(Within(0, 256));
  CLI::Option* const portion =
      command
          ->add_option("--portion", arguments->portion,
                       "megabytes of files in a commit: memory is bounded, and an interrupted "
                       "import goes on where it was; 0: all or nothing")
          ->check(Within(uint64_t{0}, uint64_t{1} << 20))
          ->type_name("MB");
  portion->excludes("--filter");
  command
      ->add_option("--memory", arguments->memory,
                   "megabytes of input held in memory, the rest goes to files beside the book; the "
                   "book is the same")
      ->check(Within(uint64_t{1}, uint64_t{1} << 20))
      ->capture_default_str()
      ->type_name("MB");
  command->add_flag("--variations", arguments->variations,
                    "import the variations of records, as moves of a book");
  command->add_flag("--evaluations", arguments->evaluations,
                    "import engines' evaluations in comments, as values of a book's moves");
  command->add_flag("--strict", arguments->strict,
                    "if anything is rejected, import nothing and fail");
  const std::vector<CLI::Option*> options = command->get_options();
  CLI::Option* const coordinator =
      AddCoordinatorOption(*command, arguments->coordinator)
          ->description(
              "instead of --book: sends the files, each of at most 1 GiB, to a coordinator")
          ->default_str("");
  coordinator->excludes(book);
  for (size_t i = of_both; i < options.size(); ++i) coordinator->excludes(options[i]);
  command
      ->add_option("paths", arguments->paths,
                   "files, folders to search, and - for the standard input")
      ->required()
      ->type_name("FILE|DIR");
  command->callback([=, &context] {
    if (book->empty() && coordinator->empty()) {
      throw CLI::RequiredError("--book or --coordinator");
    }
    RunImport(*arguments, context);
  });
}

}  // namespace joseki::cli
