#include <memory>
#include <ostream>
#include <string>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "coordinator/offline/invariants.h"

namespace joseki::cli {
namespace {

absl::Status RunAudit(const std::string& path, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, path, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const coordinator::InvariantReport report,
                   coordinator::CheckInvariants(*store, context.rules(), {}));
  if (context.json()) {
    Json object;
    object["games"] = report.games;
    object["weights"] = report.weights;
    object["mismatches"] = report.violations;
    object["first_mismatches"] = report.first;
    context.PrintJson(object);
  } else {
    for (const std::string& mismatch : report.first) context.out() << mismatch << "\n";
    context.out() << report.games << " games replayed, " << report.weights
                  << " weights rebuilt and compared, " << report.violations << " mismatches\n";
  }
  if (report.violations > 0) context.set_exit_status(kFailed);
  return absl::OkStatus();
}

}  // namespace

void AddAudit(CLI::App& app, Context& context) {
  auto path = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "audit", "Checks the file, replays every game, and compares the weights that they give");
  AddBookOption(*command, *path);
  command->callback([path, &context] { context.Finish(RunAudit(*path, context)); });
}

}  // namespace joseki::cli
