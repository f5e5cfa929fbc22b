#include "engine/shogi/learn/encoded.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/status_macros.h"
#include "engine/shogi/eval/plain.h"
#include "engine/shogi/packed.h"

namespace joseki::learn {
namespace {

using shogi::kOutputPoints;
using shogi::kPlainTerms;

float ScoreOf(const Sample& sample) {
  return Sigmoid(static_cast<float>(sample.score) / static_cast<float>(kOutputPoints));
}

float ResultOf(const Sample& sample) { return static_cast<float>(sample.result + 1) / 2; }

}  // namespace

absl::StatusOr<Encoded> Encode(const Sample& sample) {
  ASSIGN_OR_RETURN(const shogi::Position position, shogi::Unpack(sample.position));
  Encoded encoded{};
  const Color us = position.side_to_move();
  encoded.stage = static_cast<uint8_t>(shogi::OutputStageOf(position.occupied().Count()));
  const shogi::PlainTerms plain = shogi::ExplainPlain(position);
  const int terms[kPlainTerms] = {plain.own.placed - plain.other.placed + plain.tempo,
                                  plain.own.guard - plain.other.guard,
                                  plain.own.danger - plain.other.danger};
  for (size_t i = 0; i < kPlainTerms; ++i) {
    encoded.plain[i] = static_cast<float>(terms[i]) / static_cast<float>(kOutputPoints);
  }
  const std::array<shogi::KingArea, 2> areas = shogi::KingAreas(position);
  encoded.score = ScoreOf(sample);
  encoded.result = ResultOf(sample);
  for (const int side : {0, 1}) {
    const Color seer = side == 0 ? us : ~us;
    const shogi::KingView view = shogi::ViewOf(seer, position.king(seer));
    encoded.bucket[side] = view.bucket;
    encoded.place[side] = view.place;
    const shogi::KingArea& area = areas[static_cast<size_t>(Index(seer))];
    std::copy(area.inputs.begin(), area.inputs.end(), encoded.beside[side]);
    encoded.holding[side] = area.holding;
    int count = 0;
    auto add = [&](int input) {
      if (count < shogi::kMostInputs) {
        encoded.inputs[side][count++] = static_cast<uint16_t>(input);
      }
    };
    for (shogi::Square s = 0; s < shogi::kSquareCount; ++s) {
      const shogi::Piece piece = position.piece(s);
      if (piece != shogi::kNoPiece) add(shogi::PlacementInput(seer, view.mirrored, piece, s));
    }
    for (const Color owner : {shogi::kBlack, shogi::kWhite}) {
      for (int i = shogi::kPawn; i <= shogi::kGold; ++i) {
        const auto t = static_cast<shogi::PieceType>(i);
        for (int nth = 1; nth <= position.hand(owner).Count(t); ++nth) {
          add(shogi::HeldInput(seer, owner, t, nth));
        }
      }
    }
    encoded.count = static_cast<uint8_t>(count);
  }
  return encoded;
}

std::vector<float> ExpectedScores(std::span<const Sample> game, double foresight) {
  std::vector<float> expected(game.size());
  for (size_t i = game.size(); i-- > 0;) {
    float after = ResultOf(game[i]);
    int plies = 1;
    if (i + 1 < game.size()) {
      plies = game[i + 1].ply - game[i].ply;
      after = plies % 2 == 0 ? expected[i + 1] : 1 - expected[i + 1];
    }
    const auto weight = static_cast<float>(std::pow(foresight, plies));
    expected[i] = (1 - weight) * ScoreOf(game[i]) + weight * after;
  }
  return expected;
}

}  // namespace joseki::learn
