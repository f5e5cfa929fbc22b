#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "cli/commands.h"
#include "cli/match/book.h"
#include "cli/match/game_of_books.h"
#include "cli/move_table.h"
#include "coordinator/offline/book_diff.h"
#include "coordinator/offline/book_reach.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/store/run_store.h"

namespace joseki::cli {
namespace {

using coordinator::BookDiff;
using coordinator::ExportBook;
using coordinator::MoveDiff;
using coordinator::PositionDiff;

struct DiffArguments {
  std::string before;
  std::string after;
  size_t limit = 20;
};

// One of the two, and what of it is compared.
struct Side {
  ExportBook book;
  std::string what;  // "run 2 (done, 2000 games)"
};

struct Name {
  std::string file;
  std::optional<coordinator::RunId> run;  // behind #; 0: the book itself
};

Name NameOf(const std::string& text) {
  const size_t hash = text.rfind('#');
  coordinator::RunId run = 0;
  if (hash != std::string::npos && absl::SimpleAtoi(text.substr(hash + 1), &run)) {
    return {text.substr(0, hash), run};
  }
  return {text, std::nullopt};
}

// The newest run that has tuned the book, or does; 0 if there is none.
absl::StatusOr<coordinator::RunId> NewestRun(book::Store& store) {
  ASSIGN_OR_RETURN(const std::vector<coordinator::RunRow> runs,
                   coordinator::RunStore(store).ReadRuns());
  coordinator::RunId newest = 0;
  for (const coordinator::RunRow& run : runs) {
    if (!run.spec.match && run.state != "failed") newest = std::max(newest, run.run);
  }
  return newest;
}

absl::StatusOr<Side> LoadDatabase(const Name& name, bool newest_run, const Rules& rules) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(name.file, book::OpenMode::kReadOnly, rules.game()));
  coordinator::RunId run = name.run.value_or(0);
  if (!name.run && newest_run) {
    ASSIGN_OR_RETURN(run, NewestRun(*store));
  }
  Side side;
  ASSIGN_OR_RETURN(side.book, coordinator::LoadExport(*store, rules, run));
  side.what = run == 0 ? std::string("the book itself")
                       : absl::StrCat("run ", run, ", ", side.book.run->games, " games");
  if (run != 0 && !name.run) absl::StrAppend(&side.what, "; #0 is the book itself");
  return side;
}

// A book, or a run's tuned one, or a file of another program. `newest_run`: of a database that
// names none, its newest run, if there is one.
absl::StatusOr<Side> Load(const Name& name, bool newest_run, const Rules& rules) {
  if (IsDatabase(name.file)) return LoadDatabase(name, newest_run, rules);
  ASSIGN_OR_RETURN(const std::string bytes, ReadFile(name.file));
  const std::optional<book::BookFormat> format = book::BookFormatOf(bytes);
  if (!format.has_value()) {
    return MakeProblem({.code = "not_a_book",
                        .file = name.file,
                        .found = "a file of another kind",
                        .expected = "a database of Joseki, or a book of another program"});
  }
  RETURN_IF_ERROR(book::CheckGame(*format, bytes, name.file, rules.game()));
  std::vector<book::DbPosition> positions;
  RETURN_IF_ERROR(book::ReadBook(
      *format, bytes, name.file,
      {.accept = [&](book::DbPosition position) { positions.push_back(std::move(position)); },
       .reject = [](const absl::Status&) {}}));
  return Side{coordinator::ExportOfPositions(std::move(positions), *format),
              "a book of another program"};
}

std::string EvidenceText(const std::optional<ExportBook::Move>& move, RowsOf of) {
  if (!move.has_value()) return "-";
  const book::Evidence& e = move->evidence;
  std::vector<std::string> facts;
  const int64_t played = of == RowsOf::kBook ? move->games : e.played();
  if (played > 0) facts.push_back(absl::StrCat(played, played == 1 ? " game" : " games"));
  if (e.decided() > 0) facts.push_back(ScoreWords(e, move->low, move->high));
  if (move->book_count > 0) facts.push_back(absl::StrCat(move->book_count, " in books"));
  if (of == RowsOf::kScore) {
    facts.push_back(absl::StrFormat("value %.1f %%", 100 * move->weight));
  } else if (move->weight != 0) {
    facts.push_back(absl::StrFormat("weight %.6g", move->weight));
  }
  if (move->value.has_value()) facts.push_back(absl::StrCat("imported value ", *move->value));
  if (move->bad) facts.push_back("bad");
  return facts.empty() ? "nothing known" : absl::StrJoin(facts, ", ");
}

