#include "book/records/relative_move.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/records/japanese.h"
#include "book/records/lines.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

using shogi::Square;
using Side = RelativeMove::Side;
using Way = RelativeMove::Way;

// Files that a piece on `from` is to the left of `to`, as its player sees it.
int LeftOf(Color us, Square from, Square to) {
  const int files = shogi::FileOf(from) - shogi::FileOf(to);
  return us == shogi::kBlack ? files : -files;
}

// Number of ranks that the move goes forward.
int Forward(Color us, Square from, Square to) {
  return shogi::RelativeRank(us, from) - shogi::RelativeRank(us, to);
}

bool GoesThatWay(Color us, Square from, const RelativeMove& move) {
  const int forward = Forward(us, from, move.to);
  switch (move.way) {
    case Way::kAny:
      return true;
    case Way::kUp:
      return forward > 0;
    case Way::kLevel:
      return forward == 0;
    case Way::kDown:
      return forward < 0;
  }
  return false;
}

// Keeps the squares that match the direction and side words of `move`.
void KeepTold(Color us, const RelativeMove& move, std::vector<Square>& from) {
  std::erase_if(from, [&](Square s) { return !GoesThatWay(us, s, move); });
  if (move.side == Side::kAny || from.empty()) return;
  if (move.side == Side::kStraight) {
    std::erase_if(from, [&](Square s) {
      return LeftOf(us, s, move.to) != 0 || Forward(us, s, move.to) <= 0;
    });
    return;
  }
  const int sign = move.side == Side::kLeft ? 1 : -1;
  const auto place = [&](Square s) { return sign * LeftOf(us, s, move.to); };
  int furthest = place(from[0]);
  for (const Square s : from) furthest = std::max(furthest, place(s));
  // A far-moving piece straight behind counts as the left one if the other is to its right, and
  // conversely. Any other piece straight behind is 直.
  const bool far = move.piece == shogi::kBishop || move.piece == shogi::kRook ||
                   move.piece == shogi::kHorse || move.piece == shogi::kDragon;
  std::erase_if(from, [&](Square s) { return place(s) < furthest || (!far && place(s) <= 0); });
}

std::string Name(const RelativeMove& move) {
  return absl::StrCat("a piece that can go to ", shogi::FileOf(move.to), shogi::RankOf(move.to),
                      " as written");
}

}  // namespace

std::optional<RelativeMove> TakeRelativeMove(std::string_view& text, Square last_to) {
  RelativeMove move;
  move.to = TakeSquare(text, last_to);
  if (move.to == shogi::kNoSquare) return std::nullopt;
  move.piece = TakePiece(text);
  if (move.piece == shogi::kNoPieceType) return std::nullopt;
  if (Take(text, "左")) {
    move.side = Side::kLeft;
  } else if (Take(text, "右")) {
    move.side = Side::kRight;
  } else if (Take(text, "直")) {
    move.side = Side::kStraight;
  }
  if (Take(text, "上") || Take(text, "行") || Take(text, "入")) {
    move.way = Way::kUp;
  } else if (Take(text, "寄")) {
    move.way = Way::kLevel;
  } else if (Take(text, "引")) {
    move.way = Way::kDown;
  }
  if (Take(text, "打")) {
    move.drop = true;
  } else if (!Take(text, "不成") && !Take(text, "生")) {
    move.promote = Take(text, "成");
  }
  return move;
}

absl::StatusOr<Move> Resolve(const shogi::Position& position, const RelativeMove& written) {
  const Color us = position.side_to_move();
  const bool in_hand = written.piece <= shogi::kGold;
  if (written.drop && !in_hand) {
    return MakeProblem({.code = "illegal_move",
                        .found = Name(written),
                        .expected = "a piece that can be in hand"});
  }
  const Move drop = in_hand ? Move::Drop(written.piece, written.to) : Move();
  const auto board = [&](Square from) { return Move::Board(from, written.to, written.promote); };
  std::vector<Square> from;
  shogi::ForEach(
      position.Attackers(us, written.to, position.occupied()) & position.pieces(us, written.piece),
      [&](Square s) { from.push_back(s); });
  Move move;
  if (written.drop || (from.empty() && in_hand && position.hand(us).Has(written.piece))) {
    move = drop;
  } else {
    KeepTold(us, written, from);
    if (from.size() > 1) {
      std::vector<Square> legal;
      for (const Square s : from) {
        if (position.IsLegal(board(s))) legal.push_back(s);
      }
      if (!legal.empty()) from = legal;
    }
    if (from.size() > 1) {
      return MakeProblem(
          {.code = "ambiguous_move",
           .found = absl::StrCat(from.size(), " pieces that can go to ", shogi::FileOf(written.to),
                                 shogi::RankOf(written.to), " as written"),
           .expected = "one"});
    }
    if (from.empty()) {
      return MakeProblem(
          {.code = "illegal_move", .found = "no such piece", .expected = Name(written)});
    }
    move = board(from[0]);
  }
  if (position.IsLegal(move)) return move;
  return MakeProblem({.code = "illegal_move",
                      .found = shogi::ToUsi(move),
                      .expected = shogi::WhyIllegal(position, move)});
}

}  // namespace joseki::book
