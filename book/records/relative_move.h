#pragma once

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A move by piece and destination, with only as much of its origin as tells it from other pieces
// that could go there, as KI2 and JKF write it.
struct RelativeMove {
  enum class Way { kAny, kUp, kLevel, kDown };         // 上 寄 引
  enum class Side { kAny, kLeft, kRight, kStraight };  // 左 右 直, as its player sees the board

  shogi::Square to = shogi::kNoSquare;
  shogi::PieceType piece = shogi::kNoPieceType;  // before the move
  Way way = Way::kAny;
  Side side = Side::kAny;
  bool drop = false;     // 打; a drop that nothing else could be may leave it out
  bool promote = false;  // 成
};

// Takes one move in KI2's words, without its mark ("同　銀左上", "６八金右", "２二角成",
// "５五角打"), off the front of `text`. nullopt if there is none; `last_to` is where 同 points.
std::optional<RelativeMove> TakeRelativeMove(std::string_view& text, shogi::Square last_to);

// The move that is meant. Left and right are told among all pieces that reach the square, pinned
// ones too; if several remain, the rules may leave one. InvalidArgument "illegal_move" if there is
// none, "ambiguous_move" if there are several: no move is guessed.
absl::StatusOr<Move> Resolve(const shogi::Position& position, const RelativeMove& written);

}  // namespace joseki::book
