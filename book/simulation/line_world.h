#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/graph.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"

namespace joseki::book {

// A synthetic game with an engine that errs in it, for simulating the search of lines. Worths are
// in centipawns for the side to move. Deviations are standard deviations.
//
// The game is an endless tree of `moves` moves a position. One move of each position keeps its
// worth, the others lose. The engine misjudges each move of a position by an amount of its own.
// This error shrinks as its nodes grow, and is nearly equal for equal nodes. An opponent that knows
// the errors can lead the engine to them; they are fewer at another limit.
struct LineWorldOptions {
  int moves = 10;           // of each position
  double mean_loss = 100;   // of the moves that are not best; exponential
  double error = 300;       // deviation of a move's misjudgement with 400 nodes
  double a_doubling = 0.7;  // factor of that for twice the nodes
  double chance = 20;       // deviation between searches of one limit, with 400 nodes
  // An evaluation errs by more than its moves do: this much in all moves of a position alike, with
  // any number of nodes. The error fades from ply to ply.
  double drift = 150;
  double persistence = 0.9;        // correlation of a position's error with that of the one before
  double human_noise = 150;        // deviation of players' errors about a loss
  double human_temperature = 100;  // of players' choices by the perceived loss
  double start_worth = 40;         // for the side that moves first
  // The book: positions of the players' games, and the moves of at least `least_games` games.
  uint32_t book_games = 25'000;
  uint32_t least_games = 10;
  uint32_t book_plies = 45;
};

// Rules and engine of such a game. Positions are functions of options, seed and line alone.
// Immutable; thread-safe.
class LineWorld : public Rules {
 public:
  LineWorld(const LineWorldOptions& options, uint64_t seed);

  std::string_view game() const override { return "lines"; }
  // `position`: "startpos", or an error.
  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view position,
                                                   const MatchRules& match) const override;
  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& position,
                                                   const MatchRules& match) const override;
  std::string Text(const PackedPosition& position, int ply) const override;
  std::string Text(Move move) const override;
  std::optional<Move> MoveOf(std::string_view text) const override;

  struct Found {
    Move move;
    double centipawns = 0;  // for the side to move
  };
  // The engine's search of a position with so many nodes. `excluded`: moves left out; not all.
  Found Search(const GameState& state, uint64_t nodes, std::span<const Move> excluded,
               Rng& rng) const;
  // The position's worth for its side to move.
  double Worth(const GameState& state) const;

  // The book of the players' games, its weights the games of each move.
  absl::StatusOr<Graph> Book() const;

 private:
  class State;
  struct Position;

  Position Begin() const;
  Position After(const Position& position, int move) const;
  double LossOf(const Position& position, int move) const;
  // By a search with 400 nodes, doubled so many times.
  double MisjudgementOf(const Position& position, int move, double doublings) const;

  LineWorldOptions options_;
  uint64_t seed_;
};

}  // namespace joseki::book
