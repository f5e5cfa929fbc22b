#pragma once

#include <sstream>
#include <string>

#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"

namespace joseki::shogi {

inline Position At(const std::string& sfen) {
  auto parsed = ParseSfen(sfen);
  EXPECT_TRUE(parsed.ok()) << sfen << ": " << parsed.status();
  return parsed.ok() ? parsed->position : Position();
}

// Plays USI moves separated by blanks; each must be legal.
inline void Play(Position& position, const std::string& moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    auto move = ParseMove(position, word);
    ASSERT_TRUE(move.ok()) << move.status();
    Undo undo;
    position.Do(*move, undo);
  }
}

}  // namespace joseki::shogi
