#include "cli/book/board_text.h"

#include <string_view>

#include "absl/strings/str_cat.h"
#include "engine/shogi/types.h"

namespace joseki::cli {
namespace {

// By PieceType.
constexpr std::string_view kPieces[shogi::kPieceTypeCount] = {
    "・", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::string_view kRanks[9] = {"一", "二", "三", "四", "五", "六", "七", "八", "九"};

std::string HandText(shogi::Hand hand) {
  using enum shogi::PieceType;
  if (hand.empty()) return "none";
  std::string text;
  for (const shogi::PieceType type : {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn}) {
    const int count = hand.Count(type);
    if (count == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : " ", std::string(kPieces[type]));
    if (count > 1) absl::StrAppend(&text, count);
  }
  return text;
}

}  // namespace

std::string BoardText(const shogi::Position& position) {
  std::string text =
      absl::StrCat("White holds: ", HandText(position.hand(shogi::kWhite)), "\n",
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
                  "Black holds: ", HandText(position.hand(shogi::kBlack)), "\n",
                  position.side_to_move() == shogi::kBlack ? "Black" : "White", " to move\n");
  return text;
}

}  // namespace joseki::cli
