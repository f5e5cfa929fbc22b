#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/openings/openings.h"
#include "cli/boards/game_view.h"
#include "cli/book/position_facts.h"
#include "cli/commands.h"
#include "cli/move_table.h"
#include "cli/open_book.h"
#include "cli/position_argument.h"
#include "cli/words/moves_option.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"
#include "coordinator/offline/exporter.h"

namespace joseki::cli {
namespace {

using ShownMove = coordinator::ExportBook::Move;

struct ShowArguments {
  std::string book;
  uint64_t run = 0;
  bool fold = false;
  bool transpositions = false;
  bool sources = false;
  std::vector<std::string> position;
};

// The position in the book of `run`; in the book itself if that is null.
absl::StatusOr<coordinator::ExportBook::Position> FindPosition(book::Store& store,
                                                               const coordinator::TunedRun* run,
                                                               const GameState& state,
                                                               const ShowArguments& arguments) {
  if (run == nullptr) {
    ASSIGN_OR_RETURN(const auto found, book::BookStore(store).Find(state.packed()));
    if (found.has_value()) return coordinator::ExportOfPosition(*found);
  } else if (auto found = coordinator::ExportOfPosition(*run, state)) {
    return *std::move(found);
  }
  return NotInBook(arguments.book, arguments.position);
}

// The number of times that a move was played, or counted by an imported book, for its share.
int64_t CountOf(const ShownMove& move) { return move.games + move.book_count; }

std::string RemarkOf(const ShownMove& move, const Voice& voice) {
  std::vector<std::string> remarks;
  if (move.origin == coordinator::MoveOrigin::kSearch) {
    remarks.push_back(voice.Say(phrase::kFoundBySearch));
  }
  if (move.origin == coordinator::MoveOrigin::kCandidate) {
    remarks.push_back(voice.Say(phrase::kFoundAsCandidate));
  }
  if (move.decided_by) {
    remarks.push_back(
        voice.Say(phrase::kDecidedBy, WordText(voice, coordinator::Name(*move.decided_by))));
  }
  if (move.value) remarks.push_back(voice.Say(phrase::kImportedValue, *move.value));
  if (move.book_count > 0) remarks.push_back(voice.Say(phrase::kInBooks, move.book_count));
  if (move.evaluation) remarks.push_back(voice.Say(phrase::kEvaluated, *move.evaluation));
  if (move.turned && move.turned->games() > 0) {
    remarks.push_back(voice.Say(phrase::kTurned, move.turned->games()));
  }
  if (move.bad) remarks.push_back(voice.Say(phrase::kBad));
  return absl::StrJoin(remarks, voice.Say(phrase::kComma));
}

void PrintMoves(const coordinator::ExportBook::Position& position, RowsOf of, Context& context) {
  const Voice& voice = context.voice();
  std::vector<MoveRow> rows = RowsFor(position, of, context.rules(), voice);
  for (size_t i = 0; i < rows.size(); ++i) rows[i].note = RemarkOf(position.moves[i], voice);
  PrintMoveTable(rows, of, voice, context.out());
}

Json JsonOf(const std::vector<ShownMove>& moves, const Rules& rules) {
  int64_t total = 0;
  for (const ShownMove& move : moves) total += CountOf(move);
  Json array = Json::array();
  for (const ShownMove& move : moves) {
    array.push_back(
        {{"move", rules.Text(move.move)},
         {"answer", move.answer},
         {"share", total > 0 ? static_cast<double>(CountOf(move)) / static_cast<double>(total) : 0},
         {"n", move.games},
         {"played", std::max<int64_t>(move.games, move.evidence.played())},
         {"count", move.book_count},
         {"wins", move.evidence.wins},
         {"draws", move.evidence.draws},
         {"losses", move.evidence.losses},
         {"distinct", move.evidence.games()},
         {"turned", move.turned ? Json(move.turned->games()) : Json()},
         {"low", move.low},
         {"high", move.high},
         {"weight", move.weight},
         {"expected", move.expected.has_value() ? Json(*move.expected) : Json()},
         {"prior", move.prior},
         {"value", move.value.has_value() ? Json(*move.value) : Json()},
         {"evaluation", move.evaluation.has_value() ? Json(*move.evaluation) : Json()},
         {"origin", move.origin ? Json(coordinator::Name(*move.origin)) : Json()},
         {"decided_by", move.decided_by ? Json(coordinator::Name(*move.decided_by)) : Json()},
         {"mark", move.bad ? "bad" : ""}});
  }
  return array;
}

absl::Status RunShow(const ShowArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  std::optional<coordinator::TunedRun> loaded;
  if (arguments.run != 0) {
    ASSIGN_OR_RETURN(coordinator::TunedRun read,
                     coordinator::LoadTunedRun(*store, context.rules(), arguments.run));
    loaded.emplace(std::move(read));
  }
  const coordinator::TunedRun* const run = loaded.has_value() ? &*loaded : nullptr;
  ASSIGN_OR_RETURN(const PositionFacts facts, FactsOf(*store, context.rules(), *state, run,
                                                      arguments.fold, arguments.transpositions));
  auto found = FindPosition(*store, run, *state, arguments);
  // A book that has only an image of the position still has something to show.
  if (!found.ok() && facts.by_colour.empty()) return found.status();
  coordinator::ExportBook::Position position;
  if (found.ok()) position = *std::move(found);
  position.packed = state->packed();
  std::stable_sort(position.moves.begin(), position.moves.end(),
                   [](const ShownMove& a, const ShownMove& b) {
                     if (a.answer != b.answer) return a.answer;
                     if (a.expected.has_value() != b.expected.has_value()) {
                       return a.expected.has_value();
                     }
                     if (a.weight != b.weight) return a.weight > b.weight;
                     return CountOf(a) > CountOf(b);
                   });
  const auto opening = book::OpeningAt(context.rules().game(), state->packed());
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    if (opening) {
      object["opening"] = {
          {"code", opening->code}, {"name", opening->name}, {"english", opening->english}};
    }
    object["run"] = arguments.run;
    object["moves"] = JsonOf(position.moves, context.rules());
    AddFacts(facts, context.rules(), arguments.fold, arguments.transpositions, object);
    context.PrintJson(object);
    return absl::OkStatus();
  }
  PrintMoves(position, run == nullptr ? RowsOf::kBook : RowsOfRun(run->run.row.spec), context);
  PrintFacts(facts, *state, context.rules(), context.voice(), arguments.sources, context.out());
  context.out() << state->text() << "\n";
  if (opening) {
    if (!opening->code.empty()) context.out() << opening->code << " ";
    context.out() << opening->name << " (" << opening->english << ")\n";
  }
  context.out() << ViewOf(context.rules().game()).text(state->packed(), context.voice());
  return absl::OkStatus();
}

}  // namespace

void AddBookShow(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* command = book.add_subcommand(
      "show", "Shows a position's book moves with all that is known of each, and the board");
  AddBookOption(*command, arguments->book);
  command->add_option("--run", arguments->run, "show the evidence of this run")
      ->type_name("R")
      ->check(IsRunNumber());
  command->add_flag("--fold", arguments->fold,
                    "show the position with colours exchanged too, each colour by itself; with "
                    "--run by the games of the run");
  command->add_flag("--transpositions", arguments->transpositions,
                    "show the book's moves that lead here; reads the whole book");
  command->add_flag("--sources", arguments->sources,
                    "show the sources of each move's games, counts and values");
  AddMovesOption(*command, context);
  AddPositionArgument(*command, arguments->position);
  command->callback([arguments, &context] { context.Finish(RunShow(*arguments, context)); });
}

}  // namespace joseki::cli