RowsOf RowsOfBook(const ExportBook& book) {
  return book.run.has_value() ? RowsOfRun(book.run->spec) : RowsOf::kBook;
}

std::string_view WordFor(const PositionDiff& position) {
  if (!position.in_before) return "new position";
  if (!position.in_after) return "position taken away";
  return position.answer_changed ? "another answer" : "same answer";
}

void Print(const BookDiff& diff, const Side& before, const Side& after,
           const DiffArguments& arguments, const Rules& rules, std::ostream& out) {
  out << "before: " << arguments.before << " (" << before.what << ")\nafter:  " << arguments.after
      << " (" << after.what << ")\n";
  out << absl::StreamFormat(
      "%d positions are the same, %d are only in the first, %d only in the second; %d answers and "
      "%d moves of others changed\n",
      diff.same_positions, diff.only_before, diff.only_after, diff.changed_answers,
      diff.changed_moves);
  const size_t shown = std::min(arguments.limit, diff.positions.size());
  for (size_t i = 0; i < shown; ++i) {
    const PositionDiff& position = diff.positions[i];
    out << "\n" << rules.Text(position.packed, position.ply) << "\n  " << WordFor(position);
    out << absl::StreamFormat("; %.3g %% of the lines come here", 100 * position.reach);
    if (position.in_before && position.in_after) {
      out << absl::StreamFormat(", and the answers are %.1f %% of the score apart",
                                100 * position.change);
    }
    out << "\n";
    for (const MoveDiff& move : position.moves) {
      const bool was = move.before.has_value() && move.before->answer;
      const bool is = move.after.has_value() && move.after->answer;
      out << absl::StreamFormat("  %-6s before %s%s\n         after  %s%s\n", rules.Text(move.move),
                                was ? "* " : "", EvidenceText(move.before, RowsOfBook(before.book)),
                                is ? "* " : "", EvidenceText(move.after, RowsOfBook(after.book)));
    }
  }
  if (shown > 0) {
    out << "\n* the answer, which the exported book plays; in brackets the 95 % interval\n";
  }
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
          {"mark", move->bad ? "bad" : ""},
          {"answer", move->answer}};
}

Json RunOf(const ExportBook& book) { return book.run.has_value() ? Json(book.run->run) : Json(); }

Json JsonOf(const BookDiff& diff, const Side& before, const Side& after,
            const DiffArguments& arguments, const Rules& rules) {
  Json object;
  object["before"] = arguments.before;
  object["before_run"] = RunOf(before.book);
  object["after"] = arguments.after;
  object["after_run"] = RunOf(after.book);
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
                                   {"reach", position.reach},
                                   {"change", position.change},
                                   {"moves", std::move(moves)}});
  }
  return object;
}

absl::Status RunDiff(const DiffArguments& arguments, Context& context) {
  RETURN_IF_ERROR(UseGameOfBooks(context, std::vector{arguments.before, arguments.after}));
  const Rules& rules = context.rules();
  const Name names[] = {NameOf(arguments.before), NameOf(arguments.after)};
  // A book beside one of its own runs is that book itself.
  std::error_code no_file;
  const bool newest_run = !std::filesystem::equivalent(names[0].file, names[1].file, no_file);
  ASSIGN_OR_RETURN(const Side before, Load(names[0], newest_run, rules));
  ASSIGN_OR_RETURN(const Side after, Load(names[1], newest_run, rules));
  const bool same_scale = before.book.run.has_value() == after.book.run.has_value();
  coordinator::Reaches reaches{.start = {},
                               .before = coordinator::ReachOf(rules, before.book),
                               .after = coordinator::ReachOf(rules, after.book)};
  ASSIGN_OR_RETURN(const auto start, rules.Start("startpos", {}));
  reaches.start = start->packed();
  const BookDiff diff = coordinator::Diff(before.book, after.book, same_scale, reaches);
  if (context.json()) {
    context.PrintJson(JsonOf(diff, before, after, arguments, rules));
  } else {
    Print(diff, before, after, arguments, rules, context.out());
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookDiff(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = book.add_subcommand(
      "diff", "What two books do not agree on, with the evidence that either has");
  command
      ->add_option("before", arguments->before,
                   "a database: its newest run, or, if it has none or is compared with one of its "
                   "runs, the book itself; FILE#R: its run R; FILE#0: the book itself; or a book "
                   "of another program")
      ->required();
  command->add_option("after", arguments->after, "another one")->required();
  command->add_option("--limit", arguments->limit, "positions to show, what matters most first")
      ->check(Within(size_t{0}, size_t{1'000'000'000}))
      ->capture_default_str();
  command->callback([arguments, &context] { context.Finish(RunDiff(*arguments, context)); });
}

}  // namespace joseki::cli
