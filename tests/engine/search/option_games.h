#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/search/counts.h"
#include "engine/search/limits.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/search/shogi/game.h"

// Games of one setting of the options against another, for the tools that compare settings.
namespace joseki {

// Sets what the text says, "-" for nothing or NAME=VALUE,NAME=VALUE. False, with a word on stderr,
// where it is wrong.
bool ReadOptions(const std::string& text, shogi::EngineOptions& options);

// Start positions of a file, one a line: an SFEN or a USI position command. Lines that are neither
// are left out.
std::vector<shogi::Position> ReadStarts(const std::string& path);

// Settings of both sides, A first.
struct Sides {
  shogi::EngineOptions options[2];
  uint64_t nodes[2] = {0, 0};                     // a move; 0: no limit
  int64_t ms = 0;                                 // a move, of both; 0: no limit
  int64_t clock_ms = 0;                           // a game, of both; 0: no clock
  size_t table_bytes = size_t{4} << 20;           // of each side's transposition table
  const AlikeMoves<Shogi>* alike = nullptr;       // A's; null: none
  std::shared_ptr<const shogi::Network> network;  // A's; null: the built-in one
};

// One game without resignation, a draw after 320 plies. Under a clock a side whose time is used up
// loses. Returns A's half points, 0 to 2. A moves first if `a_first`. Adds to `counts` how often
// A's techniques acted.
int PlayOptions(const shogi::Position& start, const Sides& sides, bool a_first, Counts& counts);

}  // namespace joseki
