#include <optional>

#include "base/problem.h"
#include "engine/shogi/sfen.h"

// The notation of the thesis: piece, '-' or 'x', target, '+' for promotion, origin in brackets; a
// drop has no origin.
namespace joseki::shogi {
namespace {

constexpr std::string_view kLetters = " PLNSBRGK";

std::string SquareText(Square s) {
  return {static_cast<char>('0' + FileOf(s)), static_cast<char>('a' + RankOf(s) - 1)};
}

// "7f" at the front of `text`, taken off; nullopt if it is not a square.
std::optional<Square> TakeSquare(std::string_view& text) {
  if (text.size() < 2 || text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i') {
    return std::nullopt;
  }
  const Square s = MakeSquare(text[0] - '0', text[1] - 'a' + 1);
  text.remove_prefix(2);
  return s;
}

bool Take(std::string_view& text, char c) {
  if (text.empty() || text[0] != c) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string ToWestern(const Position& position, Move move) {
  const bool drop = move.is_drop();
  const PieceType type =
      drop ? static_cast<PieceType>(move.dropped()) : TypeOf(position.piece(move.from()));
  std::string text;
  if (IsPromoted(type)) text += '+';
  text += kLetters[Unpromoted(type)];
  text += position.piece(move.to()) != kNoPiece ? 'x' : '-';
  text += SquareText(move.to());
  if (move.promotes()) text += '+';
  if (!drop) text += '(' + SquareText(move.from()) + ')';
  return text;
}

absl::StatusOr<Move> ParseWestern(const Position& position, std::string_view text) {
  auto malformed = [&] {
    return MakeProblem({.code = "malformed_move",
                        .found = Quote(text),
                        .expected = "a move such as P-7f(7g), Bx2b+(8h), +R-8h(7i) or P-7f"});
  };
  std::string_view rest = text;
  const bool promoted = Take(rest, '+');
  if (rest.empty()) return malformed();
  const size_t kind = kLetters.find(rest[0], 1);
  if (kind == std::string_view::npos) return malformed();
  const auto base = static_cast<PieceType>(kind);
  if (promoted && !CanPromote(base)) return malformed();
  rest.remove_prefix(1);
  const bool capture = Take(rest, 'x');
  if (!capture && !Take(rest, '-')) return malformed();
  const std::optional<Square> to = TakeSquare(rest);
  if (!to) return malformed();
  const bool promotes = Take(rest, '+');
  Move move;
  if (rest.empty()) {
    if (promoted || promotes || base == kKing) return malformed();
    move = Move::Drop(base, *to);
  } else {
    if (!Take(rest, '(')) return malformed();
    const std::optional<Square> from = TakeSquare(rest);
    if (!from || !Take(rest, ')') || !rest.empty()) return malformed();
    move = Move::Board(*from, *to, promotes);
    const PieceType type = promoted ? Promoted(base) : base;
    if (TypeOf(position.piece(*from)) != type) {
      return MakeProblem({.code = "illegal_move",
                          .found = Quote(text),
                          .expected = "the named piece on the square in brackets"});
    }
  }
  if (!position.IsLegal(move)) {
    return MakeProblem(
        {.code = "illegal_move", .found = Quote(text), .expected = WhyIllegal(position, move)});
  }
  if (capture != (position.piece(*to) != kNoPiece)) {
    return MakeProblem({.code = "illegal_move",
                        .found = Quote(text),
                        .expected = capture ? "a piece to capture" : "'x' for a capture"});
  }
  return move;
}

}  // namespace joseki::shogi
