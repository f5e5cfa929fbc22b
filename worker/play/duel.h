#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/rng.h"
#include "book/play_book.h"
#include "book/stats/series.h"
#include "engine/core/rules.h"
#include "engine/core/types.h"
#include "worker/play/play_spec.h"
#include "worker/play/player.h"

namespace joseki::worker {

// The settings of the opponent's engine in a run: its engine, options and limits, with the run's
// rules. REQUIRES: play.opponent.
PlaySpec OpponentPlay(const PlaySpec& play);

// One side of a duel. Player and spec must outlive it.
struct DuelSide {
  Player* player = nullptr;
  const PlaySpec* play = nullptr;              // its limits and their jitter
  std::shared_ptr<const book::PlayBook> book;  // null: the engine chooses every move
  book::PlayRules rules;
};

// Two players behind one. Each chooses for its own colour: from its own book while that has a move,
// else by its engine within its own limits. To the referee a duel is a player like any other; of
// its arguments, the duel uses the exclusions and ignores the limits.
//
// The side to move looks into its book at every position, so a game that transposes back into the
// book follows it again. One duel is one game.
class Duel final : public Player {
 public:
  // `sides` by their colour. `rules` outlive the duel.
  Duel(const Rules& rules, DuelSide first, DuelSide second);

  absl::Status NewGame(uint64_t seed) override;
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override;
  std::optional<absl::Duration> EngineTime() const override;
  void Stop() override;

  // The effort of a side so far.
  const book::SideUse& used(Color color) const { return used_[Index(color)]; }
  // The number of plies before the first move that the engine of this colour chose; nullopt: none
  // yet.
  std::optional<uint32_t> left_at(Color color) const { return left_at_[Index(color)]; }
  // The player asked last. It is at fault if a player's fault ended the game.
  Color asked() const { return asked_; }

 private:
  // Brings state_ to the end of `game`.
  absl::Status Follow(const GameLine& game);

  const Rules& rules_;
  DuelSide sides_[2];
  uint64_t seed_ = 0;
  std::unique_ptr<GameState> state_;
  size_t followed_ = 0;  // moves of the game already played in state_
  std::set<Key> seen_;
  bool seen_before_ = false;  // whether the position of state_ occurred before
  book::SideUse used_[2];
  std::optional<uint32_t> left_at_[2];
  Color asked_ = Color::kFirst;
};

}  // namespace joseki::worker
