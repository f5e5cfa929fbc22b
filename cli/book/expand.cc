#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/clock.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/expanding_book.h"
#include "cli/book/expansion.h"
#include "cli/book/leaf_expansion.h"
#include "cli/cluster/local_cluster.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/progress.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/search_expansion.h"
#include "proto/limits.h"
#include "worker/play/embedded_engine.h"

namespace joseki::cli {
namespace {

struct ExpandArguments {
  std::string book;
  std::string method = "near-start";
  ExpansionOptions options;
  LeafExpansionOptions leaves;
  uint64_t run = 0;
};

// The signature of the engine that searches.
Json SignatureJson(const Rules& rules) {
  const uint64_t signature = worker::EmbeddedEngineOf(rules.game()).signature();
  return absl::StrCat(absl::Hex(signature, absl::kZeroPad16));
}

std::string OptionsJson(const ExpansionOptions& options, const Rules& rules) {
  Json json;
  json["engine_signature"] = SignatureJson(rules);
  json["nodes"] = options.nodes;
  json["plies"] = options.plies;
  json["width"] = options.width;
  json["margin"] = options.margin;
  return json.dump();
}

std::string OptionsJson(const ExpandArguments& arguments, const Rules& rules) {
  Json json;
  json["engine_signature"] = SignatureJson(rules);
  json["method"] = arguments.method;
  json["nodes"] = arguments.options.nodes;
  json["leaves"] = arguments.leaves.leaves;
  if (arguments.leaves.method == LeafExpansionOptions::Method::kDropOut) {
    json["per_centipawn"] = arguments.leaves.per_centipawn;
  }
  return json.dump();
}

// The book's positions and moves, each move with its own value before minimax.
absl::StatusOr<book::ExpandingBook> BookToExpand(book::Store& store, const Rules& rules) {
  ASSIGN_OR_RETURN(const coordinator::ExportBook book, coordinator::ExportOfBook(store, rules));
  std::vector<book::ExpandingBook::Entry> entries;
  for (const coordinator::ExportBook::Position& position : book.positions) {
    book::ExpandingBook::Entry& entry = entries.emplace_back();
    entry.packed = position.packed;
    entry.ply = position.ply;
    for (const coordinator::ExportBook::Move& move : position.moves) {
      entry.moves.push_back({move.move, move.worth});
    }
  }
  return book::ExpandingBook::Of(rules, std::move(entries));
}

// Looks for a signal after each search: what was found until then is kept.
class Interruption {
 public:
  explicit Interruption(Context& context) : context_(context) {}
  bool Heard() {
    heard_ = heard_ || signals_.Wait(absl::ZeroDuration());
    if (heard_) context_.set_exit_status(kInterrupted);
    return heard_;
  }
  bool heard() const { return heard_; }

