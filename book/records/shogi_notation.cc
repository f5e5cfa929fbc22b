#include "book/records/shogi_notation.h"

#include <optional>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/japanese.h"
#include "book/records/lines.h"
#include "book/records/relative_move.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

using shogi::PieceType;
using shogi::Square;
using RelativeSide = RelativeMove::Side;
using RelativeWay = RelativeMove::Way;

// By PieceType.
constexpr std::string_view kKanji[shogi::kPieceTypeCount] = {
    "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
constexpr std::string_view kEnglishNames[shogi::kPieceTypeCount] = {
    "", "P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R"};
constexpr std::string_view kFileDigits[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};
constexpr std::string_view kRankDigits[] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

struct SideMark {
  std::string_view sign;
  Color side;
};
constexpr SideMark kSideMarks[] = {{"▲", shogi::kBlack},
                                   {"☗", shogi::kBlack},
                                   {"△", shogi::kWhite},
                                   {"☖", shogi::kWhite},
                                   {"▽", shogi::kWhite}};

constexpr std::string_view kForms = "a move such as 7g7f, ７六歩 or P-7f";

absl::Status Malformed(std::string_view text) {
  return MakeProblem(
      {.code = "malformed_move", .found = QuoteText(text), .expected = std::string(kForms)});
}

absl::StatusOr<Move> LegalOr(const shogi::Position& position, Move move) {
  if (position.IsLegal(move)) return move;
  return MakeProblem({.code = "illegal_move",
                      .found = shogi::ToUsi(move),
                      .expected = shogi::WhyIllegal(position, move)});
}

// The side's pieces of a kind that reach a square, including pinned ones.
Bitboard Reaching(const shogi::Position& position, PieceType piece, Square to) {
  const Color us = position.side_to_move();
  return position.Attackers(us, to, position.occupied()) & position.pieces(us, piece);
}

// True if a move of `piece` between the squares could promote.
bool MayPromote(Color us, PieceType piece, Square from, Square to) {
  return shogi::CanPromote(piece) &&
         (shogi::InPromotionZone(us, from) || shogi::InPromotionZone(us, to));
}

std::string EnglishSquare(Square square) {
  return absl::StrCat(shogi::FileOf(square),
                      std::string(1, static_cast<char>('a' + shogi::RankOf(square) - 1)));
}

// ---- Japanese

// 左 右 直 上 寄 引, as many as needed.
std::string Suffix(const shogi::Position& position, Move move, PieceType piece) {
  if (Reaching(position, piece, move.to()).Count() < 2) return "";
  struct Word {
    RelativeWay way;
    RelativeSide side;
    std::string_view text;
  };
  static constexpr Word kWords[] = {{RelativeWay::kUp, RelativeSide::kAny, "上"},
                                    {RelativeWay::kLevel, RelativeSide::kAny, "寄"},
                                    {RelativeWay::kDown, RelativeSide::kAny, "引"},
                                    {RelativeWay::kAny, RelativeSide::kStraight, "直"},
                                    {RelativeWay::kAny, RelativeSide::kLeft, "左"},
                                    {RelativeWay::kAny, RelativeSide::kRight, "右"},
                                    {RelativeWay::kUp, RelativeSide::kLeft, "左上"},
                                    {RelativeWay::kLevel, RelativeSide::kLeft, "左寄"},
                                    {RelativeWay::kDown, RelativeSide::kLeft, "左引"},
                                    {RelativeWay::kUp, RelativeSide::kRight, "右上"},
                                    {RelativeWay::kLevel, RelativeSide::kRight, "右寄"},
                                    {RelativeWay::kDown, RelativeSide::kRight, "右引"}};
  for (const Word& word : kWords) {
    RelativeMove relative{.to = move.to(), .piece = piece};
    relative.way = word.way;
    relative.side = word.side;
    relative.promote = move.promotes();
    const absl::StatusOr<Move> meant = Resolve(position, relative);
    if (meant.ok() && *meant == move) return std::string(word.text);
  }
  return "";
}

std::string Japanese(const shogi::Position& position, Move move, Square last_to) {
  std::string text = move.to() == last_to
                         ? std::string("同")
                         : absl::StrCat(std::string(kFileDigits[shogi::FileOf(move.to()) - 1]),
                                        std::string(kRankDigits[shogi::RankOf(move.to()) - 1]));
  if (move.is_drop()) {
    const auto piece = static_cast<PieceType>(move.dropped());
    absl::StrAppend(&text, std::string(kKanji[piece]));
    return Reaching(position, piece, move.to()) ? text + "打" : text;
  }
  const PieceType piece = shogi::TypeOf(position.piece(move.from()));
  absl::StrAppend(&text, std::string(kKanji[piece]), Suffix(position, move, piece));
  if (move.promotes()) return text + "成";
  return MayPromote(position.side_to_move(), piece, move.from(), move.to()) ? text + "不成" : text;
}

// Consumes "(77)", a square in digits; kNoSquare if there is none.
Square TakeOrigin(std::string_view& text) {
  if (text.size() < 4 || text[0] != '(' || text[3] != ')') return shogi::kNoSquare;
  if (text[1] < '1' || text[1] > '9' || text[2] < '1' || text[2] > '9') return shogi::kNoSquare;
  const Square square = shogi::MakeSquare(text[1] - '0', text[2] - '0');
  text.remove_prefix(4);
  return square;
}

// Nullopt if the text is no Japanese move at all.
std::optional<absl::StatusOr<Move>> ParseJapanese(const shogi::Position& position,
                                                  std::string_view text, Square last_to) {
  std::optional<Color> side;
  for (const SideMark& mark : kSideMarks) {
    if (!side && Take(text, mark.sign)) side = mark.side;
  }
  const std::optional<RelativeMove> relative = TakeRelativeMove(text, last_to);
  if (!relative) return std::nullopt;
  const Square from = TakeOrigin(text);
  if (!text.empty()) return std::nullopt;
  if (side && *side != position.side_to_move()) {
    return MakeProblem({.code = "illegal_move",
                        .found = "a mark of the side that does not move",
                        .expected = position.side_to_move() == shogi::kBlack ? "▲" : "△"});
  }
  if (from == shogi::kNoSquare) return Resolve(position, *relative);
  return LegalOr(position, Move::Board(from, relative->to, relative->promote));
}

// ---- English

std::string English(const shogi::Position& position, Move move) {
  const std::string to = EnglishSquare(move.to());
  if (move.is_drop()) return absl::StrCat(std::string(kEnglishNames[move.dropped()]), "*", to);
  const PieceType piece = shogi::TypeOf(position.piece(move.from()));
  std::string text(kEnglishNames[piece]);
  if (Reaching(position, piece, move.to()).Count() > 1) text += EnglishSquare(move.from());
  absl::StrAppend(&text, position.piece(move.to()) == shogi::kNoPiece ? "-" : "x", to);
  if (move.promotes()) return text + "+";
  return MayPromote(position.side_to_move(), piece, move.from(), move.to()) ? text + "=" : text;
}

// Consumes "7f"; kNoSquare if there is none.
Square TakeEnglishSquare(std::string_view& text) {
  if (text.size() < 2 || text[0] < '1' || text[0] > '9' || text[1] < 'a' || text[1] > 'i') {
    return shogi::kNoSquare;
  }
  const Square square = shogi::MakeSquare(text[0] - '0', text[1] - 'a' + 1);
  text.remove_prefix(2);
  return square;
}

PieceType TakeEnglishPiece(std::string_view& text) {
  // Promoted types are last and have longer names, so they are tried first.
  for (int type = shogi::kPieceTypeCount - 1; type > 0; --type) {
    if (Take(text, kEnglishNames[type])) return static_cast<PieceType>(type);
  }
  return shogi::kNoPieceType;
}

// Nullopt if the text is no English move at all.
std::optional<absl::StatusOr<Move>> ParseEnglish(const shogi::Position& position,
                                                 std::string_view text) {
  const PieceType piece = TakeEnglishPiece(text);
  if (piece == shogi::kNoPieceType) return std::nullopt;
  Square from = TakeEnglishSquare(text);
  const bool drop = Take(text, "*");
  if (!drop && !Take(text, "-") && !Take(text, "x")) return std::nullopt;
  const Square to = TakeEnglishSquare(text);
  if (to == shogi::kNoSquare) return std::nullopt;
  const bool promote = Take(text, "+");
  if (!promote) Take(text, "=");
  if (!text.empty()) return std::nullopt;
  if (drop) {
    if (piece > shogi::kGold || promote || from != shogi::kNoSquare) return std::nullopt;
    return LegalOr(position, Move::Drop(piece, to));
  }
  const Bitboard reaching = Reaching(position, piece, to);
  if (from == shogi::kNoSquare) {
    int legal = 0;
    shogi::ForEach(reaching, [&](Square square) {
      if (!position.IsLegal(Move::Board(square, to, promote))) return;
      from = square;
      ++legal;
    });
    if (legal > 1) {
      return MakeProblem(
          {.code = "ambiguous_move",
           .found = absl::StrCat(legal, " pieces that can go to ", EnglishSquare(to)),
           .expected = absl::StrCat("one, such as ", std::string(kEnglishNames[piece]),
                                    EnglishSquare(from), "-", EnglishSquare(to))});
    }
  }
  if (from == shogi::kNoSquare || position.piece(from) == shogi::kNoPiece ||
      shogi::TypeOf(position.piece(from)) != piece) {
    return MakeProblem({.code = "illegal_move",
                        .found = "no such piece",
                        .expected = absl::StrCat(std::string(kEnglishNames[piece]),
                                                 " that can go to ", EnglishSquare(to))});
  }
  return LegalOr(position, Move::Board(from, to, promote));
}

}  // namespace

absl::StatusOr<Move> ParseNotation(const shogi::Position& position, std::string_view text,
                                   Square last_to) {
  if (shogi::MoveFromUsi(text)) return shogi::ParseMove(position, text);
  if (const auto japanese = ParseJapanese(position, text, last_to)) return *japanese;
  if (const auto english = ParseEnglish(position, text)) return *english;
  return Malformed(text);
}

std::string NotationOf(const shogi::Position& position, Move move, ShogiNotation notation,
                       Square last_to) {
  switch (notation) {
    case ShogiNotation::kJapanese:
      return Japanese(position, move, last_to);
    case ShogiNotation::kEnglish:
      return English(position, move);
    case ShogiNotation::kUsi:
      break;
  }
  return shogi::ToUsi(move);
}

}  // namespace joseki::book
