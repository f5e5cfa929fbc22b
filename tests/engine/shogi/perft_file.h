#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/core/perft.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/tsv.h"

namespace joseki::shogi {

struct ShogiGame {
  using Position = shogi::Position;
  using Undo = shogi::Undo;
  using MoveList = shogi::MoveList;
};

// Checks every row of a file of (sfen, depth, nodes) whose count is in [least, most].
inline void CheckPerftFile(const std::filesystem::path& path, uint64_t least, uint64_t most) {
  int checked = 0;
  for (const auto& row : testing::ReadTsv(path)) {
    const uint64_t nodes = std::stoull(row[2]);
    if (nodes < least || nodes > most) continue;
    auto start = ParseSfen(row[0]);
    ASSERT_TRUE(start.ok()) << start.status();
    EXPECT_EQ(Perft<ShogiGame>(start->position, std::stoi(row[1])), nodes)
        << row[0] << " depth " << row[1];
    ++checked;
  }
  EXPECT_GT(checked, 0);
}

// Limit of the quick tests; the slow ones continue from here.
inline constexpr uint64_t kQuickPerft = 20'000'000;

}  // namespace joseki::shogi
