#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "base/rng.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/position.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"

namespace joseki::xiangqi {

inline Position At(const std::string& fen) {
  auto parsed = ParseFen(fen);
  EXPECT_TRUE(parsed.ok()) << fen << ": " << parsed.status();
  return parsed.ok() ? parsed->position : Position();
}

// Plays UCCI moves separated by blanks; each must be legal.
inline void Play(Position& position, const std::string& moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    auto move = ParseMove(position, word);
    ASSERT_TRUE(move.ok()) << move.status();
    Undo undo;
    position.Do(*move, undo);
  }
}

// Positions of random games from the start: every `every`-th ply of `games` games. Every other game
// prefers captures, so that positions with few pieces occur too.
inline std::vector<Position> SamplePositions(uint64_t seed, int games, int every) {
  std::vector<Position> positions;
  Rng rng(seed);
  for (int game = 0; game < games; ++game) {
    Position position;
    for (int ply = 0; ply < 300; ++ply) {
      if (ply % every == 0) positions.push_back(position);
      MoveList moves;
      if (game % 2 == 1 && rng.Below(2) == 0) position.Generate<GenType::kCaptures>(moves);
      if (moves.empty()) position.Generate<GenType::kAll>(moves);
      if (moves.empty()) break;
      Undo undo;
      position.Do(moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))], undo);
    }
  }
  const auto path = testing::SharedData("perft/xiangqi_perft.tsv");
  if (path.empty()) return positions;
  for (const auto& row : testing::ReadTsv(path)) {
    if (row[1] == "1") positions.push_back(At(row[0]));
  }
  return positions;
}

}  // namespace joseki::xiangqi
