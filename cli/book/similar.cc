#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "book/formats/partial_book.h"
#include "cli/book/position_argument.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "engine/shogi/packed.h"

namespace joseki::cli {
namespace {

struct SimilarArguments {
  std::string book;
  std::vector<std::string> position;
};

absl::Status RunSimilar(const SimilarArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  ASSIGN_OR_RETURN(const shogi::Position wanted, shogi::Unpack(state->packed()));
  const uint64_t key = book::PartialKey(wanted);
  book::PartialBook like;
  int64_t positions = 0;
  bool in_book = false;
  RETURN_IF_ERROR(book::BookStore(*store).ForEach([&](const book::BookPosition& from) {
    const absl::StatusOr<shogi::Position> position = shogi::Unpack(from.packed);
    if (!position.ok() || book::PartialKey(*position) != key) return absl::OkStatus();
    ++positions;
    if (from.packed == state->packed()) in_book = true;
    for (const book::BookMove& move : from.moves) {
      if (move.mark == book::kForbidden) continue;
      like.Add(*position, move.move, move.counts[0].games + move.counts[1].games + move.book_count);
    }
    return absl::OkStatus();
  }));
  const std::vector<book::PartialBook::Counted> moves = like.MovesFor(wanted);
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    object["in_book"] = in_book;
    object["positions"] = positions;
    object["moves"] = Json::array();
    for (const book::PartialBook::Counted& move : moves) {
      object["moves"].push_back({{"move", context.rules().Text(move.move)}, {"count", move.count}});
    }
    context.PrintJson(object);
    return absl::OkStatus();
  }
  context.out() << positions << " positions of the book are like this one"
                << (in_book ? ", which is among them" : "") << "\n";
  for (const book::PartialBook::Counted& move : moves) {
    context.out() << absl::StreamFormat("  %-6s %d\n", context.rules().Text(move.move), move.count);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookSimilar(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<SimilarArguments>();
  CLI::App* command = book.add_subcommand(
      "similar",
      "What the book plays where kings, rooks, bishops, golds and silvers stand as here");
  AddBookOption(*command, arguments->book);
  command->add_option("position", arguments->position,
                      "startpos (the default) or an SFEN, then perhaps \"moves 7g7f ...\"");
  command->callback([arguments, &context] { context.Finish(RunSimilar(*arguments, context)); });
}

}  // namespace joseki::cli
