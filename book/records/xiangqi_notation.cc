#include "book/records/xiangqi_notation.h"

#include <cstddef>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/lines.h"
#include "engine/xiangqi/fen.h"

namespace joseki::book {
namespace {

using Place = SpokenMove::Place;
using SpokenWay = SpokenMove::Way;

// Letters by piece type, and alternative letters that are read.
constexpr std::string_view kWxfPieces = " KABNRCP";
constexpr std::string_view kWxfOthers = "   EH   ";

struct PieceSign {
  std::string_view sign;
  xiangqi::PieceType piece;
};
constexpr PieceSign kPieceSigns[] = {
    {"帅", xiangqi::kKing},     {"帥", xiangqi::kKing},     {"将", xiangqi::kKing},
    {"將", xiangqi::kKing},     {"仕", xiangqi::kAdviser},  {"士", xiangqi::kAdviser},
    {"相", xiangqi::kElephant}, {"象", xiangqi::kElephant}, {"马", xiangqi::kKnight},
    {"馬", xiangqi::kKnight},   {"傌", xiangqi::kKnight},   {"车", xiangqi::kRook},
    {"車", xiangqi::kRook},     {"俥", xiangqi::kRook},     {"炮", xiangqi::kCannon},
    {"砲", xiangqi::kCannon},   {"包", xiangqi::kCannon},   {"兵", xiangqi::kPawn},
    {"卒", xiangqi::kPawn},
};
// Characters for writing, by piece type.
constexpr std::string_view kRedSigns[] = {"", "帅", "仕", "相", "马", "车", "炮", "兵"};
constexpr std::string_view kBlackSigns[] = {"", "将", "士", "象", "马", "车", "炮", "卒"};

constexpr std::string_view kChineseDigits[] = {"一", "二", "三", "四", "五",
                                               "六", "七", "八", "九"};
constexpr std::string_view kWideDigits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};

struct PlaceSign {
  std::string_view sign;
  Place place;
};
constexpr PlaceSign kPlaceSigns[] = {
    {"前", Place::kFront}, {"中", Place::kMiddle}, {"后", Place::kRear}, {"後", Place::kRear}};

struct WaySign {
  std::string_view sign;
  SpokenWay way;
};
constexpr WaySign kWaySigns[] = {{"进", SpokenWay::kAdvance},
                                 {"進", SpokenWay::kAdvance},
                                 {"平", SpokenWay::kTraverse},
                                 {"退", SpokenWay::kRetreat}};

// Consumes the sign of a row at the front of `text` and returns the row; null if there is none.
template <typename Row, size_t N>
const Row* TakeSign(std::string_view& text, const Row (&rows)[N]) {
  for (const Row& row : rows) {
    if (Take(text, row.sign)) return &row;
  }
  return nullptr;
}

// Consumes a digit 1 to 9 of any script; 0 if there is none.
int TakeAnyDigit(std::string_view& text) {
  if (!text.empty() && text[0] >= '1' && text[0] <= '9') {
    const int digit = text[0] - '0';
    text.remove_prefix(1);
    return digit;
  }
  for (size_t i = 0; i < std::size(kChineseDigits); ++i) {
    if (Take(text, kChineseDigits[i]) || Take(text, kWideDigits[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}

xiangqi::PieceType WxfPiece(char letter) {
  const char upper = absl::ascii_toupper(static_cast<unsigned char>(letter));
  size_t kind = kWxfPieces.find(upper, 1);
  if (kind == std::string_view::npos) kind = kWxfOthers.find(upper, 1);
  // The tables contain blanks, which are no letters.
  if (kind == std::string_view::npos || upper == ' ') return xiangqi::kNoPieceType;
  return static_cast<xiangqi::PieceType>(kind);
}

std::optional<Place> WxfPlace(char sign) {
  if (sign == '+') return Place::kFront;
  if (sign == '.') return Place::kMiddle;
  if (sign == '-') return Place::kRear;
  if (sign >= 'a' && sign <= 'e') return static_cast<Place>(sign - 'a' + 1);
  return std::nullopt;
}

std::optional<SpokenWay> WxfWay(char sign) {
  if (sign == '+') return SpokenWay::kAdvance;
  if (sign == '-') return SpokenWay::kRetreat;
  if (sign == '=' || sign == '.') return SpokenWay::kTraverse;
  return std::nullopt;
}

bool IsFile(char sign) { return sign >= '1' && sign <= '9'; }

std::string Wxf(const SpokenMove& spoken) {
  static constexpr std::string_view kPlaces = " abcde+.-";
  static constexpr std::string_view kWays = "+=-";
  std::string text(1, kWxfPieces[spoken.piece]);
  text += spoken.file > 0 ? static_cast<char>('0' + spoken.file)
                          : kPlaces[static_cast<size_t>(spoken.place)];
  text += kWays[static_cast<size_t>(spoken.way)];
  text += static_cast<char>('0' + spoken.number);
  return text;
}

std::string Chinese(const SpokenMove& spoken, Color side) {
  const bool red = side == xiangqi::kRed;
  const auto& digits = red ? kChineseDigits : kWideDigits;
  const auto digit = [&](int number) { return digits[static_cast<size_t>(number) - 1]; };
  const std::string_view piece = (red ? kRedSigns : kBlackSigns)[spoken.piece];
  std::string text;
  if (spoken.file > 0) {
    absl::StrAppend(&text, std::string(piece), std::string(digit(spoken.file)));
  } else if (spoken.place <= Place::kFifth) {
    // Place numbers, unlike files, are in Chinese digits for both sides.
    text += kChineseDigits[static_cast<size_t>(spoken.place) - 1];
    text += piece;
  } else {
    for (const PlaceSign& row : kPlaceSigns) {
      if (row.place != spoken.place) continue;
      text += row.sign;
      break;
    }
    text += piece;
  }
  for (const WaySign& row : kWaySigns) {
    if (row.way != spoken.way) continue;
    text += row.sign;
    break;
  }
  text += digit(spoken.number);
  return text;
}

}  // namespace

std::optional<Move> MoveOfSquares(std::string_view text) {
  char squares[5];
  size_t size = 0;
  if (text.size() > sizeof squares) return std::nullopt;
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == 2 && text[i] == '-') continue;
    squares[size++] = absl::ascii_tolower(static_cast<unsigned char>(text[i]));
  }
  return xiangqi::MoveFromUcci({squares, size});
}

std::optional<SpokenMove> SpokenOfWxf(std::string_view text) {
  if (text.size() != 4) return std::nullopt;
  SpokenMove spoken;
  spoken.piece = WxfPiece(text[0]);
  if (spoken.piece != xiangqi::kNoPieceType && IsFile(text[1])) {
    spoken.file = text[1] - '0';
  } else if (const auto behind = WxfPlace(text[1]);
             spoken.piece != xiangqi::kNoPieceType && behind) {
    spoken.place = *behind;
  } else if (const auto before = WxfPlace(text[0]); before) {
    // Place of a piece, or of a pawn on a named file.
    spoken.place = *before;
    spoken.piece = IsFile(text[1]) ? xiangqi::kPawn : WxfPiece(text[1]);
    if (IsFile(text[1])) spoken.file = text[1] - '0';
    if (spoken.piece == xiangqi::kNoPieceType) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const std::optional<SpokenWay> way = WxfWay(text[2]);
  if (!way || !IsFile(text[3])) return std::nullopt;
  spoken.way = *way;
  spoken.number = text[3] - '0';
  return spoken;
}

std::optional<SpokenMove> SpokenOfChinese(std::string_view text) {
  SpokenMove spoken;
  if (const PieceSign* const piece = TakeSign(text, kPieceSigns)) {
    spoken.piece = piece->piece;
    spoken.file = TakeAnyDigit(text);
    if (spoken.file == 0) return std::nullopt;
  } else {
    if (const PlaceSign* const place = TakeSign(text, kPlaceSigns)) {
      spoken.place = place->place;
    } else if (const int number = TakeAnyDigit(text); number >= 1 && number <= 5) {
      spoken.place = static_cast<Place>(number);
    } else {
      return std::nullopt;
    }
    if (const PieceSign* const placed = TakeSign(text, kPieceSigns)) {
      spoken.piece = placed->piece;
    } else {
      // 前七平六: if two files hold several pawns each, the file replaces the piece's name.
      spoken.piece = xiangqi::kPawn;
      spoken.file = TakeAnyDigit(text);
      if (spoken.file == 0) return std::nullopt;
    }
  }
  const WaySign* const way = TakeSign(text, kWaySigns);
  if (way == nullptr) return std::nullopt;
  spoken.way = way->way;
  spoken.number = TakeAnyDigit(text);
  if (spoken.number == 0 || !text.empty()) return std::nullopt;
  return spoken;
}

absl::StatusOr<Move> ParseNotation(const xiangqi::Position& position, std::string_view text) {
  if (const std::optional<Move> move = MoveOfSquares(text)) {
    if (position.IsLegal(*move)) return *move;
    return MakeProblem({.code = "illegal_move",
                        .found = QuoteText(text),
                        .expected = xiangqi::WhyIllegal(position, *move)});
  }
  std::optional<SpokenMove> spoken = SpokenOfWxf(text);
  if (!spoken) spoken = SpokenOfChinese(text);
  if (!spoken) {
    return MakeProblem({.code = "malformed_move",
                        .found = QuoteText(text),
                        .expected = "a move such as H2-E2, C2=5 or 炮二平五"});
  }
  absl::StatusOr<Move> move = Resolve(position, *spoken);
  if (move.ok()) return move;
  Problem problem = ProblemOf(move.status());
  problem.found = QuoteText(text);
  return MakeProblem(std::move(problem));
}

std::string NotationOf(const xiangqi::Position& position, Move move, XiangqiNotation notation) {
  if (notation == XiangqiNotation::kIccs) {
    std::string text = xiangqi::ToUcci(move);
    for (char& c : text) c = absl::ascii_toupper(static_cast<unsigned char>(c));
    return text.insert(2, "-");
  }
  const SpokenMove spoken = Spoken(position, move);
  return notation == XiangqiNotation::kWxf ? Wxf(spoken) : Chinese(spoken, position.side_to_move());
}

}  // namespace joseki::book
