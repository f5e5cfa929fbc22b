#include <memory>
#include <ostream>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "cli/commands.h"
#include "cli/online.h"
#include "cli/rpc.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/store/store.h"

namespace joseki::cli {
namespace {

struct Arguments {
  std::string book;
  Connection coordinator{.address = "", .tls = {}};  // instead of the book
  std::string format;
  std::string out;
  uint64_t run = 0;
};

absl::StatusOr<std::string> BookBytes(const Arguments& arguments, const Rules& rules) {
  if (!arguments.coordinator.address.empty()) {
    return Cluster::At(arguments.coordinator, rules)->ExportBook(arguments.run, arguments.format);
  }
  ASSIGN_OR_RETURN(const auto store,
                   coordinator::Store::Open(arguments.book, coordinator::OpenMode::kReadOnly));
  return coordinator::Export(*store, rules, arguments.run,
                             *coordinator::ExportFormatOf(arguments.format));
}

absl::Status RunExport(const Arguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const std::string bytes, BookBytes(arguments, context.rules()));
  RETURN_IF_ERROR(WriteFileAtomically(arguments.out, bytes));
  if (context.json()) {
    Json object;
    object["out"] = arguments.out;
    object["format"] = arguments.format;
    object["run"] = arguments.run;
    object["bytes"] = bytes.size();
    context.PrintJson(object);
  } else {
    context.out() << "wrote " << arguments.out << " (" << bytes.size() << " bytes)\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddExport(CLI::App& app, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("export", "Writes a book, or a run's tuned book, to a file");
  CLI::Option* const book = AddBookOption(*command, arguments->book)->required(false);
  CLI::Option* const coordinator = command
                                       ->add_option("--coordinator", arguments->coordinator.address,
                                                    "a running coordinator's book")
                                       ->type_name("HOST:PORT");
  book->excludes(coordinator);
  AddTlsOptions(*command, arguments->coordinator.tls);
  command->add_option("--format", arguments->format, "format of the file")
      ->required()
      ->check(CLI::IsMember({"yaneuraou-db", "ybb", "apery", "json"}));
  command->add_option("--run", arguments->run, "the run to export; without it the book itself")
      ->type_name("R");
  command->add_option("--out", arguments->out, "file to write, all or nothing")
      ->required()
      ->type_name("FILE");
  command->callback([arguments, &context] {
    if (arguments->book.empty() && arguments->coordinator.address.empty()) {
      throw CLI::RequiredError("--book or --coordinator");
    }
    context.Finish(RunExport(*arguments, context));
  });
}

}  // namespace joseki::cli
