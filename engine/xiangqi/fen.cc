#include "engine/xiangqi/fen.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

constexpr std::string_view kFenLetters = " KABNRCP";  // by PieceType

absl::Status Bad(std::string_view code, std::string_view found, std::string expected) {
  return MakeProblem(
      {.code = std::string(code), .found = Quote(found), .expected = std::move(expected)});
}

// The piece of a letter, upper case Red; kNoPiece for another character.
Piece PieceOfLetter(char letter) {
  const bool black = letter >= 'a' && letter <= 'z';
  char upper = black ? static_cast<char>(letter - 'a' + 'A') : letter;
  if (upper == 'H') upper = 'N';
  if (upper == 'E') upper = 'B';
  const size_t type = kFenLetters.find(upper, 1);
  return type == std::string_view::npos
             ? kNoPiece
             : MakePiece(black ? kBlack : kRed, static_cast<PieceType>(type));
}

absl::Status ParseBoard(std::string_view text, PositionBuilder& builder) {
  constexpr char kExpected[] = "ten ranks of nine squares, divided by '/'";
  int file = 0;
  int rank = kRanks - 1;
  int kings[2] = {0, 0};
  for (const char& c : text) {
    if (c == '/') {
      if (file != kFiles || rank == 0) return Bad("bad_board", text, kExpected);
      file = 0;
      --rank;
      continue;
    }
    if (c >= '1' && c <= '9') {
      file += c - '0';
      if (file > kFiles) return Bad("bad_board", text, kExpected);
      continue;
    }
    const Piece piece = PieceOfLetter(c);
    if (piece == kNoPiece) {
      return Bad("bad_board", text.substr(static_cast<size_t>(&c - text.data())),
                 "a piece letter RNBAKCP, a digit 1-9 or '/'");
    }
    if (file == kFiles) return Bad("bad_board", text, kExpected);
    if (TypeOf(piece) == kKing && ++kings[Index(ColorOf(piece))] > 1) {
      return Bad("two_kings", text, "one king a side");
    }
    builder.Put(MakeSquare(file, rank), piece);
    ++file;
  }
  if (rank != 0 || file != kFiles) return Bad("bad_board", text, kExpected);
  return absl::OkStatus();
}

// A number from 0 to `most`; `missing` if `text` is empty.
absl::StatusOr<int> ParseCount(std::string_view text, int most, int missing) {
  if (text.empty()) return missing;
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < 0 || count > most) {
    return Bad("bad_ply", text, "a number from 0 to " + std::to_string(most));
  }
  return count;
}

// Consumes the next run of non-blanks at the front of `text`.
std::string_view NextField(std::string_view& text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view field = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return field;
}

std::string_view Rule(std::string_view flaw) {
  if (flaw == "no_king") return "a king of each side";
  if (flaw == "facing_kings") return "a piece between kings on one file";
  if (flaw == "opponent_in_check") return "the side that is not to move out of check";
  if (flaw == "misplaced_king" || flaw == "misplaced_adviser") return "it in its own palace";
  if (flaw == "misplaced_elephant") return "it on one of its seven points";
  if (flaw == "misplaced_pawn") return "it where a pawn that only goes on can have come";
  return "no more pieces of a kind than a set has";
}

std::string SquareText(Square s) {
  return {static_cast<char>('a' + FileOf(s)), static_cast<char>('0' + RankOf(s))};
}

// The condition that the move from `from` to `to` violates. REQUIRES: the piece cannot reach `to`.
std::string WhyUnreachable(const Position& position, Square from, Square to) {
  const PieceType t = TypeOf(position.piece(from));
  const Color us = position.side_to_move();
  if (Has(Moves(us, t, from, Bitboard()), to)) {
    if (t == kKnight || t == kElephant) return "no piece in the way of a knight or an elephant";
    if (t == kRook) return "no piece on the way";
  }
  if (t == kCannon && Has(kAttacks.rook_rays[static_cast<size_t>(from)], to)) {
    return position.piece(to) == kNoPiece ? "no piece on the way"
                                          : "one piece between a cannon and what it takes";
  }
  return "a square the piece can reach";
}

}  // namespace

