#include "engine/xiangqi/symmetry.h"

#include "engine/xiangqi/attacks.h"

namespace joseki::xiangqi {
namespace {

Square MappedSquare(Symmetry symmetry, Square s) {
  const bool mirrors = symmetry == Symmetry::kMirror || symmetry == Symmetry::kBoth;
  if (mirrors) s = MakeSquare(kFiles - 1 - FileOf(s), RankOf(s));
  return ExchangesColours(symmetry) ? kSquareCount - 1 - s : s;
}

}  // namespace

Position Mapped(Symmetry symmetry, const Position& position) {
  const auto color = [&](Color c) { return ExchangesColours(symmetry) ? ~c : c; };
  PositionBuilder builder;
  ForEach(position.occupied(), [&](Square s) {
    const Piece piece = position.piece(s);
    builder.Put(MappedSquare(symmetry, s), MakePiece(color(ColorOf(piece)), TypeOf(piece)));
  });
  return builder.SideToMove(color(position.side_to_move())).Build();
}

Move Mapped(Symmetry symmetry, Move move) {
  if (!move) return move;
  return Move::Board(MappedSquare(symmetry, move.from()), MappedSquare(symmetry, move.to()));
}

}  // namespace joseki::xiangqi
