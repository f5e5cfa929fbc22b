#include "cli/boards/shogi_board.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/words/phrases.h"
#include "engine/shogi/types.h"

namespace joseki::cli {
namespace {

// Signs by PieceType.
constexpr std::string_view kPieces[shogi::kPieceTypeCount] = {
    "・", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::string_view kRanks[9] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

std::string HandText(shogi::Hand hand, const Voice& voice) {
  using enum shogi::PieceType;
  if (hand.empty()) return voice.Say(phrase::kNoHand);
  std::string text;
  for (const shogi::PieceType type : {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn}) {
    const int count = hand.Count(type);
    if (count == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : " ", std::string(kPieces[type]));
    if (count > 1) absl::StrAppend(&text, count);
  }
  return text;
}

// Sizes in SVG units: a square is kCell wide, and a hand takes kSide at either side of the board.
constexpr double kCell = 20;
constexpr double kSide = 22;
constexpr double kTop = 14;
constexpr double kBoard = 9 * kCell;

// The middle of a square.
SvgPoint MiddleOf(shogi::Square square) {
  return {kSide + (9 - shogi::FileOf(square) + 0.5) * kCell,
          kTop + (shogi::RankOf(square) - 0.5) * kCell};
}

// Adds a hand: Black's down the right side, White's up the left side.
void AddHand(std::string& svg, shogi::Hand hand, Color side) {
  using enum shogi::PieceType;
  int place = 0;
  for (const shogi::PieceType type : {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn}) {
    const int count = hand.Count(type);
    if (count == 0) continue;
    const bool black = side == shogi::kBlack;
    const double y = kTop + (black ? place + 2.5 : 6.5 - place) * kCell;
    const SvgPoint at{black ? kSide + kBoard + kSide / 2 : kSide / 2, y};
    AddSign(svg, at, kPieces[type], !black);
    if (count > 1) {
      absl::StrAppendFormat(&svg, "<text x=\"%g\" y=\"%g\" font-size=\"8\">%d</text>", at.x + 5,
                            at.y + (black ? 9 : -5), count);
    }
    ++place;
  }
}

void AddMove(std::string& svg, const DrawnMove& drawn, Color mover) {
  const std::string colour(drawn.colour);
  const SvgPoint to = MiddleOf(drawn.move.to());
  if (drawn.move.is_drop()) {
    absl::StrAppendFormat(
        &svg,
        "<circle cx=\"%g\" cy=\"%g\" r=\"9\" fill=\"none\" stroke=\"%s\" stroke-width=\"3\"/>",
        to.x, to.y, colour);
    AddSign(svg, to, kPieces[drawn.move.dropped()], mover == shogi::kWhite);
    return;
  }
  AddArrow(svg, MiddleOf(drawn.move.from()), to, drawn.colour);
}

}  // namespace

std::string BoardText(const shogi::Position& position, const Voice& voice) {
  std::string text =
      absl::StrCat(voice.Say(phrase::kWhiteHolds, HandText(position.hand(shogi::kWhite), voice)),
                   "  ９ ８ ７ ６ ５ ４ ３ ２ １\n", "+---------------------------+\n");
  for (int rank = 1; rank <= 9; ++rank) {
    text += "|";
    for (int file = 9; file >= 1; --file) {
      const shogi::Piece piece = position.piece(shogi::MakeSquare(file, rank));
      const bool white = piece != shogi::kNoPiece && shogi::ColorOf(piece) == shogi::kWhite;
      absl::StrAppend(&text, white ? "v" : " ", std::string(kPieces[shogi::TypeOf(piece)]));
    }
    absl::StrAppend(&text, "|", std::string(kRanks[rank - 1]), "\n");
  }
  absl::StrAppend(&text, "+---------------------------+\n",
                  voice.Say(phrase::kBlackHolds, HandText(position.hand(shogi::kBlack), voice)),
                  voice.Say(position.side_to_move() == shogi::kBlack ? phrase::kBlackToMove
                                                                     : phrase::kWhiteToMove));
  return text;
}

std::string BoardSvg(const shogi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label) {
  const double width = kBoard + 2 * kSide + 12;
  const double height = kBoard + kTop + 4;
  std::string svg = absl::StrFormat(
      "<svg class=\"board\" width=\"%g\" viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">",
      width, width, height, std::string(label));
  for (int i = 0; i <= 9; ++i) {
    absl::StrAppendFormat(&svg, "<path d=\"M%g %gV%gM%g %gH%g\" stroke=\"var(--line)\"/>",
                          kSide + i * kCell, kTop, kTop + kBoard, kSide, kTop + i * kCell,
                          kSide + kBoard);
  }
  for (int i = 1; i <= 9; ++i) {
    const SvgPoint at = MiddleOf(shogi::MakeSquare(i, i));
    absl::StrAppendFormat(&svg,
                          "<text x=\"%g\" y=\"10\" text-anchor=\"middle\" font-size=\"8\">%d</text>"
                          "<text x=\"%g\" y=\"%g\" font-size=\"8\">%s</text>",
                          at.x, i, kSide + kBoard + 2, at.y + 3, std::string(kRanks[i - 1]));
  }
  for (shogi::Square square = 0; square < shogi::kSquareCount; ++square) {
    const shogi::Piece piece = position.piece(square);
    if (piece == shogi::kNoPiece) continue;
    AddSign(svg, MiddleOf(square), kPieces[shogi::TypeOf(piece)],
            shogi::ColorOf(piece) == shogi::kWhite);
  }
  AddHand(svg, position.hand(shogi::kBlack), shogi::kBlack);
  AddHand(svg, position.hand(shogi::kWhite), shogi::kWhite);
  for (const DrawnMove& move : moves) AddMove(svg, move, position.side_to_move());
  return svg + "</svg>";
}

}  // namespace joseki::cli
