#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/database_file.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "cli/boards/game_view.h"
#include "cli/commands.h"
#include "cli/match/book.h"
#include "cli/match/game_of_books.h"
#include "cli/move_table.h"
#include "cli/named_run.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/book_diff.h"
#include "coordinator/offline/book_reach.h"
#include "coordinator/offline/export_lines.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {
namespace {

using coordinator::BookDiff;
using coordinator::DiffOrder;
using coordinator::ExportBook;
using coordinator::MoveDiff;
using coordinator::PositionDiff;

struct DiffArguments {
  std::string before;
  std::string after;
  size_t limit = 20;
  std::string order = "both";
  bool boards = false;
};

// An order of the changed answers, by name, with the heading that states it.
struct Order {
  const char* name;
  DiffOrder order;
  Phrase heading;
};
constexpr Order kOrders[] = {
    {"reach",
     DiffOrder::kReach,
     {"other answers first, what lines come to most before the rest\n",
      "採用手の変わった局面から、手順がよく至る順\n"}},
    {"difference",
     DiffOrder::kDifference,
     {"other answers first, the largest difference of their scores before the rest\n",
      "採用手の変わった局面から、採用手の勝率の差が大きい順\n"}},
    {"both",
     DiffOrder::kBoth,
     {"other answers first, by how many lines come there times the difference of their scores\n",
      "採用手の変わった局面から、手順が至る割合と採用手の勝率の差の積が大きい順\n"}},
};

const Order& OrderNamed(std::string_view name) {
  return *std::find_if(std::begin(kOrders), std::end(kOrders),
                       [&](const Order& order) { return order.name == name; });
}

// A book of the two, with the words for it.
struct Side {
  ExportBook book;
  std::string what;  // "run 2 (done, 2000 games)"
};

absl::StatusOr<Side> LoadDatabase(const NamedRun& name, bool newest_run, const Rules& rules,
                                  const Voice& voice) {
  ASSIGN_OR_RETURN(const auto store,
                   book::Store::Open(name.file, book::OpenMode::kReadOnly, rules.game()));
  coordinator::RunId run = name.run.value_or(0);
  if (!name.run && newest_run) {
    ASSIGN_OR_RETURN(run, NewestRun(*store));
  }
  Side side;
  ASSIGN_OR_RETURN(side.book, coordinator::LoadExport(*store, rules, run));
  side.what = run == 0 ? voice.Say(phrase::kTheBookItself)
                       : voice.Say(phrase::kRunOfGames, run, side.book.run->games);
  if (run != 0 && !name.run) side.what = voice.Say(phrase::kZeroIsTheBook, side.what);
  return side;
}

// Loads a book, a run's tuned book, or a file of another program. `newest_run`: a database whose
// name has no run stands for its newest run, if there is one. Says what of the file is left out.
absl::StatusOr<Side> Load(const NamedRun& name, bool newest_run, Context& context) {
  const Rules& rules = context.rules();
  const Voice& voice = context.voice();
  if (IsBookDatabaseAt(name.file)) return LoadDatabase(name, newest_run, rules, voice);
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
  absl::Status first_reject;
  size_t rejected = 0;
  RETURN_IF_ERROR(book::ReadBook(
      *format, bytes, name.file,
      {.accept = [&](book::DbPosition position) { positions.push_back(std::move(position)); },
       .reject =
           [&](const absl::Status& problem) {
             if (rejected++ == 0) first_reject = At(problem, name.file);
           }}));
  if (positions.empty()) RETURN_IF_ERROR(first_reject);
  if (rejected > 0) {
    context.err() << name.file << ": " << rejected
                  << (rejected == 1 ? " reject is left out: "
                                    : " rejects are left out, the first: ")
                  << first_reject.message() << "\n";
  }
  return Side{coordinator::ExportOfPositions(std::move(positions), *format),
              voice.Say(phrase::kOtherProgram)};
}

RowsOf RowsOfBook(const ExportBook& book) {
  return book.run.has_value() ? RowsOfRun(book.run->spec) : RowsOf::kBook;
}

const Phrase& PhraseFor(const PositionDiff& position) {
  if (!position.in_before) return phrase::kNewPosition;
  if (!position.in_after) return phrase::kPositionGone;
  return position.answer_changed ? phrase::kAnotherAnswer : phrase::kSameAnswer;
}

// A line to each position, from the book before if it has one, else from the book after.
class Lines {
 public:
  Lines(const Rules& rules, const ExportBook& before, const ExportBook& after)
      : before_(rules, before), after_(rules, after) {}

  std::optional<std::vector<Move>> To(const PackedPosition& position) const {
    std::optional<std::vector<Move>> line = before_.To(position);
    return line ? line : after_.To(position);
  }

