#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/status_macros.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "cli/boards/game_view.h"
#include "cli/commands.h"
#include "cli/open_book.h"
#include "cli/position_argument.h"
#include "cli/words/moves_option.h"

namespace joseki::cli {
namespace {

struct SimilarArguments {
  std::string book;
  std::vector<std::string> position;
};

// A book move of similar positions, and the sum of its counts there.
struct Counted {
  Move move;
  int64_t count = 0;
};

// The moves that are legal here, the most played first.
std::vector<Counted> Playable(const std::map<Move, int64_t>& counts, const GameState& state) {
  const std::vector<Move> legal = state.LegalMoves();
  std::vector<Counted> moves;
  for (const auto& [move, count] : counts) {
    if (std::find(legal.begin(), legal.end(), move) != legal.end()) moves.push_back({move, count});
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Counted& a, const Counted& b) { return a.count > b.count; });
  return moves;
}

absl::Status RunSimilar(const SimilarArguments& arguments, Context& context) {
  ASSIGN_OR_RETURN(const auto store, OpenBook(context, arguments.book, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(const auto state, StateOf(context.rules(), arguments.position));
  const GameView& view = ViewOf(context.rules().game());
  const std::optional<uint64_t> wanted = view.likeness(state->packed());
  std::map<Move, int64_t> counts;
  int64_t positions = 0;
  bool in_book = false;
  RETURN_IF_ERROR(book::BookStore(*store).ForEach([&](const book::BookPosition& from) {
    if (view.likeness(from.packed) != wanted) return absl::OkStatus();
    ++positions;
    if (from.packed == state->packed()) in_book = true;
    for (const book::BookMove& move : from.moves) {
      if (move.mark == book::kForbidden) continue;
      counts[move.move] += move.counts[0].games + move.counts[1].games + move.book_count;
    }
    return absl::OkStatus();
  }));
  const std::vector<Counted> moves = Playable(counts, *state);
  if (context.json()) {
    Json object;
    object["position"] = state->text();
    object["in_book"] = in_book;
    object["positions"] = positions;
    object["moves"] = Json::array();
    for (const Counted& move : moves) {
      object["moves"].push_back({{"move", context.rules().Text(move.move)}, {"count", move.count}});
    }
    context.PrintJson(object);
    return absl::OkStatus();
  }
  context.out() << positions << " positions of the book are like this one"
                << (in_book ? ", which is among them" : "") << "\n";
  if (!moves.empty())
    context.out() << "moves of them that may be played here, with their games and counts there:\n";
  for (const Counted& move : moves) {
    context.out() << "  "
                  << PaddedRight(
                         context.voice().MoveText(context.rules(), state->packed(), move.move), 6)
                  << " " << move.count << "\n";
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookSimilar(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<SimilarArguments>();
  CLI::App* command =
      book.add_subcommand("similar",
                          "Shows the book's moves where kings, rooks, bishops, golds and silvers "
                          "stand as here; in xiangqi kings, rooks, cannons and knights");
  AddBookOption(*command, arguments->book);
  AddMovesOption(*command, context);
  AddPositionArgument(*command, arguments->position);
  command->callback([arguments, &context] { context.Finish(RunSimilar(*arguments, context)); });
}

}  // namespace joseki::cli
