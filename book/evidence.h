#pragma once

#include <cstdint>

namespace joseki::book {

// Results of one book move's games, seen from the side that played it. Draws are counted apart: the
// thesis's rule learns nothing from them. Faults are never in here.
struct Evidence {
  uint32_t wins = 0;
  uint32_t draws = 0;
  uint32_t losses = 0;
  uint32_t repeats = 0;  // games identical to an earlier one: they say nothing new and are in none
                         // of the counts above

  uint32_t games() const { return wins + draws + losses; }  // different ones
  uint32_t played() const { return games() + repeats; }
  uint32_t decided() const { return wins + losses; }
  bool operator==(const Evidence&) const = default;
  Evidence& operator+=(const Evidence& other) {
    wins += other.wins;
    draws += other.draws;
    losses += other.losses;
    repeats += other.repeats;
    return *this;
  }
};

// A game's outcome for the side that played a move.
enum class Score : uint8_t { kLoss, kDraw, kWin };

}  // namespace joseki::book
