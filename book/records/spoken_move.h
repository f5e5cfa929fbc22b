#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/xiangqi/position.h"

namespace joseki::book {

// A move of xiangqi as players say it: which piece, by its file or its place among its kind, and
// what it does, all seen from its own side. WXF (C2=5) and Chinese (炮二平五) spell it.
struct SpokenMove {
  // Among the pieces of a kind that share a file with another of it, the foremost first. With
  // several such files, numbers go on from file to file, from the player's right.
  enum class Place : uint8_t {
    kNone,  // `file` tells the piece
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
  int file = 0;  // 1 to 9 from the player's right; 0: `place` alone tells the piece
  Way way = Way::kAdvance;
  // The file that it goes to, 1 to 9; of a king, rook, cannon or pawn that advances or retreats, by
  // how many ranks.
  int number = 0;

  bool operator==(const SpokenMove&) const = default;
};

// The legal move that is meant. InvalidArgument "illegal_move" if there is none, "ambiguous_move"
// if there are several: no move is guessed.
absl::StatusOr<Move> Resolve(const xiangqi::Position& position, const SpokenMove& spoken);

// The move in words. REQUIRES: it is legal.
SpokenMove Spoken(const xiangqi::Position& position, Move move);

}  // namespace joseki::book