 private:
  coordinator::ExportLines before_;
  coordinator::ExportLines after_;
};

void PrintMove(const MoveDiff& move, const PositionDiff& at, const Side& before, const Side& after,
               const Rules& rules, const Voice& voice, std::ostream& out) {
  const auto line = [&](const std::string& text, const Phrase& when,
                        const std::optional<ExportBook::Move>& what, const Side& side) {
    const bool answer = what.has_value() && what->answer;
    const ExportBook::Position* const position = coordinator::PositionAt(side.book, at.packed);
    out << "  " << PaddedRight(text, 6) << " " << PaddedRight(voice.Say(when), 6)
        << (answer ? " * " : " ")
        << (what.has_value() ? EvidenceWords(*position, *what, RowsOfBook(side.book), voice) : "-")
        << "\n";
  };
  line(voice.MoveText(rules, at.packed, move.move), phrase::kBefore, move.before, before);
  line("", phrase::kAfter, move.after, after);
}

void Print(const BookDiff& diff, const Side& before, const Side& after,
           const DiffArguments& arguments, Context& context) {
  const Rules& rules = context.rules();
  const Voice& voice = context.voice();
  std::ostream& out = context.out();
  out << voice.Say(phrase::kBeforeIs, arguments.before, before.what)
      << voice.Say(phrase::kAfterIs, arguments.after, after.what)
      << voice.Say(phrase::kDiffCounts, diff.same_positions, diff.only_before, diff.only_after,
                   diff.changed_answers, diff.changed_moves);
  const Lines lines(rules, before.book, after.book);
  const size_t shown = std::min(arguments.limit, diff.positions.size());
  if (shown > 0) out << voice.Say(OrderNamed(arguments.order).heading);
  for (size_t i = 0; i < shown; ++i) {
    const PositionDiff& position = diff.positions[i];
    out << "\n"
        << PlaceText(voice, rules, lines.To(position.packed),
                     rules.Text(position.packed, position.ply))
        << "\n  " << voice.Say(PhraseFor(position))
        << voice.Say(phrase::kReach, absl::StrFormat("%.3g", 100 * position.reach));
    if (position.in_before && position.in_after) {
      out << voice.Say(phrase::kApart, absl::StrFormat("%.1f", 100 * position.change));
    }
    out << "\n";
    for (const MoveDiff& move : position.moves) {
      PrintMove(move, position, before, after, rules, voice, out);
    }
    if (arguments.boards) out << ViewOf(rules.game()).text(position.packed, voice);
  }
  if (shown > 0) out << voice.Say(phrase::kDiffLegend);
  if (shown < diff.positions.size()) {
    out << voice.Say(phrase::kMorePositions, diff.positions.size() - shown);
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
          {"expected", move->expected.has_value() ? Json(*move->expected) : Json()},
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
  const NamedRun names[] = {NamedRunOf(arguments.before), NamedRunOf(arguments.after)};
  // If both names are of one file, the one without a run is the book itself, not its newest run.
  std::error_code no_file;
  const bool newest_run = !std::filesystem::equivalent(names[0].file, names[1].file, no_file);
  ASSIGN_OR_RETURN(const Side before, Load(names[0], newest_run, context));
  ASSIGN_OR_RETURN(const Side after, Load(names[1], newest_run, context));
  const bool same_scale = before.book.run.has_value() == after.book.run.has_value();
  coordinator::Reaches reaches{.start = {},
                               .before = coordinator::ReachOf(rules, before.book),
                               .after = coordinator::ReachOf(rules, after.book)};
  ASSIGN_OR_RETURN(const auto start, rules.Start("startpos", {}));
  reaches.start = start->packed();
  const BookDiff diff = coordinator::Diff(before.book, after.book, same_scale, reaches,
                                          OrderNamed(arguments.order).order);
  if (context.json()) {
    context.PrintJson(JsonOf(diff, before, after, arguments, rules));
  } else {
    Print(diff, before, after, arguments, context);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookDiff(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<DiffArguments>();
  CLI::App* command = book.add_subcommand(
      "diff", "Lists the positions where two books differ, with the evidence of each");
  command
      ->add_option("before", arguments->before,
                   "a database: its newest run, or, if it has none or is compared with one of its "
                   "runs, the book itself; FILE#R: its run R; FILE#0: the book itself; or a book "
                   "of another program")
      ->required();
  command->add_option("after", arguments->after, "the other book, as before")->required();
  command
      ->add_option("--limit", arguments->limit,
                   "number of positions to show, the most important first")
      ->check(Within(size_t{0}, size_t{1'000'000'000}))
      ->capture_default_str();
  std::vector<std::string> orders;
  for (const Order& order : kOrders) orders.push_back(order.name);
  command
      ->add_option("--order", arguments->order,
                   "order of importance: by the number of lines that come there, by the difference "
                   "of the answers' scores, or by their product")
      ->check(OneOf(orders))
      ->capture_default_str();
  command->add_flag("--boards", arguments->boards, "show a board of each position");
  AddMovesOption(*command, context);
  command->callback([arguments, &context] { context.Finish(RunDiff(*arguments, context)); });
}

}  // namespace joseki::cli
