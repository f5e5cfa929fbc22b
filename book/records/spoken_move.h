#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// A move of xiangqi as players say it, from their own side: the piece and its action. The piece is
// named by its file, or by its place among its kind. WXF (C2=5) and Chinese (炮二平五) spell it.
struct SpokenMove {
  // Place among the pieces of a kind that share a file with another of it, foremost first. With
  // several such files the numbers continue from file to file, from the player's right.
  enum class Place : uint8_t {
    kNone,  // `file` identifies the piece
    kFirst,
    kSecond,
    kThird,
    kFourth,
    kFifth,
    kFront,
    kMiddle,
    kRear
  };
  enum class Way : uint8_t { kAdvance, kTraverse, kRetreat };

  xiangqi::PieceType piece = xiangqi::kNoPieceType;
  Place place = Place::kNone;
  int file = 0;  // 1 to 9 from the player's right; 0: `place` alone identifies the piece
  Way way = Way::kAdvance;
  // Destination file, 1 to 9. For a king, rook, cannon or pawn that advances or retreats: the
  // number of ranks.
  int number = 0;

  bool operator==(const SpokenMove&) const = default;
};

// The legal move that is meant. InvalidArgument "illegal_move" if there is none, "ambiguous_move"
// if there are several.
absl::StatusOr<Move> Resolve(const xiangqi::Position& position, const SpokenMove& spoken);

// The move as players say it. REQUIRES: it is legal.
SpokenMove Spoken(const xiangqi::Position& position, Move move);

}  // namespace joseki::book