absl::StatusOr<FenPosition> ParseFen(std::string_view text) {
  if (text == "startpos") return FenPosition{};
  constexpr size_t kLongest = 300;
  constexpr int kMostQuiet = UINT16_MAX;
  constexpr int kMostMoves = 50000;
  if (text.size() > kLongest) return Bad("bad_board", text, "a FEN of at most 300 bytes");
  std::string_view rest = text;
  const std::string_view board = NextField(rest);
  if (board == "startpos") return Bad("trailing_text", NextField(rest), "nothing after startpos");
  const std::string_view side = NextField(rest);

  PositionBuilder builder;
  RETURN_IF_ERROR(ParseBoard(board, builder));
  if (side != "w" && side != "b" && side != "r") return Bad("bad_side", side, "'w' or 'b'");
  builder.SideToMove(side == "b" ? kBlack : kRed);
  // Fields that chess uses for castling and en passant.
  for (int i = 0; i < 2; ++i) {
    const std::string_view unused = NextField(rest);
    if (!unused.empty() && unused != "-") return Bad("bad_field", unused, "'-'");
  }
  ASSIGN_OR_RETURN(const int quiet, ParseCount(NextField(rest), kMostQuiet, 0));
  ASSIGN_OR_RETURN(const int number, ParseCount(NextField(rest), kMostMoves, 1));
  if (const std::string_view more = NextField(rest); !more.empty()) {
    return Bad("trailing_text", more, "nothing after the number of the move");
  }
  FenPosition result{builder.Quiet(quiet).Build(), 2 * std::max(number, 1) - (side == "b" ? 0 : 1)};
  if (const std::string_view flaw = result.position.Flaw(); !flaw.empty()) {
    return Bad(flaw, text, std::string(Rule(flaw)));
  }
  return result;
}

std::string ToFen(const Position& position, int ply) {
  std::string text;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Piece piece = position.piece(MakeSquare(file, rank));
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty > 0) text += static_cast<char>('0' + empty);
      empty = 0;
      const char letter = kFenLetters[TypeOf(piece)];
      text += ColorOf(piece) == kRed ? letter : static_cast<char>(letter - 'A' + 'a');
    }
    if (empty > 0) text += static_cast<char>('0' + empty);
    if (rank > 0) text += '/';
  }
  text += position.side_to_move() == kRed ? " w - - " : " b - - ";
  return text + std::to_string(position.quiet_plies()) + ' ' + std::to_string((ply + 1) / 2);
}

std::string ToUcci(Move move) { return SquareText(move.from()) + SquareText(move.to()); }

std::optional<Move> MoveFromUcci(std::string_view text) {
  if (text.size() != 4) return std::nullopt;
  auto square = [](char file, char rank) -> Square {
    if (file < 'a' || file > 'i' || rank < '0' || rank > '9') return kNoSquare;
    return MakeSquare(file - 'a', rank - '0');
  };
  const Square from = square(text[0], text[1]);
  const Square to = square(text[2], text[3]);
  if (from == kNoSquare || to == kNoSquare || from == to) return std::nullopt;
  return Move::Board(from, to);
}

std::string WhyIllegal(const Position& position, Move move) {
  const Color us = position.side_to_move();
  const Square from = move.from();
  const Square to = move.to();
  if (move.is_drop() || move.promotes()) return "a move of a piece on the board";
  if (!Has(position.occupied(us), from)) return "a piece of the side to move on the first square";
  if (Has(position.occupied(us), to)) return "no own piece on the second square";
  if (!Has(position.board().MovesFrom(from), to)) return WhyUnreachable(position, from, to);

  Board after = position.board();
  if (after.piece(to) != kNoPiece) after.Remove(to);
  after.Shift(from, to);
  const Square king = after.king(us);
  const Square other = after.king(~us);
  if (FileOf(king) == FileOf(other) && !(Between(king, other) & after.occupied())) {
    return "a move after which the kings do not face each other";
  }
  return position.InCheck() ? "a move out of check"
                            : "a move that does not leave the king attacked";
}

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
  const std::optional<Move> move = MoveFromUcci(text);
  if (!move) return Bad("malformed_move", text, "a UCCI move such as h2e2");
  if (!position.IsLegal(*move)) return Bad("illegal_move", text, WhyIllegal(position, *move));
  return *move;
}

}  // namespace joseki::xiangqi
