#include "engine/shogi/eval/knowledge.h"

#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/bonanza_terms.h"
#include "engine/shogi/eval/combinations.h"
#include "engine/shogi/eval/formations.h"
#include "engine/shogi/eval/tacos_terms.h"
#include "engine/shogi/eval/yss_terms.h"

namespace joseki::shogi {
namespace {

constexpr KnowledgeTerm kTerms[kKnowledgeBits] = {
    {"formation", [](const Position& p, Color side) { return FormationOf(p, side); }},
    {"formation, provisional tables too",
     [](const Position& p, Color side) { return FormationOf(p, side, /*provisional=*/true); }},
    {"combinations by hand", CombinationsByHand},
    {"combinations mined from games", MinedCombinations},
    {"hand series", HandSeries},
    {"king's neighbours", KingNeighbours},
    {"pins", Pins},
    {"distance to the kings", [](const Position& p, Color side) { return KingDistance(p, side); }},
    {"distance, with a rook's obstacles",
     [](const Position& p, Color side) { return KingDistance(p, side, /*obstructed=*/true); }},
    {"entering king", EnteringKing},
    {"vanguard pawns", VanguardPawns},
    {"mobility of lances", LanceMobility},
    {"attacked kinds", AttackedKinds},
    {"pawns on the bishop's squares", BishopPawns},
    {"25 squares round the king", KingRegion},
};

constexpr int kEdgeAnswer = 40;
constexpr int kOpenKing = -40;
constexpr int kBishopsHead = 40;
constexpr int kOpeningPieces = 38;  // pieces on the board; at most one pair has been exchanged

// Whether a piece of `side` is on a square given as the side sees it.
bool Has(const Position& position, Color side, PieceType t, int file, int rank) {
  return position.piece(Seen(side, MakeSquare(file, rank))) == MakePiece(side, t);
}

// Rules for pawns on their seventh rank.
int GainOfPawnPush(const Position& position, Move move) {
  const Color us = position.side_to_move();
  const Square from = Seen(us, move.from());
  const int file = FileOf(from);
  if (RankOf(from) != 7) return 0;
  int gain = 0;
  // The other side's pawn is on our fourth rank, which is its sixth.
  if ((file == 1 || file == 9) && Has(position, ~us, kPawn, 10 - file, 6)) gain += kEdgeAnswer;
  const Square king = position.king(us);
  if (king != kNoSquare && FileOf(Seen(us, king)) == file && RankOf(Seen(us, king)) == 8 &&
      file != 5) {
    gain += kOpenKing;
  }
  return gain;
}

// Whether the other side's rook and its pawn, on that side's fifth rank, look at our bishop at
// home.
bool IsBishopsHeadInDanger(const Position& position, Color us) {
  if (!Has(position, us, kBishop, 8, 8) || !Has(position, ~us, kPawn, 2, 5)) return false;
  for (int rank = 6; rank <= 9; ++rank) {
    if (Has(position, ~us, kRook, 2, rank)) return true;
  }
  return false;
}

// Whether a gold or silver guards the square before our bishop at home.
bool GuardsBishopsHead(const Position& position, Color us) {
  const Bitboard guards = position.golds() | position.pieces(kSilver);
  return static_cast<bool>(position.Attackers(us, Seen(us, MakeSquare(8, 7)), position.occupied()) &
                           guards);
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

int FirstMoveGain(const Position& position, Move move, bool provisional) {
  const Color us = position.side_to_move();
  Position after = position;
  Undo undo;
  after.Do(move, undo);
  int gain = FormationOf(after, us, provisional) - FormationOf(position, us, provisional);
  if (position.occupied().Count() < kOpeningPieces) return gain;
  if (IsBishopsHeadInDanger(position, us) && Has(after, us, kBishop, 8, 8)) {
    gain += kBishopsHead *
            ((GuardsBishopsHead(after, us) ? 1 : 0) - (GuardsBishopsHead(position, us) ? 1 : 0));
  }
  if (!move.is_drop() && TypeOf(position.piece(move.from())) == kPawn) {
    gain += GainOfPawnPush(position, move);
  }
  return gain;
}

}  // namespace joseki::shogi
