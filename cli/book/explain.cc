#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/turned.h"
#include "cli/book/position_argument.h"
#include "cli/commands.h"
#include "coordinator/offline/export_profile.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/store/store.h"

namespace joseki::cli {
namespace {

struct Arguments {
  std::string book;
  std::string profile = "yo-single";
  uint64_t run = 0;
  std::vector<std::string> position;
};

// The engine's view of one position of the book.
struct Explained {
  book::DbPosition written;
  book::Probe probe;
};

// The position as the profile writes it, perhaps turned.
absl::StatusOr<Explained> Explain(const coordinator::ExportBook& book,
                                  coordinator::ExportProfile profile, const GameState& state,
                                  const std::string& file) {
  const std::vector<book::DbPosition> positions = coordinator::PositionsFor(book, profile);
  for (const bool turned : {false, true}) {
    if (turned && profile != coordinator::ExportProfile::kPeta) continue;
    book::DbPosition wanted;
    wanted.packed = state.packed();
    if (turned) wanted = book::Turned(wanted);
    const auto at = std::lower_bound(
        positions.begin(), positions.end(), wanted,
        [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
    if (at == positions.end() || at->packed != wanted.packed) continue;
    Explained explained{.written = turned ? book::Turned(*at) : *at, .probe = {}};
    explained.probe = coordinator::ProbeFor(explained.written, profile);
    return explained;
  }
  return MakeProblem({.code = "not_in_book",
                      .file = file,
                      .found = state.text(),
                      .expected = "a position of the book"},
                     absl::StatusCode::kNotFound);
}

void Print(const Explained& explained, const std::vector<std::string>& options, const Rules& rules,
           Context& context) {
  for (const std::string& option : options) context.out() << "with " << option << "\n";
  if (!explained.probe.why.empty()) {
    context.out() << "nothing is played: " << explained.probe.why << "\n";
  }
  context.out() << "  move     played   value  depth       count\n";
  for (size_t i = 0; i < explained.written.moves.size(); ++i) {
    const book::DbMove& move = explained.written.moves[i];
    const book::Probe::Choice& choice = explained.probe.choices[i];
    context.out() << absl::StreamFormat("  %-6s %6.1f %% %7d %6d %11d  %s\n", rules.Text(move.move),
                                        100 * choice.share, move.value, move.depth, move.count,
                                        choice.why);
  }
}

Json JsonOf(const Explained& explained, const Rules& rules) {
  Json moves = Json::array();
  for (size_t i = 0; i < explained.written.moves.size(); ++i) {
    const book::DbMove& move = explained.written.moves[i];
    const book::Probe::Choice& choice = explained.probe.choices[i];
    moves.push_back({{"move", rules.Text(move.move)},
                     {"share", choice.share},
                     {"value", move.value},
                     {"depth", move.depth},
                     {"count", move.count},
                     {"refused_by", choice.option},
                     {"why", choice.why}});
  }
  return moves;
}

absl::Status RunExplain(const Arguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  ASSIGN_OR_RETURN(const auto store,
                   coordinator::Store::Open(arguments.book, coordinator::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const coordinator::ExportBook book,
                   coordinator::LoadExport(*store, context.rules(), arguments.run));
  const coordinator::ExportProfile profile = *coordinator::ExportProfileOf(arguments.profile);
  ASSIGN_OR_RETURN(const Explained explained, Explain(book, profile, *state, store->path()));
  const std::vector<std::string> options = coordinator::OptionsFor(profile);
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    object["profile"] = arguments.profile;
    object["options"] = options;
    object["refused_by"] = explained.probe.option;
    object["moves"] = JsonOf(explained, context.rules());
    context.PrintJson(object);
  } else {
    context.out() << state->text() << "\n";
    Print(explained, options, context.rules(), context);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookExplain(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = book.add_subcommand(
      "explain", "What an engine would do with a position of the exported book, and why");
  AddBookOption(*command, arguments->book);
  command->add_option("--profile", arguments->profile, "how the book is exported")
      ->check(CLI::IsMember(coordinator::ExportProfileNames()))
      ->capture_default_str();
  command->add_option("--run", arguments->run, "the run to export")->type_name("R");
  command->add_option("position", arguments->position,
                      "startpos (the default) or an SFEN, then perhaps \"moves 7g7f ...\"");
  command->callback([arguments, &context] { context.Finish(RunExplain(*arguments, context)); });
}

}  // namespace joseki::cli
