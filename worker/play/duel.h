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

// The request to the opponent's engine in a run: its engine, options and limits, by the rules of
// the run. REQUIRES: play.opponent.
PlaySpec OpponentPlay(const PlaySpec& play);

// One side of a duel. Player and spec must outlive it.
struct DuelSide {
  Player* player = nullptr;
  const PlaySpec* play = nullptr;              // its limits and their jitter
  std::shared_ptr<const book::PlayBook> book;  // null: the engine chooses every move
  book::PlayRules rules;
};

// Two players behind one: each chooses for its own colour, from its own book while that has a move,
// within its own limits. A game between them is refereed as any other. Of the referee's arguments
// the exclusions count, the limits do not.
//
// The side to move asks its book at every position, so a game that transposes back into the book
// follows it again. One duel is one game.
class Duel final : public Player {
 public:
  // `sides` by the colour that they have. `rules` outlive the duel.
  Duel(const Rules& rules, DuelSide first, DuelSide second);

  absl::Status NewGame(uint64_t seed) override;
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override;
  std::optional<absl::Duration> EngineTime() const override;
  void Stop() override;

  // Figures up to now.
  const book::SideUse& used(Color color) const { return used_[Index(color)]; }
  // Plies played when the engine of this colour first chose a move; nullopt: it has not yet.
  std::optional<uint32_t> left_at(Color color) const { return left_at_[Index(color)]; }
  // The player that was asked last, which is to blame for a game that a player's fault ended.
  Color asked() const { return asked_; }

 private:
  // Brings state_ to the end of `game`.
  absl::Status Follow(const GameLine& game);

  const Rules& rules_;
  DuelSide sides_[2];
  uint64_t seed_ = 0;
  std::unique_ptr<GameState> state_;
  size_t followed_ = 0;  // moves of the game that state_ has played
  std::set<Key> seen_;
  bool seen_before_ = false;  // the position of state_ came up before
  book::SideUse used_[2];
  std::optional<uint32_t> left_at_[2];
  Color asked_ = Color::kFirst;
};

}  // namespace joseki::worker
