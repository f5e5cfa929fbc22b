#include <sys/resource.h>

#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/clock.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/boards/game_view.h"
#include "cli/commands.h"
#include "coordinator/offline/converter.h"

namespace joseki::cli {
namespace {

constexpr size_t kConvertRejectsShown = 50;

struct ConvertArguments {
  std::string in;
  std::string out;
  std::string from = "auto";
  std::string format;
  std::string side;
  bool fold = false;
  int threads = 0;
  uint64_t memory = 256;
};

// Peak memory of this process so far.
int64_t PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void Print(const coordinator::ConvertReport& report, const ConvertArguments& arguments,
           double seconds, Context& context) {
  const double rate = seconds > 0 ? static_cast<double>(report.positions) / seconds : 0;
  if (context.json()) {
    Json object;
    object["positions"] = report.positions;
    object["moves"] = report.moves;
    object["written"] = report.written;
    object["unreached"] = report.unreached;
    object["kept_unreached"] = report.kept_unreached;
    object["rejects"] = report.rejects_by_reason;
    object["losses"] = report.losses;
    object["bytes"] = report.bytes;
    object["sha256"] = report.sha256.empty() ? Json() : Json(report.sha256);
    object["seconds"] = seconds;
    object["positions_per_second"] = rate;
    object["peak_mb"] = PeakMegabytes();
    context.PrintJson(object);
    return;
  }
  context.out() << absl::StreamFormat(
      "%d positions and %d moves read in %.2f s, %.0f positions/s\n", report.positions,
      report.moves, seconds, rate);
  for (const auto& [reason, count] : report.rejects_by_reason) {
    context.out() << absl::StreamFormat("  left out: %d  %s\n", count, reason);
  }
  if (report.unreached > 0) {
    context.out() << report.unreached << " records stand for positions that no walk comes to"
                  << (report.kept_unreached ? "; they were written as they are\n" : "\n");
  }
  if (!arguments.out.empty()) {
    context.out() << absl::StreamFormat("wrote %s: %d positions, %d bytes\n", arguments.out,
                                        report.written, report.bytes);
  }
  for (const std::string& loss : report.losses) {
    context.err() << "warning: lost: " << loss << "\n";
  }
}

absl::Status RunConvert(const ConvertArguments& arguments, Context& context) {
  const Clock& clock = Clock::System();
  const absl::Time began = clock.Now();
  std::vector<std::string> rejects;  // the first ones
  coordinator::ConvertOptions options;
  options.from = *book::ImportFormatOf(arguments.from);
  if (!arguments.format.empty()) options.to = coordinator::ExportFormatOf(arguments.format);
  options.fold = arguments.fold;
  if (!arguments.side.empty()) {
    ASSIGN_OR_RETURN(options.side, SideNamed(context.rules(), arguments.side, "--side"));
  }
  options.threads = arguments.threads;
  options.out = arguments.out;
  options.memory = arguments.memory << 20;
  options.on_reject = [&](const absl::Status& problem) {
    if (rejects.size() < kConvertRejectsShown) rejects.emplace_back(problem.message());
  };
  ASSIGN_OR_RETURN(const coordinator::ConvertReport report,
                   coordinator::ConvertBook(arguments.in, options));
  for (const std::string& reject : rejects) context.err() << reject << "\n";
  if (rejects.size() == kConvertRejectsShown) context.err() << "further rejects are only counted\n";
  Print(report, arguments, absl::ToDoubleSeconds(clock.Now() - began), context);
  return absl::OkStatus();
}

}  // namespace

void AddBookConvert(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* command = book.add_subcommand(
      "convert", "Reads a book of another program, and writes it in another format");
  command->add_option("file", arguments->in, "the book")->required()->type_name("FILE");
  CLI::Option* out =
      command->add_option("--out", arguments->out, "file to write; without it the book is checked")
          ->type_name("FILE");
  CLI::Option* format =
      command->add_option("--format", arguments->format, "format of the file to write")
          ->check(OneOf(book::NamesOf(book::IsWritten)));
  out->needs(format);
  format->needs(out);
  command->add_option("--from", arguments->from, "format of the book")
      ->check(OneOf(book::ImportFormatNames()))
      ->capture_default_str();
  command->add_option("--side", arguments->side, "only the positions where this side moves")
      ->check(OneOf(SideWords()))
      ->needs(out);
  command
      ->add_flag("--fold", arguments->fold,
                 "turn every position so that Black moves; counts of both colours add up")
      ->needs(out);
  command
      ->add_option("--threads", arguments->threads,
                   "threads that read, 0 for one a processor; the file is the same")
      ->check(Within(0, 256));
  command
      ->add_option("--memory", arguments->memory,
                   "megabytes of a .db, .ybb, JSON or probe file in memory at a time, the rest "
                   "goes to files beside --out; the file is the same")
      ->check(Within(uint64_t{16}, uint64_t{1} << 20))
      ->capture_default_str()
      ->type_name("MB");
  command->callback([arguments, &context] { context.Finish(RunConvert(*arguments, context)); });
}

}  // namespace joseki::cli
