#include "cli/page/foreign_book.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "cli/progress.h"

namespace joseki::cli {
namespace {

absl::Status NothingIn(const std::string& file, const book::ImportReport& report) {
  Problem problem{
      .code = "nothing_imported",
      .file = file,
      .found = "no game and no position",
      .expected = "a database of joseki, or a book or records that `joseki import` reads"};
  if (!report.first_problems.empty()) {
    const absl::Status& first = report.first_problems.front();
    problem.found = std::string(first.message());
    // The files of an archive do not tell the game before they are read.
    if (ProblemOf(first).code == "other_game") {
      problem.expected += ", of the game that --game names";
    }
  }
  return MakeProblem(std::move(problem), absl::StatusCode::kFailedPrecondition);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ForeignBook>> ForeignBook::Import(const std::string& file,
                                                                 Context& context) {
  std::error_code error;
  std::string folder = std::filesystem::temp_directory_path(error) / "joseki-page-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    return FileProblem(errno, folder, "a folder for temporary files (TMPDIR)");
  }
  std::unique_ptr<ForeignBook> book(new ForeignBook(std::move(folder)));
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  book::ImportOptions options;
  options.spill_folder = book->folder_;
  options.on_progress = [&](const book::ImportProgress& now) {
    progress.Update(now.writing ? "writing" : "reading", now.done, now.total,
                    absl::StrCat(now.rejected, " rejected"));
  };
  book::Importer importer(context.rules(), std::move(options));
  RETURN_IF_ERROR(importer.AddFiles({file}));
  const book::ImportReport& report = importer.report();
  progress.Clear();
  if (!report.anything()) return NothingIn(file, report);
  ASSIGN_OR_RETURN(const auto store, book::Store::Open(book->database(), book::OpenMode::kCreate,
                                                       context.rules().game()));
  ASSIGN_OR_RETURN(const book::ImportReport written, importer.Commit(*store, file));
  context.err() << file << ": " << written.positions << " positions and " << written.moves
                << " moves read, " << written.rejected << " rejected\n";
  return book;
}

ForeignBook::~ForeignBook() {
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
}

}  // namespace joseki::cli
