#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/book_file.h"
#include "cli/commands.h"
#include "cli/match/book.h"
#include "coordinator/offline/book_diff.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/store/store.h"

namespace joseki::cli {
namespace {

using coordinator::BookDiff;
using coordinator::ExportBook;
using coordinator::MoveDiff;
using coordinator::PositionDiff;

struct Arguments {
  std::string before;
  std::string after;
  size_t limit = 20;
};

// A book, or a run's tuned one, or a file of another program.
absl::StatusOr<ExportBook> Load(const std::string& name, const Rules& rules) {
  const size_t hash = name.rfind('#');
  coordinator::RunId run = 0;
  std::string path = name;
  if (hash != std::string::npos && absl::SimpleAtoi(name.substr(hash + 1), &run)) {
    path = name.substr(0, hash);
  }
  if (IsDatabase(path)) {
    ASSIGN_OR_RETURN(const auto store,
                     coordinator::Store::Open(path, coordinator::OpenMode::kReadOnly));
    return coordinator::LoadExport(*store, rules, run);
  }
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  const std::optional<book::BookFormat> format = book::BookFormatOf(bytes);
  if (!format.has_value()) {
    return MakeProblem({.code = "not_a_book",
                        .file = path,
                        .found = "a file of another kind",
                        .expected = "a database of Joseki, or a book of another program"});
  }
  std::vector<book::DbPosition> positions;
  RETURN_IF_ERROR(book::ReadBook(
      *format, bytes, path,
      {.accept = [&](book::DbPosition position) { positions.push_back(std::move(position)); },
       .reject = [](const absl::Status&) {}}));
  return coordinator::ExportOfPositions(std::move(positions), *format);
}

std::string EvidenceText(const std::optional<ExportBook::Move>& move) {
  if (!move.has_value()) return "-";
  const book::Evidence& e = move->evidence;
  std::string text =
      absl::StrFormat("n %d, %d-%d-%d", move->games + move->book_count, e.wins, e.draws, e.losses);
  if (e.decided() > 0) absl::StrAppendFormat(&text, " [%.2f, %.2f]", move->low, move->high);
  absl::StrAppendFormat(&text, ", weight %.6g", move->weight);
  if (move->value.has_value()) absl::StrAppend(&text, ", value ", *move->value);
  if (!move->mark.empty()) absl::StrAppend(&text, ", ", move->mark);
  return text;
}

std::string_view WordFor(const PositionDiff& position) {
  if (!position.in_before) return "new position";
  if (!position.in_after) return "position taken away";
  return position.answer_changed ? "another answer" : "same answer";
}

void Print(const BookDiff& diff, const Arguments& arguments, const Rules& rules,
           std::ostream& out) {
  out << absl::StreamFormat(
      "%d positions are the same, %d are only in %s, %d only in %s; %d answers and %d moves of "
      "others changed\n",
      diff.same_positions, diff.only_before, arguments.before, diff.only_after, arguments.after,
      diff.changed_answers, diff.changed_moves);
  const size_t shown = std::min(arguments.limit, diff.positions.size());
  for (size_t i = 0; i < shown; ++i) {
    const PositionDiff& position = diff.positions[i];
    out << "\n" << rules.Text(position.packed, position.ply) << "\n  " << WordFor(position) << "\n";
    for (const MoveDiff& move : position.moves) {
      const bool was = move.before.has_value() && move.before->answer;
      const bool is = move.after.has_value() && move.after->answer;
      out << absl::StreamFormat("  %-6s %s%-42s  ->  %s%s\n", rules.Text(move.move),
                                was ? "*" : " ", EvidenceText(move.before), is ? "*" : " ",
                                EvidenceText(move.after));
    }
  }
  if (shown > 0)
    out << "\n* the move that the exported book plays; wins-draws-losses, 95 % interval\n";
  if (shown < diff.positions.size()) {
    out << diff.positions.size() - shown << " more positions (--limit)\n";
  }
}

Json JsonOf(const std::optional<ExportBook::Move>& move) {
  if (!move.has_value()) return {};
  return {{"n", move->games},
          {"count", move->book_count},
          {"wins", move->evidence.wins},
          {"draws", move->evidence.draws},
          {"losses", move->evidence.losses},
          {"low", move->low},
          {"high", move->high},
          {"weight", move->weight},
          {"value", move->value.has_value() ? Json(*move->value) : Json()},
          {"mark", move->mark},
          {"answer", move->answer}};
}

Json JsonOf(const BookDiff& diff, const Arguments& arguments, const Rules& rules) {
  Json object;
  object["before"] = arguments.before;
  object["after"] = arguments.after;
  object["same_positions"] = diff.same_positions;
  object["only_before"] = diff.only_before;
  object["only_after"] = diff.only_after;
  object["changed_answers"] = diff.changed_answers;
  object["changed_moves"] = diff.changed_moves;
  object["positions"] = Json::array();
  for (size_t i = 0; i < std::min(arguments.limit, diff.positions.size()); ++i) {
    const PositionDiff& position = diff.positions[i];
    Json moves = Json::array();
    for (const MoveDiff& move : position.moves) {
      moves.push_back({{"move", rules.Text(move.move)},
                       {"before", JsonOf(move.before)},
                       {"after", JsonOf(move.after)}});
    }
    object["positions"].push_back({{"position", rules.Text(position.packed, position.ply)},
                                   {"in_before", position.in_before},
                                   {"in_after", position.in_after},
                                   {"answer_changed", position.answer_changed},
                                   {"moves", std::move(moves)}});
  }
  return object;
}

absl::Status RunDiff(const Arguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const ExportBook before, Load(arguments.before, context.rules()));
  ASSIGN_OR_RETURN(const ExportBook after, Load(arguments.after, context.rules()));
  const bool same_scale = before.run.has_value() == after.run.has_value();
  const BookDiff diff = coordinator::Diff(before, after, same_scale);
  if (context.json()) {
    context.PrintJson(JsonOf(diff, arguments, context.rules()));
  } else {
    Print(diff, arguments, context.rules(), context.out());
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookDiff(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = book.add_subcommand(
      "diff", "What two books do not agree on, with the evidence that either has");
  command
      ->add_option("before", arguments->before,
                   "a database, FILE#R for its run R, or a book of another program")
      ->required();
  command->add_option("after", arguments->after, "another one")->required();
  command->add_option("--limit", arguments->limit, "positions to show, the most telling first")
      ->check(CLI::Range(size_t{0}, size_t{1'000'000'000}))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunDiff(*arguments, context)); });
}

}  // namespace joseki::cli
