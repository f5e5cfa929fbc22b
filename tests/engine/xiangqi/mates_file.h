#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/xiangqi/mate/mate_finder.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {

struct KnownMate {
  std::string fen;
  int moves = 0;  // moves of the side to move on the known line
};

// Mates of the shared file with at most `most` moves, every `every`-th of them.
inline std::vector<KnownMate> KnownMates(const std::filesystem::path& path, int most, int every) {
  std::vector<KnownMate> mates;
  int number = 0;
  for (const auto& row : testing::ReadTsv(path)) {
    const int moves = std::stoi(row[1]);
    if (moves <= most && number++ % every == 0) mates.push_back({row[0], moves});
  }
  return mates;
}

// Whether the side to move mates with at most `checks` checks, by trying every line.
inline bool MatesByChecks(Position& position, int checks) {
  MoveList moves;
  position.Generate<GenType::kChecks>(moves);
  for (const Move move : moves) {
    Undo undo;
    position.Do(move, undo);
    MoveList replies;
    position.Generate<GenType::kAll>(replies);
    bool mates = checks > 1 || replies.empty();
    for (const Move reply : replies) {
      if (!mates) break;
      Undo back;
      position.Do(reply, back);
      mates = MatesByChecks(position, checks - 1);
      position.TakeBack(reply, back);
    }
    position.TakeBack(move, undo);
    if (mates) return true;
  }
  return false;
}

}  // namespace joseki::xiangqi
