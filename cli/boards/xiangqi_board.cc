#include "cli/boards/xiangqi_board.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/words/phrases.h"
#include "engine/xiangqi/types.h"

namespace joseki::cli {
namespace {

// Signs by PieceType.
constexpr std::string_view kRedPieces[xiangqi::kPieceTypeCount] = {"・", "帥", "仕", "相",
                                                                   "馬", "車", "炮", "兵"};
constexpr std::string_view kBlackPieces[xiangqi::kPieceTypeCount] = {"・", "將", "士", "象",
                                                                     "馬", "車", "砲", "卒"};
constexpr std::string_view kLetters = " KABNRCP";

std::string_view SignOf(xiangqi::Piece piece) {
  const bool black = piece != xiangqi::kNoPiece && xiangqi::ColorOf(piece) == xiangqi::kBlack;
  return (black ? kBlackPieces : kRedPieces)[static_cast<size_t>(xiangqi::TypeOf(piece))];
}

// Sizes in SVG units: neighbouring points are kStep apart, and a9 is at (kLeft, kAbove).
constexpr double kStep = 20;
constexpr double kLeft = 24;
constexpr double kAbove = 24;
constexpr double kRight = kLeft + (xiangqi::kFiles - 1) * kStep;
constexpr double kBelow = kAbove + (xiangqi::kRanks - 1) * kStep;

SvgPoint PointOf(int file, int rank) { return {kLeft + file * kStep, kBelow - rank * kStep}; }
SvgPoint PointOf(xiangqi::Square square) {
  return PointOf(xiangqi::FileOf(square), xiangqi::RankOf(square));
}

void AddLine(std::string& svg, SvgPoint from, SvgPoint to) {
  absl::StrAppendFormat(&svg, "M%g %gL%g %g", from.x, from.y, to.x, to.y);
}

// Adds the lines of the board: inner files stop at the river, and each palace has a cross.
void AddLines(std::string& svg) {
  svg += "<path fill=\"none\" stroke=\"var(--line)\" d=\"";
  for (int rank = 0; rank < xiangqi::kRanks; ++rank) {
    AddLine(svg, PointOf(0, rank), PointOf(xiangqi::kFiles - 1, rank));
  }
  for (int file = 0; file < xiangqi::kFiles; ++file) {
    const bool edge = file == 0 || file == xiangqi::kFiles - 1;
    AddLine(svg, PointOf(file, 0), PointOf(file, edge ? xiangqi::kRanks - 1 : 4));
    if (!edge) AddLine(svg, PointOf(file, 5), PointOf(file, xiangqi::kRanks - 1));
  }
  for (const int rank : {0, 7}) {
    AddLine(svg, PointOf(3, rank), PointOf(5, rank + 2));
    AddLine(svg, PointOf(5, rank), PointOf(3, rank + 2));
  }
  svg += "\"/>";
}

// Adds the names of squares: files a to i below, ranks 0 to 9 at the left.
void AddEdges(std::string& svg) {
  for (int file = 0; file < xiangqi::kFiles; ++file) {
    absl::StrAppendFormat(
        &svg, "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" font-size=\"8\">%c</text>",
        PointOf(file, 0).x, kBelow + 20, 'a' + file);
  }
  for (int rank = 0; rank < xiangqi::kRanks; ++rank) {
    absl::StrAppendFormat(&svg, "<text x=\"2\" y=\"%g\" font-size=\"8\">%d</text>",
                          PointOf(0, rank).y + 3, rank);
  }
}

void AddMan(std::string& svg, xiangqi::Square square, xiangqi::Piece piece) {
  const SvgPoint at = PointOf(square);
  const bool black = xiangqi::ColorOf(piece) == xiangqi::kBlack;
  const char* const ink = black ? "#fff6e4" : "#a3200d";
  absl::StrAppendFormat(
      &svg,
      "<g style=\"fill:%s\"><circle cx=\"%g\" cy=\"%g\" r=\"9.2\" fill=\"%s\" stroke=\"%s\"/>"
      "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" style=\"fill:inherit\">%s</text>"
      "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\" style=\"fill:inherit;font:5px "
      "sans-serif\">%c</text></g>",
      ink, at.x, at.y, black ? "#2a2520" : "#fff6e4", ink, at.x, at.y + 3,
      std::string(SignOf(piece)), at.x, at.y + 8,
      kLetters[static_cast<size_t>(xiangqi::TypeOf(piece))]);
}

}  // namespace

std::string BoardText(const xiangqi::Position& position, const Voice& voice) {
  std::string text = "   a  b  c  d  e  f  g  h  i\n";
  for (int rank = xiangqi::kRanks - 1; rank >= 0; --rank) {
    absl::StrAppend(&text, rank, " ");
    for (int file = 0; file < xiangqi::kFiles; ++file) {
      const xiangqi::Piece piece = position.piece(xiangqi::MakeSquare(file, rank));
      const bool black = piece != xiangqi::kNoPiece && xiangqi::ColorOf(piece) == xiangqi::kBlack;
      absl::StrAppend(&text, black ? "v" : " ", std::string(SignOf(piece)));
    }
    text += "\n";
    if (rank == 5) text += "  ~~~~~~~~~~~~~~~~~~~~~~~~~~~\n";
  }
  return text + voice.Say(position.side_to_move() == xiangqi::kRed ? phrase::kRedsMove
                                                                   : phrase::kBlacksMove);
}

std::string BoardSvg(const xiangqi::Position& position, std::span<const DrawnMove> moves,
                     std::string_view label) {
  std::string svg = absl::StrFormat(
      "<svg class=\"board\" width=\"236\" viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"%s\">",
      kRight + kLeft, kBelow + kAbove, std::string(label));
  AddLines(svg);
  AddEdges(svg);
  for (xiangqi::Square square = 0; square < xiangqi::kSquareCount; ++square) {
    const xiangqi::Piece piece = position.piece(square);
    if (piece != xiangqi::kNoPiece) AddMan(svg, square, piece);
  }
  for (const DrawnMove& drawn : moves) {
    AddArrow(svg, PointOf(drawn.move.from()), PointOf(drawn.move.to()), drawn.colour);
  }
  return svg + "</svg>";
}

}  // namespace joseki::cli