 private:
  Context& context_;
  SignalWait signals_;
  bool heard_ = false;
};

absl::Status RunLeaves(const ExpandArguments& arguments, Context& context) {
  Interruption interruption(context);
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(book::ExpandingBook book, BookToExpand(*store, context.rules()));
  ASSIGN_OR_RETURN(const auto player, worker::EmbeddedEngineOf(context.rules().game()).make({}));
  LeafExpansionOptions options = arguments.leaves;
  options.nodes = arguments.options.nodes;
  ASSIGN_OR_RETURN(const LeafExpansion expansion,
                   ExpandLeaves(context.rules(), book, *player, options, [&](int done, int of) {
                     progress.Update("expanding", static_cast<uint64_t>(done),
                                     static_cast<uint64_t>(of),
                                     absl::StrCat(done, " of ", of, " leaves"));
                     return interruption.Heard();
                   }));
  book::BookImport import(*store, "expand", "embedded engine",
                          OptionsJson(arguments, context.rules()));
  for (const book::DbPosition& position : expansion.positions) {
    RETURN_IF_ERROR(import.AddBook(position));
  }
  ASSIGN_OR_RETURN(const book::BookImport::Totals totals, import.Commit(0, 0));
  progress.Clear();
  if (context.json()) {
    Json object;
    object["expanded"] = expansion.expanded;
    object["searched"] = expansion.searches;
    object["positions"] = totals.new_positions;
    object["moves"] = totals.new_moves;
    object["root_before"] = expansion.root_before;
    object["root_after"] = expansion.root_after;
    object["interrupted"] = interruption.heard();
    context.PrintJson(object);
  } else {
    context.out() << expansion.expanded << " leaves expanded by " << expansion.searches
                  << " searches; " << totals.new_positions << " positions and " << totals.new_moves
                  << " moves are new; the start is worth " << expansion.root_before
                  << " before and " << expansion.root_after << " after\n";
    if (interruption.heard()) {
      context.out() << "Interrupted; what was found is kept. A further call goes on from there.\n";
    } else if (expansion.expanded < options.leaves) {
      context.out() << "no further leaf: the line repeats itself, or all of them are over\n";
    }
  }
  return absl::OkStatus();
}

absl::Status RunExpand(const ExpandArguments& arguments, Context& context) {
  Interruption interruption(context);
  Progress progress(context.err(), Clock::System(), Progress::ForStandardError());
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const book::Graph graph, book::BookStore(*store).LoadGraph(context.rules()));
  ASSIGN_OR_RETURN(const auto player, worker::EmbeddedEngineOf(context.rules().game()).make({}));
  ASSIGN_OR_RETURN(
      std::vector<book::DbPosition> positions,
      Expand(graph, context.rules(), *player, arguments.options, [&](size_t done, size_t known) {
        progress.Update("expanding", done, known, absl::StrCat(done, " of ", known, " positions"));
        return interruption.Heard();
      }));
  std::sort(
      positions.begin(), positions.end(),
      [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
  book::BookImport import(*store, "expand", "embedded engine",
                          OptionsJson(arguments.options, context.rules()));
  for (const book::DbPosition& position : positions) RETURN_IF_ERROR(import.AddBook(position));
  ASSIGN_OR_RETURN(const book::BookImport::Totals totals, import.Commit(0, 0));
  progress.Clear();
  if (context.json()) {
    Json object;
    object["searched"] = positions.size();
    object["positions"] = totals.new_positions;
    object["moves"] = totals.new_moves;
    object["interrupted"] = interruption.heard();
    context.PrintJson(object);
  } else {
    context.out() << positions.size() << " positions searched; " << totals.new_positions
                  << " positions and " << totals.new_moves << " moves are new\n";
    if (interruption.heard()) {
      context.out() << "Interrupted; what was found is kept, the positions nearest to the start.\n";
    }
  }
  return absl::OkStatus();
}

absl::Status RunSearched(const ExpandArguments& arguments, Context& context) {
  if (arguments.run == 0) {
    return MakeProblem({.code = "bad_option",
                        .file = "--run",
                        .found = "no run",
                        .expected = "the run whose workers have searched"});
  }
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const coordinator::SearchExpansionReport report,
                   coordinator::ExpandBySearches(*store, context.rules(), arguments.run));
  if (context.json()) {
    Json object;
    object["run"] = arguments.run;
    object["searched"] = report.searches;
    object["left_out"] = report.left_out;
    object["positions"] = report.new_positions;
    object["moves"] = report.new_moves;
    context.PrintJson(object);
  } else {
    context.out() << report.searches << " searches by workers of run " << arguments.run << ", "
                  << report.left_out << " left out; " << report.new_positions << " positions and "
                  << report.new_moves << " moves are new\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookExpand(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<ExpandArguments>();
  CLI::App* command = book.add_subcommand(
      "expand", "Adds the embedded engine's own moves: near the start, or where lines end");
  AddBookOption(*command, arguments->book);
  ExpansionOptions& options = arguments->options;
  command
      ->add_option("--method", arguments->method,
                   "near-start: at every position near the start; principal: at the end of the "
                   "line that both sides would choose, repeatedly; drop-out: at the ends of lines "
                   "that give the least away; searched: at the positions that the workers of a run "
                   "have searched (its evaluations)")
      ->check(OneOf({"near-start", "principal", "drop-out", "searched"}))
      ->capture_default_str();
  LeafExpansionOptions& leaves = arguments->leaves;
  command->add_option("--leaves", leaves.leaves, "principal, drop-out: number of ends of lines")
      ->check(Within(1, 100'000'000))
      ->capture_default_str();
  command
      ->add_option("--per-centipawn", leaves.per_centipawn,
                   "drop-out: plies of depth that equal a centipawn given away")
      ->check(Within(0.0, 1000.0))
      ->capture_default_str();
  command->add_option("--nodes", options.nodes, "nodes of each search")
      ->check(Within(uint64_t{1}, kMaxNodes))
      ->capture_default_str();
  command
      ->add_option("--plies", options.plies,
                   "largest distance of a position from the start, in plies")
      ->check(Within(1, 1000))
      ->capture_default_str();
  command->add_option("--width", options.width, "number of the engine's best moves at a position")
      ->check(Within(1, 600))
      ->capture_default_str();
  command
      ->add_option("--margin", options.margin,
                   "leave out moves that are this many centipawns below the best")
      ->check(Within(0, 100'000))
      ->capture_default_str();
  command->add_option("--run", arguments->run, "searched: number of the run")
      ->type_name("R")
      ->check(IsRunNumber());
  command->callback([arguments, &context] {
    if (arguments->method == "searched") return context.Finish(RunSearched(*arguments, context));
    arguments->leaves.method = arguments->method == "drop-out"
                                   ? LeafExpansionOptions::Method::kDropOut
                                   : LeafExpansionOptions::Method::kPrincipal;
    context.Finish(arguments->method == "near-start" ? RunExpand(*arguments, context)
                                                     : RunLeaves(*arguments, context));
  });
}

}  // namespace joseki::cli
