#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "cli/boards/game_view.h"
#include "cli/cluster/online.h"
#include "cli/cluster/rpc.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/export_style.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {
namespace {

struct ExportArguments {
  std::string book;
  Connection coordinator;  // instead of the book
  std::string format;
  std::string style;
  std::string side;
  std::string out;
  uint64_t run = 0;
};

struct Exported {
  coordinator::ExportedFile file;
  std::string format;
};

absl::StatusOr<Exported> ExportHere(const ExportArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  coordinator::ExportRequest request;
  request.run = arguments.run;
  request.style = coordinator::ExportStyleOf(arguments.style);
  if (!arguments.side.empty()) {
    ASSIGN_OR_RETURN(request.side, SideNamed(context.rules(), arguments.side, "--side"));
  }
  Exported exported;
  exported.format = arguments.format;
  if (exported.format.empty()) {
    exported.format = std::string(book::Name(coordinator::DefaultFormat(*request.style)));
  }
  request.format = *coordinator::ExportFormatOf(exported.format);
  ASSIGN_OR_RETURN(exported.file, coordinator::ExportFile(*store, context.rules(), request));
  return exported;
}

// Adds to an unreachable coordinator's error that a local book needs none.
absl::Status WithTheOtherWay(const absl::Status& unreached) {
  if (!IsGone(unreached)) return unreached;
  Problem problem = ProblemOf(unreached);
  problem.expected += ", or --book FILE, which needs none";
  return MakeProblem(problem, unreached.code());
}

absl::StatusOr<Exported> ExportThere(const ExportArguments& arguments, Context& context) {
  Exported exported;
  auto cluster = Reach(context, arguments.coordinator);
  if (!cluster.ok()) return WithTheOtherWay(cluster.status());
  exported.format = arguments.format;
  ASSIGN_OR_RETURN(exported.file, (*cluster)->ExportBook(arguments.run, exported.format));
  return exported;
}

// Throws if the options contradict each other.
void Check(const ExportArguments& arguments) {
  if (arguments.format.empty() && arguments.style.empty()) {
    throw CLI::RequiredError("--format or --profile");
  }
  if (arguments.book.empty() && (!arguments.style.empty() || !arguments.side.empty())) {
    throw CLI::ValidationError("--profile and --side", "need the book's own database (--book)");
  }
  if (arguments.style.empty()) return;
  const coordinator::ExportStyle style = *coordinator::ExportStyleOf(arguments.style);
  if (!arguments.format.empty() &&
      !coordinator::MayBeWrittenAs(style, *coordinator::ExportFormatOf(arguments.format))) {
    throw CLI::ValidationError("--format",
                               arguments.format + " cannot hold the profile " + arguments.style);
  }
  if (style == coordinator::ExportStyle::kPeta && !arguments.side.empty()) {
    throw CLI::ValidationError("--side", "peta is one book for both sides");
  }
}

absl::Status RunExport(const ExportArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const Exported exported, arguments.book.empty()
                                                ? ExportThere(arguments, context)
                                                : ExportHere(arguments, context));
  const coordinator::ExportedFile& file = exported.file;
  RETURN_IF_ERROR(WriteFileAtomically(arguments.out, file.bytes));
  if (context.json()) {
    Json object;
    object["out"] = arguments.out;
    object["format"] = exported.format;
    object["profile"] = arguments.style;
    object["options"] = file.options;
    object["warnings"] = file.warnings;
    object["notes"] = file.notes;
    object["run"] = arguments.run;
    object["positions"] = file.positions;
    object["moves"] = file.moves;
    object["bytes"] = file.bytes.size();
    context.PrintJson(object);
  } else {
    const Voice& voice = context.voice();
    context.out() << voice.Say(phrase::kWrote, arguments.out, file.positions, file.bytes.size());
    for (const auto* const lines : {&file.options, &file.warnings, &file.notes}) {
      for (const std::string& line : *lines) {
        context.out() << SentenceText(voice, line) << "\n";
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

void AddExport(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<ExportArguments>();
  CLI::App* command =
      app.add_subcommand("export", "Writes a book, or a run's tuned book, to a file");
  CLI::Option* const book = AddBookOption(*command, arguments->book)->required(false);
  book->excludes(AddCoordinatorOption(*command, arguments->coordinator)
                     ->description("whose book it is, where none is named by --book"));
  command->add_option("--format", arguments->format, "format of the file")
      ->check(OneOf(book::NamesOf(book::IsWritten)));
  command
      ->add_option(
          "--profile", arguments->style,
          "write it so that this kind of engine plays what was tuned (docs/reference/formats.md)")
      ->check(OneOf(coordinator::ExportStyleNames()));
  command->add_option("--side", arguments->side, "only the positions where this side moves")
      ->check(OneOf(SideWords()));
  command->add_option("--run", arguments->run, "the run to export; without it the book itself")
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_option("--out", arguments->out, "file to write, all or nothing")
      ->required()
      ->type_name("FILE");
  command->callback([arguments, &context] {
    Check(*arguments);
    context.Finish(RunExport(*arguments, context));
  });
}

}  // namespace joseki::cli
