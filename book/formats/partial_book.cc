#include "book/formats/partial_book.h"

#include <algorithm>
#include <tuple>

#include "base/rng.h"

namespace joseki::book {
namespace {

bool IsKeyed(shogi::PieceType type) {
  return type == shogi::kKing || type == shogi::kRook || type == shogi::kBishop ||
         type == shogi::kGold || type == shogi::kSilver;
}

// Random number of a piece on a square.
uint64_t NumberOf(shogi::Piece piece, shogi::Square square) {
  return Rng(uint64_t{static_cast<uint8_t>(piece)} * shogi::kSquareCount +
             static_cast<uint64_t>(square) + 1)
      .Next();
}

// Square of the first piece in front of the rook if it is a pawn of its side; else kNoSquare.
shogi::Square PawnBefore(const shogi::Position& position, shogi::Square rook, Color us) {
  // Step of the square index; ranks of a file are contiguous.
  const int ahead = us == shogi::kBlack ? -1 : 1;
  const int file = rook / 9;
  for (int s = rook + ahead; s >= file * 9 && s < file * 9 + 9; s += ahead) {
    const auto square = static_cast<shogi::Square>(s);
    if (position.piece(square) == shogi::MakePiece(us, shogi::kPawn)) return square;
  }
  return shogi::kNoSquare;
}

}  // namespace

uint64_t PartialKey(const shogi::Position& position) {
  const Color us = position.side_to_move();
  uint64_t key = us == shogi::kBlack ? 0 : 0x9e3779b97f4a7c15u;
  for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
    const shogi::Piece piece = position.piece(s);
    if (piece == shogi::kNoPiece || !IsKeyed(shogi::TypeOf(piece))) continue;
    key ^= NumberOf(piece, s);
    if (piece != shogi::MakePiece(us, shogi::kRook)) continue;
    const shogi::Square pawn = PawnBefore(position, s, us);
    if (pawn != shogi::kNoSquare) key ^= NumberOf(shogi::MakePiece(us, shogi::kPawn), pawn);
  }
  return key;
}

void PartialBook::Add(const shogi::Position& position, Move move, int64_t count) {
  std::vector<Counted>& moves = moves_[PartialKey(position)];
  const auto at = std::find_if(moves.begin(), moves.end(),
                               [&](const Counted& known) { return known.move == move; });
  if (at == moves.end()) {
    moves.push_back({move, count});
  } else {
    at->count += count;
  }
}

std::vector<PartialBook::Counted> PartialBook::MovesFor(const shogi::Position& position) const {
  const auto at = moves_.find(PartialKey(position));
  if (at == moves_.end()) return {};
  std::vector<Counted> moves = at->second;
  std::erase_if(moves, [&](const Counted& known) { return !position.IsLegal(known.move); });
  std::sort(moves.begin(), moves.end(), [](const Counted& a, const Counted& b) {
    return std::tuple(-a.count, a.move) < std::tuple(-b.count, b.move);
  });
  return moves;
}

}  // namespace joseki::book
