#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"

namespace joseki::xiangqi {

// Checks one line, "startpos moves h2e2 ...": each move must be legal, and packing must preserve
// the last position.
inline void CheckGame(const std::string& line) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  ASSERT_EQ(word, "startpos");
  words >> word;
  Position position;
  while (words >> word) {
    const std::optional<Move> move = MoveFromUcci(word);
    ASSERT_TRUE(move) << word;
    ASSERT_TRUE(position.IsLegal(*move)) << word << ": " << WhyIllegal(position, *move) << "\n"
                                         << ToFen(position, 1) << "\n"
                                         << line;
    Undo undo;
    position.Do(*move, undo);
    ASSERT_EQ(ToUcci(*move), word);
  }
  ASSERT_EQ(position.key(), position.ComputeKey());
  ASSERT_STREQ(position.Flaw(), "") << line;
  const absl::StatusOr<Position> unpacked = Unpack(Pack(position));
  ASSERT_TRUE(unpacked.ok()) << unpacked.status();
  ASSERT_EQ(unpacked->key(), position.key());
}

// Checks every `every`-th game of the shared files; returns their number.
inline int CheckGames(int every) {
  int games = 0;
  int number = 0;
  for (const char* name : {"games/xiangqi_otb_masters.ucci", "games/xiangqi_online_ranked.ucci"}) {
    std::ifstream in(testing::SharedData(name));
    for (std::string line; std::getline(in, line);) {
      if (number++ % every != 0) continue;
      CheckGame(line);
      if (::testing::Test::HasFatalFailure()) return games;
      ++games;
    }
  }
  return games;
}

}  // namespace joseki::xiangqi
