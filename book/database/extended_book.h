#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "book/formats/position.h"
#include "book/records/record.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// DEEP BLUE's extended book (M. Campbell, A. J. Hoane, F. Hsu, 2002): statistics over many games,
// not a move chooser. Each move gets a bonus (or penalty, below zero) that the search adds to its
// value. Seven factors count for a move; the formula is ours:
//
//   1. its number of games: with n games the sum counts n / (n + 4);
//   2. its share s of the position's games, against one of 8 equal moves: (s - 1/8) / (7/8),
//      at least -0.15;
//   3. its players: mean rating above that of the position's games, 200 points are 1;
//   4. its date: mean year after that of the position's games, 10 years are 1;
//   5. its results: (score - 1/2) x 2, with one virtual win and one virtual loss added;
//   6. comments: mean of the evaluations in them, 300 centipawns are 1;
//   7. its origin: games count fully, lines that appear only in comments (variations) half.
//
// bonus = most x f7 x f1 x (1.0 f2 + 0.5 f5 + 0.25 f3 + 0.15 f4 + 0.25 f6), clamped to +-most. Each
// f is clamped to +-1. Missing facts (ratings, years, evaluations) are 0.
struct ExtendedBookOptions {
  int plies = 60;          // of each game
  int most = 60;           // bound of the bonus, centipawns
  uint32_t min_games = 1;  // positions with fewer games are left out
};

// Collects games in memory. Not thread-safe.
class ExtendedBook {
 public:
  ExtendedBook(const Rules& rules, const ExtendedBookOptions& options)
      : rules_(rules), options_(options) {}

  // REQUIRES: the moves are legal, as the readers of records guarantee.
  void Add(const book::GameRecord& game);
  // Adds a line from a comment; it counts from its first own move on.
  void Add(const book::Variation& variation);

  // Each position with its moves; a move's value is its bonus, its count the number of games.
  std::vector<book::DbPosition> Make() const;

  int64_t games() const { return games_; }
  int64_t variations() const { return variations_; }

 private:
  struct Facts {
    Move move;
    uint32_t games = 0;
    uint32_t wins = 0;
    uint32_t draws = 0;
    uint32_t losses = 0;
    uint32_t in_comments = 0;
    uint32_t rated = 0;  // games whose player has a rating
    uint32_t dated = 0;
    uint32_t valued = 0;
    int64_t ratings = 0;
    int64_t years = 0;
    int64_t values = 0;
  };
  struct Entry {
    PackedPosition packed;
    int ply = 1;
    std::vector<Facts> moves;
  };

  Facts& At(const GameState& state, int ply, Move move);
  int BonusOf(const Entry& entry, const Facts& facts) const;

  const Rules& rules_;
  const ExtendedBookOptions options_;
  absl::flat_hash_map<Key, Entry, std::hash<Key>> entries_;
  int64_t games_ = 0;
  int64_t variations_ = 0;
};

}  // namespace joseki::book
