#include "engine/shogi/sfen.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

constexpr std::string_view kSfenLetters = " PLNSBRGK";  // by PieceType

// Piece type of each upper-case letter.
constexpr std::array<PieceType, 26> kTypes = [] {
  std::array<PieceType, 26> types{};
  for (size_t type = kPawn; type < kSfenLetters.size(); ++type) {
    types[static_cast<size_t>(kSfenLetters[type] - 'A')] = static_cast<PieceType>(type);
  }
  return types;
}();

absl::Status Bad(std::string_view code, std::string_view found, std::string expected) {
  return MakeProblem(
      {.code = std::string(code), .found = Quote(found), .expected = std::move(expected)});
}

// The piece of a letter, upper case Black; kNoPiece for another character.
Piece PieceOf(char letter) {
  const bool white = letter >= 'a' && letter <= 'z';
  const char upper = white ? static_cast<char>(letter - 'a' + 'A') : letter;
  if (upper < 'A' || upper > 'Z') return kNoPiece;
  const PieceType type = kTypes[static_cast<size_t>(upper - 'A')];
  return type == kNoPieceType ? kNoPiece : MakePiece(white ? kWhite : kBlack, type);
}

absl::Status ParseBoard(std::string_view text, PositionBuilder& builder, int (&kings)[2]) {
  int file = 9;
  int rank = 1;
  bool promoted = false;
  for (const char& c : text) {
    if (c == '/') {
      if (file != 0 || rank == 9 || promoted) {
        return Bad("bad_board", text, "nine ranks of nine squares, divided by '/'");
      }
      file = 9;
      ++rank;
      continue;
    }
    if (c >= '1' && c <= '9' && !promoted) {
      file -= c - '0';
      if (file < 0) return Bad("bad_board", text, "nine squares in each rank");
      continue;
    }
    if (c == '+' && !promoted) {
      promoted = true;
      continue;
    }
    Piece piece = PieceOf(c);
    if (piece == kNoPiece) {
      return Bad("bad_board", text.substr(static_cast<size_t>(&c - text.data())),
                 "a piece letter PLNSBRGK, a digit 1-9, '+' or '/'");
    }
    if (promoted) {
      if (!CanPromote(TypeOf(piece))) {
        return Bad("bad_board", std::string("+") + c, "'+' before one of PLNSBR");
      }
      piece = MakePiece(ColorOf(piece), Promoted(TypeOf(piece)));
      promoted = false;
    }
    if (file == 0) return Bad("bad_board", text, "nine squares in each rank");
    if (TypeOf(piece) == kKing && ++kings[Index(ColorOf(piece))] > 1) {
      return Bad("two_kings", text, "at most one king a side");
    }
    builder.Put(MakeSquare(file, rank), piece);
    --file;
  }
  if (rank != 9 || file != 0 || promoted) {
    return Bad("bad_board", text, "nine ranks of nine squares, divided by '/'");
  }
  return absl::OkStatus();
}

absl::Status ParseHands(std::string_view text, PositionBuilder& builder) {
  if (text == "-") return absl::OkStatus();
  constexpr char kExpected[] = "'-', or counts 2-18 and letters of RBGSNLP, each kind once a side";
  bool seen[32] = {};
  if (text.empty()) return Bad("bad_hand", text, kExpected);
  for (size_t i = 0; i < text.size(); ++i) {
    int count = 1;
    if (text[i] >= '0' && text[i] <= '9') {
      const char* begin = text.data() + i;
      const auto [end, error] = std::from_chars(begin, text.data() + text.size(), count);
      if (error != std::errc() || text[i] == '0' || count < 1 || count > 18) {
        return Bad("bad_hand", text, kExpected);
      }
      i += static_cast<size_t>(end - begin);
      if (i == text.size()) return Bad("bad_hand", text, kExpected);
    }
    const Piece piece = PieceOf(text[i]);
    const PieceType type = TypeOf(piece);
    if (piece == kNoPiece || type == kKing || seen[piece]) return Bad("bad_hand", text, kExpected);
    seen[piece] = true;
    builder.Hold(ColorOf(piece), type, count);
  }
  return absl::OkStatus();
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
  if (flaw == "nifu") return "at most one unpromoted pawn of a side on a file";
  if (flaw == "dead_piece") return "no pawn, lance or knight where it could never move";
  if (flaw == "opponent_in_check") return "the side that is not to move out of check";
  if (flaw == "no_king") return "a king on the board";
  return "no more pieces of a kind than a set has";
}

}  // namespace

absl::StatusOr<SfenPosition> ParseSfen(std::string_view text) {
  if (text == "startpos") return SfenPosition{};
  constexpr size_t kLongest = 300;
  if (text.size() > kLongest) return Bad("bad_board", text, "an SFEN of at most 300 bytes");
  std::string_view rest = text;
  const std::string_view board = NextField(rest);
  if (board == "startpos") return Bad("trailing_text", NextField(rest), "nothing after startpos");
  const std::string_view side = NextField(rest);
  const std::string_view hands = NextField(rest);
  const std::string_view ply = NextField(rest);
  const std::string_view more = NextField(rest);

  PositionBuilder builder;
  int kings[2] = {0, 0};
  RETURN_IF_ERROR(ParseBoard(board, builder, kings));
  if (side != "b" && side != "w") return Bad("bad_side", side, "'b' or 'w'");
  builder.SideToMove(side == "b" ? kBlack : kWhite);
  RETURN_IF_ERROR(ParseHands(hands, builder));
  int plies = 1;
  if (!ply.empty()) {
    const auto [end, error] = std::from_chars(ply.data(), ply.data() + ply.size(), plies);
    if (error != std::errc() || end != ply.data() + ply.size() || plies < 0 || plies > 100000) {
      return Bad("bad_ply", ply, "a number of plies from 0 to 100000");
    }
  }
  if (!more.empty()) return Bad("trailing_text", more, "nothing after the ply");
  SfenPosition result{builder.Build(), plies};
  if (const std::string_view flaw = result.position.Flaw(); !flaw.empty()) {
    return Bad(flaw, text, std::string(Rule(flaw)));
  }
  return result;
}

