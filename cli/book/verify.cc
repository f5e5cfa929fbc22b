#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/progress.h"

namespace joseki::cli {
namespace {

constexpr size_t kProblemsShown = 50;

struct Findings {
  int64_t positions = 0;
  int64_t moves = 0;
  int64_t problem_count = 0;
  std::vector<std::string> problems;  // the first of them

  void Add(std::string problem) {
    ++problem_count;
    if (problems.size() < kProblemsShown) problems.push_back(std::move(problem));
  }
};

void CheckPosition(const book::BookPosition& position, const Rules& rules, Findings& findings) {
  ++findings.positions;
  const auto state = rules.Start(position.packed, MatchRules{});
  if (!state.ok()) {
    findings.Add(
        absl::StrCat("a position that cannot be: ", std::string(state.status().message())));
    return;
  }
  if ((*state)->packed() != position.packed) {
    findings.Add(absl::StrCat("a position in another than its canonical form: ", (*state)->text()));
  }
  for (const book::BookMove& move : position.moves) {
    ++findings.moves;
    const auto next = rules.Start(position.packed, MatchRules{});
    if (!next.ok() || !(*next)->Play(move.move)) {
      findings.Add(absl::StrCat("an illegal move: ", rules.Text(move.move), " in ",
                                rules.Text(position.packed, position.ply)));
    }
  }
}

absl::StatusOr<Findings> Verify(const std::string& path, Context& context) {
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, path, book::OpenMode::kReadOnly));
  book::BookStore book(*store);
  Findings findings;
  ASSIGN_OR_RETURN(const std::vector<std::string> unsound, book.Check());
  for (const std::string& problem : unsound) findings.Add(problem);
  ASSIGN_OR_RETURN(const book::BookTotals totals, book.Totals());
  RETURN_IF_ERROR(book.ForEach([&](const book::BookPosition& position) {
    CheckPosition(position, context.rules(), findings);
    progress.Update("verifying", static_cast<uint64_t>(findings.positions),
                    static_cast<uint64_t>(totals.positions),
                    absl::StrCat(findings.positions, " positions"));
    return absl::OkStatus();
  }));
  if (findings.positions != totals.positions || findings.moves != totals.moves) {
    findings.Add(absl::StrCat("read ", findings.positions, " positions and ", findings.moves,
                              " moves, the tables hold ", totals.positions, " and ", totals.moves));
  }
  return findings;
}

absl::Status RunVerify(const std::string& path, Context& context) {
  ASSIGN_OR_RETURN(const Findings findings, Verify(path, context));
  if (context.json()) {
    Json object;
    object["positions"] = findings.positions;
    object["moves"] = findings.moves;
    object["problems"] = findings.problem_count;
    object["first_problems"] = findings.problems;
    context.PrintJson(object);
  } else {
    for (const std::string& problem : findings.problems) context.out() << problem << "\n";
    context.out() << findings.positions << " positions and " << findings.moves << " moves checked, "
                  << findings.problem_count << " problems\n";
  }
  if (findings.problem_count > 0) context.set_exit_status(kFailed);
  return absl::OkStatus();
}

}  // namespace

void AddBookVerify(CLI::App& book, Context& context) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = book.add_subcommand(
      "verify", "Checks the file, the rows among themselves and every move by the rules");
  AddBookOption(*command, *path);
  command->callback([path, &context] { context.Finish(RunVerify(*path, context)); });
}

}  // namespace joseki::cli
