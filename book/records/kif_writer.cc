#include "book/records/kif_writer.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

using shogi::Position;

// By PieceType, as named in moves and diagrams.
constexpr std::string_view kMoveNames[shogi::kPieceTypeCount] = {
    "", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "成香", "成桂", "成銀", "馬", "龍"};
constexpr std::string_view kBoardNames[shogi::kPieceTypeCount] = {
    "・", "歩", "香", "桂", "銀", "角", "飛", "金", "玉", "と", "杏", "圭", "全", "馬", "龍"};
constexpr std::string_view kKanjiDigits[] = {"〇", "一", "二", "三", "四",
                                             "五", "六", "七", "八", "九"};
constexpr std::string_view kWideFiles[] = {"１", "２", "３", "４", "５", "６", "７", "８", "９"};

// REQUIRES: number <= 18.
std::string KanjiNumber(int number) {
  std::string text;
  if (number >= 10) text += "十";
  if (number % 10 > 0) text += kKanjiDigits[number % 10];
  return text;
}

std::string HandLine(const Position& position, Color side) {
  using enum shogi::PieceType;
  std::string text(side == shogi::kBlack ? "先手の持駒：" : "後手の持駒：");
  bool any = false;
  for (const shogi::PieceType type : {kRook, kBishop, kGold, kSilver, kKnight, kLance, kPawn}) {
    const int count = position.hand(side).Count(type);
    if (count == 0) continue;
    absl::StrAppend(&text, any ? "　" : "", std::string(kBoardNames[type]),
                    count > 1 ? KanjiNumber(count) : "");
    any = true;
  }
  return text + (any ? "\n" : "なし\n");
}

std::string Diagram(const Position& position) {
  std::string text = HandLine(position, shogi::kWhite);
  text += "  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n";
  for (int rank = 1; rank <= 9; ++rank) {
    text += '|';
    for (int file = 9; file >= 1; --file) {
      const shogi::Piece piece = position.piece(shogi::MakeSquare(file, rank));
      const bool white = piece != shogi::kNoPiece && shogi::ColorOf(piece) == shogi::kWhite;
      absl::StrAppend(&text, white ? "v" : " ",
                      std::string(piece == shogi::kNoPiece ? kBoardNames[0]
                                                           : kBoardNames[shogi::TypeOf(piece)]));
    }
    absl::StrAppend(&text, "|", std::string(kKanjiDigits[rank]), "\n");
  }
  text += "+---------------------------+\n";
  text += HandLine(position, shogi::kBlack);
  return position.side_to_move() == shogi::kWhite ? text + "後手番\n" : text;
}

std::string_view EndWordOf(const Ending& ending, Color to_move) {
  const bool mover_wins = ending.result == WinFor(to_move);
  switch (ending.termination) {
    case Termination::kNoLegalMove:
      return "詰み";
    case Termination::kRepetition:
      return "千日手";
    case Termination::kPerpetualCheck:
      return mover_wins ? "反則勝ち" : "反則負け";
    case Termination::kDeclaration:
      return ending.result == Result::kDraw ? "持将棋" : "入玉勝ち";
    case Termination::kMaxPlies:
      return "引き分け";
    case Termination::kResign:
      return "投了";
    default:
      return "中断";
  }
}

std::string MoveOfKif(const Position& position, Move move, Move before) {
  std::string text = before && before.to() == move.to()
                         ? std::string("同　")
                         : absl::StrCat(std::string(kWideFiles[shogi::FileOf(move.to()) - 1]),
                                        std::string(kKanjiDigits[shogi::RankOf(move.to())]));
  if (move.is_drop()) return absl::StrCat(text, std::string(kMoveNames[move.dropped()]), "打");
  absl::StrAppend(&text, std::string(kMoveNames[shogi::TypeOf(position.piece(move.from()))]),
                  move.promotes() ? "成" : "", "(", shogi::FileOf(move.from()),
                  shogi::RankOf(move.from()), ")");
  return text;
}

}  // namespace

absl::StatusOr<std::string> WriteKif(const WrittenGame& game) {
  ASSIGN_OR_RETURN(shogi::SfenPosition start, shogi::ParseSfen(game.start));
  Position& position = start.position;
  std::string text = "#KIF version=2.0 encoding=UTF-8\n";
  if (!game.event.empty()) absl::StrAppend(&text, "棋戦：", std::string(game.event), "\n");
  text += position.key() == Position().key() ? "手合割：平手\n" : Diagram(position);
  absl::StrAppend(&text, "先手：", std::string(game.players[0]), "\n後手：",
                  std::string(game.players[1]), "\n手数----指手---------消費時間--\n");
  Move before;
  int number = 0;
  for (const Move move : game.moves) {
    ++number;
    if (!position.IsLegal(move)) {
      return MakeProblem({.code = "illegal_move",
                          .found = shogi::ToUsi(move),
                          .expected = absl::StrCat("a legal move at ply ", number)});
    }
    absl::StrAppendFormat(&text, "%4d %s\n", number, MoveOfKif(position, move, before));
    shogi::Undo undo;
    position.Do(move, undo);
    before = move;
  }
  if (game.ending.termination == Termination::kNone) return text;
  if (IsFault(game.ending.termination)) {
    absl::StrAppend(&text, "*", std::string(Name(game.ending.termination)), "\n");
  }
  absl::StrAppendFormat(&text, "%4d %s\n", number + 1,
                        std::string(EndWordOf(game.ending, position.side_to_move())));
  return text;
}

}  // namespace joseki::book