std::string ToSfen(const Position& position, int ply) {
  std::string text;
  for (int rank = 1; rank <= 9; ++rank) {
    int empty = 0;
    for (int file = 9; file >= 1; --file) {
      const Piece piece = position.piece(MakeSquare(file, rank));
      if (piece == kNoPiece) {
        ++empty;
        continue;
      }
      if (empty > 0) text += static_cast<char>('0' + empty);
      empty = 0;
      if (IsPromoted(TypeOf(piece))) text += '+';
      const char letter = kSfenLetters[Unpromoted(TypeOf(piece))];
      text += ColorOf(piece) == kBlack ? letter : static_cast<char>(letter - 'A' + 'a');
    }
    if (empty > 0) text += static_cast<char>('0' + empty);
    if (rank < 9) text += '/';
  }
  text += position.side_to_move() == kBlack ? " b " : " w ";
  if (position.hand(kBlack).empty() && position.hand(kWhite).empty()) text += '-';
  for (const Color c : {kBlack, kWhite}) {
    for (const PieceType t : {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn}) {
      const int count = position.hand(c).Count(t);
      if (count == 0) continue;
      if (count > 1) text += std::to_string(count);
      text += c == kBlack ? kSfenLetters[t] : static_cast<char>(kSfenLetters[t] - 'A' + 'a');
    }
  }
  return text + ' ' + std::to_string(ply);
}

std::string ToUsi(Move move) {
  auto square = [](int s) {
    return std::string{static_cast<char>('0' + FileOf(s)), static_cast<char>('a' + RankOf(s) - 1)};
  };
  if (move.is_drop()) {
    // The bits may come from the wire, so an invalid type is formatted too.
    const auto kind = static_cast<size_t>(move.dropped());
    return std::string{kind < kSfenLetters.size() ? kSfenLetters[kind] : '?', '*'} +
           square(move.to());
  }
  return square(move.from()) + square(move.to()) + (move.promotes() ? "+" : "");
}

std::optional<Move> MoveFromUsi(std::string_view text) {
  if (text.size() < 4 || text.size() > 5) return std::nullopt;
  auto square = [](char file, char rank) -> int {
    if (file < '1' || file > '9' || rank < 'a' || rank > 'i') return -1;
    return MakeSquare(file - '0', rank - 'a' + 1);
  };
  const int to = square(text[2], text[3]);
  if (to < 0) return std::nullopt;
  if (text[1] == '*') {
    const size_t kind = kSfenLetters.find(text[0], 1);
    if (kind == std::string_view::npos || kind > kGold || text.size() != 4) return std::nullopt;
    return Move::Drop(static_cast<int>(kind), to);
  }
  const int from = square(text[0], text[1]);
  if (from < 0 || from == to || (text.size() == 5 && text[4] != '+')) return std::nullopt;
  return Move::Board(from, to, text.size() == 5);
}

std::string WhyIllegal(const Position& position, Move move) {
  const Color us = position.side_to_move();
  const Square to = move.to();
  const bool onto_piece = position.piece(to) != kNoPiece;
  if (move.is_drop()) {
    const auto t = static_cast<PieceType>(move.dropped());
    if (!position.hand(us).Has(t)) return "a piece that is in hand";
    if (onto_piece) return "a drop on an empty square";
    if (Has(DeadSquares(us, t), to)) return "a drop where the piece can move";
    if (t == kPawn && (position.pieces(us, kPawn) & FileMask(FileOf(to)))) {
      return "no second pawn on a file";
    }
    return position.InCheck() ? "a move out of check" : "no mate by a dropped pawn";
  }
  const Square from = move.from();
  const Piece piece = position.piece(from);
  if (piece == kNoPiece || ColorOf(piece) != us)
    return "a piece of the side to move on the first square";
  if (onto_piece && ColorOf(position.piece(to)) == us) return "no own piece on the second square";
  const PieceType t = TypeOf(piece);
  if (!Has(Attacks(us, t, from, position.occupied()), to)) return "a square the piece can reach";
  const bool zone = InPromotionZone(us, from) || InPromotionZone(us, to);
  if (move.promotes() && (!CanPromote(t) || !zone)) return "a promotion that the rules allow";
  if (!move.promotes() && Has(DeadSquares(us, t), to))
    return "a promotion: the piece could never move again";
  return "a move that does not leave the king attacked";
}

absl::StatusOr<Move> ParseMove(const Position& position, std::string_view text) {
  const std::optional<Move> move = MoveFromUsi(text);
  if (!move) return Bad("malformed_move", text, "a USI move such as 7g7f, 8h2b+ or P*5e");
  if (!position.IsLegal(*move)) return Bad("illegal_move", text, WhyIllegal(position, *move));
  return *move;
}

}  // namespace joseki::shogi
