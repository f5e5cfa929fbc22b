#pragma once

#include <cstdint>

namespace joseki::book {

// Results of the games of one book move, from the side that played it. Draws have their own count,
// because the thesis's rule learns nothing from them. Games that ended in a fault are not counted.
struct Evidence {
  uint32_t wins = 0;
  uint32_t draws = 0;
  uint32_t losses = 0;
  uint32_t repeats = 0;  // games identical to an earlier one; no other count includes them

  uint32_t games() const { return wins + draws + losses; }  // distinct games
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

// Outcome of a game for the side that played a move.
enum class Score : uint8_t { kLoss, kDraw, kWin };

}  // namespace joseki::book
