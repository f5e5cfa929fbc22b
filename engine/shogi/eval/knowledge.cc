#include "engine/shogi/eval/knowledge.h"

#include "engine/shogi/eval/combinations.h"
#include "engine/shogi/eval/formations.h"
#include "engine/shogi/eval/yss_terms.h"

namespace joseki::shogi {
namespace {

constexpr KnowledgeTerm kTerms[kKnowledgeBits] = {
    {"formation", FormationOf},
    {"combinations by hand", CombinationsByHand},
    {"combinations mined from games", MinedCombinations},
    {"hand series", HandSeries},
    {"king's neighbours", KingNeighbours},
    {"pins", Pins},
    {"distance to the kings", KingDistance},
    {"entering king", EnteringKing},
    {"vanguard pawns", VanguardPawns},
};

constexpr int kEdgeAnswer = 40;
constexpr int kOpenKing = -40;
constexpr int kOpeningPieces = 38;  // pieces on the board; at most one pair has been exchanged

// Whether a pawn of `side` is on a square given as Black sees it.
bool HasPawn(const Position& position, Color side, int file, int rank) {
  return position.piece(Seen(side, MakeSquare(file, rank))) == MakePiece(side, kPawn);
}

}  // namespace

std::span<const KnowledgeTerm> KnowledgeTerms() { return kTerms; }

int EvaluateKnowledge(const Position& position, unsigned set) {
  const Color us = position.side_to_move();
  int sum = 0;
  for (unsigned bit = 0; bit < kKnowledgeBits; ++bit) {
    if ((set >> bit & 1) == 0) continue;
    sum += kTerms[bit].of(position, us) - kTerms[bit].of(position, ~us);
  }
  return sum;
}

int FirstMoveGain(const Position& position, Move move) {
  const Color us = position.side_to_move();
  Position after = position;
  Undo undo;
  after.Do(move, undo);
  int gain = FormationOf(after, us) - FormationOf(position, us);
  if (move.is_drop() || TypeOf(position.piece(move.from())) != kPawn ||
      position.occupied().Count() < kOpeningPieces) {
    return gain;
  }
  const Square from = Seen(us, move.from());
  const int file = FileOf(from);
  if (RankOf(from) != 7) return gain;
  // The other side's pawn is on our fourth rank, which is its sixth.
  if ((file == 1 || file == 9) && HasPawn(position, ~us, 10 - file, 6)) gain += kEdgeAnswer;
  const Square king = position.king(us);
  if (king != kNoSquare && FileOf(Seen(us, king)) == file && RankOf(Seen(us, king)) == 8 &&
      file != 5) {
    gain += kOpenKing;
  }
  return gain;
}

}  // namespace joseki::shogi
