#pragma once

#include <vector>

#include "base/rng.h"
#include "engine/shogi/position.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {

// Positions of every kind: every `every`-th ply of `games` random games from the start, and the
// unusual positions of the perft files. The shared file is included if it exists.
inline std::vector<Position> SamplePositions(uint64_t seed, int games, int every) {
  std::vector<Position> positions;
  Rng rng(seed);
  for (int game = 0; game < games; ++game) {
    Position position;
    for (int ply = 0; ply < 250; ++ply) {
      if (ply % every == 0) positions.push_back(position);
      MoveList moves;
      position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
    }
  }
  for (const auto& path :
       {testing::TestData("perft/shogi_perft.tsv"), testing::SharedData("perft/shogi_perft.tsv")}) {
    if (path.empty()) continue;
    for (const auto& row : testing::ReadTsv(path)) {
      if (row[1] == "1") positions.push_back(At(row[0]));
    }
  }
  return positions;
}

}  // namespace joseki::shogi
