#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/core/game.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// Searches for mates by checks alone, by depth-first proof numbers (df-pn). Stateless between calls
// and deterministic. A mate found is sound, and often the shortest, as remaining nodes are spent on
// shorter ones. A line that repeats a position counts as no mate: the attacker would lose by
// perpetual check.
class MateFinder {
 public:
  // Limits Find to this many plies; 0: no limit but the nodes. Cuts are ignored.
  void Use(int plies, unsigned /*cuts*/) { plies_ = plies; }

  // Decides whether the side to move mates, within `nodes` or until `stop` (may be null). A node is
  // one Do. REQUIRES: nodes >= 1.
  MateProbe Find(Position& position, uint64_t nodes, const std::atomic<bool>* stop);
  // Searches like Find, for any number of plies.
  MateProbe Prove(Position& position, uint64_t nodes, const std::atomic<bool>* stop);

 private:
  // Lower bounds of the number of positions to be proven as mate, or as no mate, before this one
  // is.
  struct Numbers {
    uint32_t proof = 1;     // 0: mate
    uint32_t disproof = 1;  // 0: no mate
    Move move;              // for a mate: the attacker's move
    uint8_t plies = 0;      // for a mate: upper bound of the plies
  };
  struct Entry {
    uint32_t search = 0;  // the call that wrote it; entries of other calls are empty
    uint32_t lock = 0;
    Numbers numbers;
  };
  static constexpr size_t kEntries = size_t{1} << 16;
  static constexpr int kMostPlies = 120;

  MateProbe Run(Position& position, int most_plies, uint64_t nodes, const std::atomic<bool>* stop);
  // Searches until a number reaches its bound or a limit is reached. The attacker moves at even
  // plies.
  Numbers Visit(Position& position, int ply, uint32_t most_proof, uint32_t most_disproof);
  Numbers Known(Key key, int ply) const;
  void Keep(Key key, int ply, const Numbers& numbers);
  // The key of an entry: with a limit of plies, an entry is valid at its own depth only.
  Key Marked(Key key, int ply) const;
  bool IsOnPath(Key key, int ply) const;
  bool CountNode();

  int plies_ = 0;
  std::unique_ptr<std::array<Entry, kEntries>> table_;  // created on first use
  uint32_t search_ = 0;
  std::array<uint64_t, kMostPlies + 2> path_ = {};
  int most_plies_ = kMostPlies;
  uint64_t nodes_ = 0;
  uint64_t most_nodes_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  bool over_ = false;
};

}  // namespace joseki::xiangqi
