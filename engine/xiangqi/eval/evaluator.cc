#include "engine/xiangqi/eval/evaluator.h"

#include <algorithm>

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/eval/features.h"
#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/eval/terms.h"
#include "engine/xiangqi/eval/weights.h"
#include "engine/xiangqi/eval/ye_terms.h"

namespace joseki::xiangqi {
namespace {

constexpr Value kMostValue = 20000;

constexpr Phased PhasedOf(Weight weight) { return {weight.middle, weight.end}; }

constexpr std::array<Phased, kFeatureCount> kPhasedWeights = [] {
  std::array<Phased, kFeatureCount> weights{};
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = PhasedOf(kWeights[i]);
  return weights;
}();

// Material and placement of a piece in one number, negative for Black.
constexpr auto kPlaced = [] {
  std::array<std::array<Phased, kSquareCount>, kPieceCount> placed{};
  for (const Color c : {kRed, kBlack}) {
    for (int t = kKing; t < kPieceTypeCount; ++t) {
      const Piece p = MakePiece(c, static_cast<PieceType>(t));
      for (Square s = 0; s < kSquareCount; ++s) {
        const int material = kMaterial + t;
        const int place = kPlace + t * kHalfSquares + HalfSquare(c, s);
        Phased value = kPhasedWeights[static_cast<size_t>(material)];
        value += kPhasedWeights[static_cast<size_t>(place)];
        placed[p][static_cast<size_t>(s)] = c == kRed ? value : value * -1;
      }
    }
  }
  return placed;
}();

Phased Placed(Piece p, Square s) { return kPlaced[p][static_cast<size_t>(s)]; }

struct Adder {
  void Add(Color c, int feature, int times) {
    const Phased value = kPhasedWeights[static_cast<size_t>(feature)] * times;
    if (c == kRed) {
      sum += value;
    } else {
      sum -= value;
    }
  }
  Phased sum;
};

bool CanAttack(const Position& position, Color c) {
  return static_cast<bool>((position.pieces(kRook) | position.pieces(kCannon) |
                            position.pieces(kKnight) | position.pieces(kPawn)) &
                           position.occupied(c));
}

}  // namespace

LearnedEvaluator::Places LearnedEvaluator::Collect(const Position& position) {
  Places places;
  ForEach(position.occupied(), [&](Square s) { places.sum += Placed(position.piece(s), s); });
  places.phase = PhaseOf(position);
  return places;
}

const LearnedEvaluator::Places& LearnedEvaluator::PlacesOf(const Position& position) {
  const auto plies = static_cast<size_t>(position.plies());
  Entry& entry = entries_[plies % kEntries];
  if (entry.key == position.key()) return entry.places;
  entry.key = position.key();
  if (plies > 0) {
    const Ply& last = position.history().back();
    const Entry& before = entries_[(plies - 1) % kEntries];
    if (before.key == last.key) {
      entry.places = before.places;
      if (last.move) {
        const Square to = last.move.to();
        const Piece moved = position.piece(to);
        entry.places.sum += Placed(moved, to);
        entry.places.sum -= Placed(moved, last.move.from());
        if (last.captured != kNoPiece) {
          entry.places.sum -= Placed(last.captured, to);
          entry.places.phase -= kPhaseOf[TypeOf(last.captured)];
        }
      }
      return entry.places;
    }
  }
  entry.places = Collect(position);
  return entry.places;
}

Value LearnedEvaluator::Evaluate(const Position& position) {
  const Places& places = PlacesOf(position);
  Adder adder{places.sum};
  CollectRest(position, adder);
  const Value red = std::clamp(adder.sum.At(places.phase), -kMostValue, kMostValue);
  // A side without attacking pieces cannot win.
  if (red != 0 && !CanAttack(position, red > 0 ? kRed : kBlack)) return 0;
  return position.side_to_move() == kRed ? red : -red;
}

void Evaluator::SetOptions(const EvaluationOptions& options) {
  options_ = options;
  adds_terms_ = options.development != 0 || options.passed_pawns != 0;
}

Value Evaluator::WithTerms(const Position& position, Value value) const {
  const Color us = position.side_to_move();
  if (options_.development != 0) {
    value += Development(position, us) - Development(position, ~us);
  }
  if (options_.passed_pawns != 0) {
    value += PassedPawns(position, us) - PassedPawns(position, ~us);
  }
  return std::clamp(value, -kMostValue, kMostValue);
}

Value Evaluator::FirstMoveBonus(const Position& position, Move move) const {
  return options_.opening_rules != 0 ? FirstMoveMalus(position, move) : 0;
}

}  // namespace joseki::xiangqi
