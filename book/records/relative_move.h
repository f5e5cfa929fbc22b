#pragma once

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "engine/shogi/position.h"

namespace joseki::book {

// A move by piece and destination, with just enough of its origin to distinguish it from other
// pieces that could go there. KI2 and JKF write moves so.
struct RelativeMove {
  enum class Way { kAny, kUp, kLevel, kDown };         // 上 寄 引
  enum class Side { kAny, kLeft, kRight, kStraight };  // 左 右 直, as its player sees the board

  shogi::Square to = shogi::kNoSquare;
  shogi::PieceType piece = shogi::kNoPieceType;  // piece type before the move
  Way way = Way::kAny;
  Side side = Side::kAny;
  bool drop = false;     // 打; may be missing for a drop that nothing else could be
  bool promote = false;  // 成
};

// Consumes one move in KI2's words, without its mark ("同　銀左上", "６八金右", "２二角成",
// "５五角打"). Nullopt if there is none; `last_to` is the square of 同.
std::optional<RelativeMove> TakeRelativeMove(std::string_view& text, shogi::Square last_to);

// The move that is meant. Left and right refer to all pieces that reach the square, including
// pinned ones; if several remain, legality may leave one. InvalidArgument "illegal_move" if there
// is none, "ambiguous_move" if there are several.
absl::StatusOr<Move> Resolve(const shogi::Position& position, const RelativeMove& written);

}  // namespace joseki::book
