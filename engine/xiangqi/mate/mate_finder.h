#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/core/game.h"
#include "engine/xiangqi/position.h"

namespace joseki::xiangqi {

// Looks for mates by checks alone, by proof numbers depth first (df-pn). Nothing is kept from one
// call to the next; the same calls give the same results everywhere. A mate that is found is sound,
// and often the shortest: nodes that are left look for shorter ones. A line that comes back to a
// position of its own counts as no mate: the attacker would lose by a perpetual check.
class MateFinder {
 public:
  // From now on Find goes to this many plies; 0: as far as the nodes last. There are no cuts.
  void Use(int plies, unsigned /*cuts*/) { plies_ = plies; }

  // Decides if the side to move mates, within `nodes`, or until `stop` (may be null). A node is one
  // Do. REQUIRES: nodes >= 1.
  MateProbe Find(Position& position, uint64_t nodes, const std::atomic<bool>* stop);
  // Decides it for any number of plies.
  MateProbe Prove(Position& position, uint64_t nodes, const std::atomic<bool>* stop);

 private:
  // Lower bounds of the number of positions to be shown as mate, or as no mate, before this one is.
  struct Numbers {
    uint32_t proof = 1;     // 0: mate
    uint32_t disproof = 1;  // 0: no mate
    Move move;              // of the attacker, once it is mate
    uint8_t plies = 0;      // then at most so many
  };
  struct Entry {
    uint32_t search = 0;  // the call that wrote it; others know nothing
    uint32_t lock = 0;
    Numbers numbers;
  };
  static constexpr size_t kEntries = size_t{1} << 16;
  static constexpr int kMostPlies = 120;

  MateProbe Run(Position& position, int most_plies, uint64_t nodes, const std::atomic<bool>* stop);
  // Until one of the numbers is as high as its bound, or the limits end it. The attacker is to move
  // after an even number of plies.
  Numbers Visit(Position& position, int ply, uint32_t most_proof, uint32_t most_disproof);
  Numbers Known(Key key, int ply) const;
  void Keep(Key key, int ply, const Numbers& numbers);
  // Under a limit of depth, a position's entry holds for its depth alone.
  Key Marked(Key key, int ply) const;
  bool IsOnPath(Key key, int ply) const;
  bool CountNode();

  int plies_ = 0;
  std::unique_ptr<std::array<Entry, kEntries>> table_;  // made when it is first wanted
  uint32_t search_ = 0;
  std::array<uint64_t, kMostPlies + 2> path_ = {};
  int most_plies_ = kMostPlies;
  uint64_t nodes_ = 0;
  uint64_t most_nodes_ = 0;
  const std::atomic<bool>* stop_ = nullptr;
  bool over_ = false;
};

}  // namespace joseki::xiangqi
