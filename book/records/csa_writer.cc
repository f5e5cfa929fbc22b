#include "book/records/csa_writer.h"

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

using shogi::Position;

constexpr std::string_view kLetters[shogi::kPieceTypeCount] = {
    "*", "FU", "KY", "KE", "GI", "KA", "HI", "KI", "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

std::string NameOf(shogi::Square square) {
  return absl::StrCat(shogi::FileOf(square), shogi::RankOf(square));
}

char SignOf(Color color) { return color == shogi::kBlack ? '+' : '-'; }

std::string BoardOf(const Position& position) {
  std::string text;
  for (int rank = 1; rank <= 9; ++rank) {
    absl::StrAppend(&text, "P", rank);
    for (int file = 9; file >= 1; --file) {
      const shogi::Piece piece = position.piece(shogi::MakeSquare(file, rank));
      if (piece == shogi::kNoPiece) {
        text += " * ";
      } else {
        text += SignOf(shogi::ColorOf(piece));
        text += kLetters[shogi::TypeOf(piece)];
      }
    }
    text += '\n';
  }
  for (const Color color : {shogi::kBlack, shogi::kWhite}) {
    for (int type = shogi::kPawn; type <= shogi::kGold; ++type) {
      const int count = position.hand(color).Count(static_cast<shogi::PieceType>(type));
      for (int i = 0; i < count; ++i) {
        text += 'P';
        text += SignOf(color);
        absl::StrAppend(&text, "00", std::string(kLetters[type]), "\n");
      }
    }
  }
  return text;
}

std::string EndOf(const Ending& ending) {
  switch (ending.termination) {
    case Termination::kNoLegalMove:
      return "%TSUMI\n";
    case Termination::kRepetition:
      return "%SENNICHITE\n";
    case Termination::kPerpetualCheck:
      // The side that took the action has lost.
      return ending.result == Result::kSecondWins ? "%+ILLEGAL_ACTION\n" : "%-ILLEGAL_ACTION\n";
    case Termination::kDeclaration:
      return ending.result == Result::kDraw ? "%JISHOGI\n" : "%KACHI\n";
    case Termination::kMaxPlies:
      return "%MAX_MOVES\n";
    case Termination::kResign:
      return "%TORYO\n";
    default:
      return absl::StrCat("'", std::string(Name(ending.termination)), "\n%CHUDAN\n");
  }
}

}  // namespace

absl::StatusOr<std::string> WriteCsa(const WrittenGame& game) {
  ASSIGN_OR_RETURN(shogi::SfenPosition start, shogi::ParseSfen(game.start));
  Position& position = start.position;
  std::string text = "V2.2\n";
  for (const Color side : {shogi::kBlack, shogi::kWhite}) {
    const std::string_view player = game.players[Index(side)];
    if (player.empty()) continue;
    text += 'N';
    text += SignOf(side);
    absl::StrAppend(&text, std::string(player), "\n");
  }
  if (!game.event.empty()) absl::StrAppend(&text, "$EVENT:", std::string(game.event), "\n");
  text += position.key() == Position().key() ? "PI\n" : BoardOf(position);
  text += SignOf(position.side_to_move());
  text += '\n';
  for (const Move move : game.moves) {
    if (!position.IsLegal(move)) {
      return MakeProblem({.code = "illegal_move",
                          .found = shogi::ToUsi(move),
                          .expected = absl::StrCat("a legal move at ply ", position.plies() + 1)});
    }
    const char sign = SignOf(position.side_to_move());
    const std::string from = move.is_drop() ? "00" : NameOf(move.from());
    shogi::Undo undo;
    position.Do(move, undo);
    text += sign;
    absl::StrAppend(&text, from, NameOf(move.to()),
                    std::string(kLetters[shogi::TypeOf(position.piece(move.to()))]), "\n");
  }
  return text + EndOf(game.ending);
}

}  // namespace joseki::book
