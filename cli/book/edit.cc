#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/option_choice.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/records/move_notation.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/position_argument.h"

namespace joseki::cli {
namespace {

struct EditArguments {
  std::string book;
  std::string move;
  std::optional<std::string> mark;
  std::optional<std::string> note;
  bool add = false;
  std::vector<std::string> position;
};

int MarkOf(std::string_view word) {
  if (word == "bad") return book::kBad;
  return word == "forbidden" ? book::kForbidden : 0;
}

const book::BookMove* FindMove(const std::optional<book::BookPosition>& position, Move move) {
  if (!position.has_value()) return nullptr;
  for (const book::BookMove& candidate : position->moves) {
    if (candidate.move == move) return &candidate;
  }
  return nullptr;
}

absl::Status AddMove(book::Store& store, const GameState& state, Move move) {
  book::BookImport import(store, "edit", "joseki book edit", "{}");
  book::DbPosition position;
  position.packed = state.packed();
  position.ply = PlyOf(state);
  book::DbMove& added = position.moves.emplace_back();
  added.move = move;
  added.count = 0;
  RETURN_IF_ERROR(import.AddBook(position));
  return import.Commit(0, 0).status();
}

absl::Status RunEdit(const EditArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadWrite));
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  const absl::StatusOr<Move> move =
      book::ReadMove(context.rules().game(), state->packed(), arguments.move, Move());
  if (!move.ok()) return At(move.status(), "--move");
  book::BookStore book(*store);
  ASSIGN_OR_RETURN(auto position, book.Find(state->packed()));
  const bool there = FindMove(position, *move) != nullptr;
  if (!there && !arguments.add) {
    return MakeProblem(
        {.code = "not_in_book",
         .file = arguments.book,
         .found = absl::StrCat(
             arguments.move, " in ",
             arguments.position.empty() ? "startpos" : absl::StrJoin(arguments.position, " ")),
         .expected = "a book move of a book position, or --add"},
        absl::StatusCode::kNotFound);
  }
  if (!there) {
    RETURN_IF_ERROR(AddMove(*store, *state, *move));
    ASSIGN_OR_RETURN(position, book.Find(state->packed()));
  }
  const book::BookMove& now = *FindMove(position, *move);
  const int mark = arguments.mark.has_value() ? MarkOf(*arguments.mark) : now.mark;
  const std::string note = arguments.note.value_or(now.note);
  RETURN_IF_ERROR(book.Mark(state->packed(), *move, mark, note));
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    object["move"] = context.rules().Text(*move);
    object["added"] = !there;
    object["mark"] = mark;
    object["note"] = note;
    context.PrintJson(object);
  } else {
    context.out() << (there ? "changed " : "added ") << arguments.move << " in " << state->text()
                  << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookEdit(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<EditArguments>();
  CLI::App* command = book.add_subcommand("edit", "Marks, annotates or adds one book move");
  AddBookOption(*command, arguments->book);
  command->add_option("--move", arguments->move, "the move, such as 7g7f, ７六歩 or P*5e")
      ->required();
  CLI::Option* mark =
      command
          ->add_option("--mark", arguments->mark,
                       "bad: never the book's answer; forbidden: left out of runs and exports")
          ->check(OneOf({"none", "bad", "forbidden"}));
  CLI::Option* note = command->add_option("--note", arguments->note, "a remark; empty removes it");
  CLI::Option* add = command->add_flag("--add", arguments->add, "add the move if it is not there");
  AddPositionArgument(*command, arguments->position);
  command->callback([=, &context] {
    if (mark->empty() && note->empty() && add->empty()) {
      throw CLI::RequiredError("one of --mark, --note and --add");
    }
    context.Finish(RunEdit(*arguments, context));
  });
}

}  // namespace joseki::cli
