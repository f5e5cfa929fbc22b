#include "engine/shogi/eval/king_area.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "engine/search/shogi/bench.h"
#include "engine/shogi/attacks.h"
#include "engine/shogi/eval/network.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

// The inputs computed from their definition, square by square.
std::vector<int> InputsOf(const Position& position, Color owner) {
  const Square king = position.king(owner);
  const bool mirrored = ViewOf(owner, king).mirrored;
  auto attacks = [&](Color by, Square s) {
    int count = 0;
    ForEach(position.occupied(by), [&](Square from) {
      const PieceType t = TypeOf(position.piece(from));
      if (t != kKing && Has(Attacks(by, t, from, position.occupied()), s)) ++count;
    });
    return count;
  };
  std::vector<int> inputs;
  int number = 0;
  for (int files = -1; files <= 1; ++files) {
    for (int ranks = -1; ranks <= 1; ++ranks) {
      if (files == 0 && ranks == 0) continue;
      const int turn = owner == kBlack ? 1 : -1;
      const int file = FileOf(king) + (mirrored ? -turn : turn) * files;
      const int rank = RankOf(king) + turn * ranks;
      int of = kBesideClasses - 1;
      if (file >= 1 && file <= 9 && rank >= 1 && rank <= 9) {
        const Square s = MakeSquare(file, rank);
        const Piece piece = position.piece(s);
        const int who = piece == kNoPiece ? 0 : ColorOf(piece) == owner ? 1 : 2;
        of = who * 12 + std::min(attacks(~owner, s), 3) * 3 + std::min(attacks(owner, s), 2);
      }
      inputs.push_back(number++ * kBesideClasses + of);
    }
  }
  return inputs;
}

void Compare(const Position& position) {
  const std::array<KingArea, 2> areas = KingAreas(position);
  for (const Color owner : {kBlack, kWhite}) {
    const KingArea& area = areas[static_cast<size_t>(Index(owner))];
    std::vector<int> inputs(area.inputs.begin(), area.inputs.end());
    std::sort(inputs.begin(), inputs.end());
    ASSERT_EQ(inputs, InputsOf(position, owner)) << ToSfen(position, 1) << " " << Index(owner);
  }
}

TEST(KingAreas, AreWhatTheirSquaresSay) {
  Rng rng(3);
  for (const char* text : BenchPositions()) {
    Position position = At(text);
    Compare(position);
    for (int ply = 0; ply < 60; ++ply) {
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.size() == 0) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
      Compare(position);
    }
  }
}

TEST(KingAreas, AreRightInEveryCorner) {
  for (const char* text :
       {"k8/9/1N7/9/9/9/9/9/8K w - 1", "8k/9/7N1/9/9/9/9/9/K8 w - 1",
        "K3+R4/9/9/9/9/4+b4/9/l7l/k3r3B w - 1", "4k4/9/9/9/9/9/2n1n1n2/3lll3/4K4 b - 1",
        "9/9/9/9/2+p1K1+p2/9/3sgs3/9/4k4 b - 1"}) {
    Compare(At(text));
  }
}

TEST(KingAreas, KnowWhatTheOtherSideHoldsButForPawns) {
  for (const auto& [text, holding] :
       {std::pair{"4k4/9/9/9/9/9/9/9/4K4 b 9p 1", 0}, std::pair{"4k4/9/9/9/9/9/9/9/4K4 b 9pl 1", 1},
        std::pair{"4k4/9/9/9/9/9/9/9/4K4 b gs 1", 2},
        std::pair{"4k4/9/9/9/9/9/9/9/4K4 b 2r2b 1", 3},
        std::pair{"4k4/9/9/9/9/9/9/9/4K4 b 2R2B 1", 0}}) {
    EXPECT_EQ(KingAreas(At(text))[0].holding, holding) << text;
  }
}

TEST(KingAreas, AreOffTheBoardWithoutAKing) {
  const KingArea area = KingAreas(At("4k4/9/4P4/9/9/9/9/9/9 b 2R2G 1"))[0];
  for (const uint16_t input : area.inputs) {
    EXPECT_EQ(input % kBesideClasses, kBesideClasses - 1);
  }
}

TEST(KingAreas, AreTheSameTurnedRound) {
  const auto turned = [](const Position& position) {
    PositionBuilder builder;
    ForEach(position.occupied(), [&](Square s) {
      const Piece piece = position.piece(s);
      builder.Put(kSquareCount - 1 - s, MakePiece(~ColorOf(piece), TypeOf(piece)));
    });
    return builder.Build();
  };
  for (const char* text : BenchPositions()) {
    const Position position = At(text);
    const auto areas = KingAreas(position);
    const auto round = KingAreas(turned(position));
    for (const size_t owner : {size_t{0}, size_t{1}}) {
      auto sorted = [](std::array<uint16_t, kBeside> inputs) {
        std::sort(inputs.begin(), inputs.end());
        return inputs;
      };
      EXPECT_EQ(sorted(areas[owner].inputs), sorted(round[1 - owner].inputs)) << text;
    }
  }
}

}  // namespace
}  // namespace joseki::shogi
