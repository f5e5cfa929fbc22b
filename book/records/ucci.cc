#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/status_macros.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "book/records/record.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"

// UCCI move lists: one game of xiangqi a line, as a GUI sends it to an engine, and behind the
// moves, as in PGN, perhaps the result.

namespace joseki::book {
namespace {

constexpr char kExample[] = "moves such as startpos moves h2e2";

std::optional<Result> ResultNamed(std::string_view word) {
  if (word == "1-0") return Result::kFirstWins;
  if (word == "0-1") return Result::kSecondWins;
  if (word == "1/2-1/2") return Result::kDraw;
  if (word == "*") return Result::kNone;
  return std::nullopt;
}

// Takes "[position] [startpos | fen ...] [moves]" off the front of `text`.
absl::Status TakeStart(std::string_view& text) {
  std::string_view rest = text;
  std::string_view word = NextWord(rest);
  if (word == "position") {
    text = rest;
    word = NextWord(rest);
  }
  if (word == "fen") {
    const size_t moves = std::min(rest.find(" moves"), rest.size());
    ASSIGN_OR_RETURN(const xiangqi::FenPosition fen,
                     xiangqi::ParseFen(Trimmed(rest.substr(0, moves))));
    if (xiangqi::ToFen(fen.position, 1) != xiangqi::kStartFen) {
      return MakeProblem({.code = "not_even_start",
                          .found = Quote(Trimmed(rest.substr(0, moves)), 120),
                          .expected = "the even start position"});
    }
    text = rest.substr(moves);
  } else if (word == "startpos") {
    text = rest;
  }
  rest = text;
  if (NextWord(rest) == "moves") text = rest;
  return absl::OkStatus();
}

absl::StatusOr<GameRecord> ReadGame(std::string_view text, int positions) {
  RETURN_IF_ERROR(TakeStart(text));
  GameRecord game;
  xiangqi::Position position;
  for (std::string_view word = NextWord(text); !word.empty(); word = NextWord(text)) {
    if (const std::optional<Result> result = ResultNamed(word)) {
      game.result = *result;
      game.end = std::string(word);
      if (const std::string_view more = NextWord(text); !more.empty()) {
        return MakeProblem({.code = "malformed_move",
                            .found = Quote(more),
                            .expected = "nothing after " + game.end});
      }
      break;
    }
    const std::optional<Move> move = xiangqi::MoveFromUcci(word);
    // ParseMove says what is wrong.
    if (!move || !position.IsLegal(*move)) return xiangqi::ParseMove(position, word).status();
    if (game.moves.size() < static_cast<size_t>(positions)) {
      game.positions.push_back(xiangqi::Pack(position));
    }
    xiangqi::Undo undo;
    position.Do(*move, undo);
    game.moves.push_back(*move);
  }
  if (game.moves.empty()) {
    return MakeProblem({.code = "no_moves", .found = "a game without moves", .expected = kExample});
  }
  // Who cannot move has lost, whatever the line says.
  if (!position.HasLegalMove()) game.result = WinFor(~position.side_to_move());
  return game;
}

}  // namespace

void ReadUcci(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  Lines lines(WithoutBom(bytes));
  bool any = false;
  std::string_view line;
  while (lines.Next(line)) {
    const std::string_view text = Trimmed(line);
    if (text.empty() || text[0] == '#') continue;
    any = true;
    absl::StatusOr<GameRecord> game = ReadGame(text, sink.positions);
    if (!game.ok()) {
      sink.reject(At(game.status(), file, lines.number()));
      continue;
    }
    game->line = lines.number();
    sink.accept(*std::move(game));
  }
  if (!any) {
    sink.reject(At(
        MakeProblem({.code = "no_moves", .found = "a file without a game", .expected = kExample}),
        file, 1));
  }
}

}  // namespace joseki::book
