#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/core/rules.h"
#include "worker/play/player.h"

namespace joseki::worker {

// A small game for tests: a move takes 1 to 3 stones of a heap; a side that cannot move has lost.
// "9" is a heap of nine. "9 4 repetition draw" ends after four plies with that result.
class StonesState final : public GameState {
 public:
  StonesState(int stones, const MatchRules& match, int end_ply, Ending end)
      : stones_(stones), match_(match), end_ply_(end_ply), end_(end) {}

  bool Play(Move move) override {
    if (move.raw() < 1 || move.raw() > 3 || move.raw() > stones_) return false;
    stones_ -= move.raw();
    ++plies_;
    return true;
  }
  std::optional<Ending> ending() const override {
    if (stones_ == 0) return Ending{WinFor(~side_to_move()), Termination::kNoLegalMove};
    if (plies_ == end_ply_) return end_;
    if (plies_ >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }
  Color side_to_move() const override { return plies_ % 2 == 0 ? Color::kFirst : Color::kSecond; }
  int plies() const override { return plies_; }
  Key key() const override {
    return {static_cast<uint64_t>(plies_), static_cast<uint64_t>(stones_)};
  }
  PackedPosition packed() const override { return {}; }
  std::string text() const override { return absl::StrCat(stones_); }
  std::vector<Move> LegalMoves() const override {
    std::vector<Move> moves;
    for (uint16_t raw = 1; raw <= std::min(stones_, 3); ++raw) moves.push_back(Move(raw));
    return moves;
  }
  absl::StatusOr<Move> ParseMove(std::string_view) const override {
    return absl::UnimplementedError("not of this game");
  }

 private:
  int stones_;
  const MatchRules match_;
  const int end_ply_;
  const Ending end_;
  int plies_ = 0;
};

class StonesRules final : public Rules {
 public:
  std::string_view game() const override { return "toy"; }
  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view position,
                                                   const MatchRules& match) const override {
    const std::vector<std::string> words = absl::StrSplit(std::string(position), ' ');
    int stones = 0;
    if (!absl::SimpleAtoi(words[0], &stones) || stones < 0) {
      return absl::InvalidArgumentError("no heap");
    }
    int end_ply = -1;
    Ending end;
    if (words.size() == 4) {
      (void)absl::SimpleAtoi(words[1], &end_ply);
      end.termination = TerminationOf(words[2]).value_or(Termination::kNone);
      end.result = words[3] == "draw"    ? Result::kDraw
                   : words[3] == "first" ? Result::kFirstWins
                                         : Result::kSecondWins;
    }
    return std::make_unique<StonesState>(stones, match, end_ply, end);
  }
  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition&,
                                                   const MatchRules&) const override {
    return absl::UnimplementedError("not of this game");
  }
  std::string Text(const PackedPosition&, int) const override { return ""; }
  std::string Text(Move move) const override { return absl::StrCat("take", move.raw()); }
  std::optional<Move> MoveOf(std::string_view) const override { return std::nullopt; }
};

inline Choice Take(int stones) {
  Choice choice;
  choice.move = Move(static_cast<uint16_t>(stones));
  choice.nodes = 10;
  return choice;
}

// Plays the moves that `choose` returns.
class ScriptedPlayer final : public Player {
 public:
  using Script = std::function<absl::StatusOr<Choice>(const GameLine&, const Limits&)>;
  explicit ScriptedPlayer(Script choose, absl::Status new_game = absl::OkStatus())
      : choose_(std::move(choose)), new_game_(std::move(new_game)) {}

  absl::Status NewGame(uint64_t seed) override {
    seed_ = seed;
    return new_game_;
  }
  absl::StatusOr<Choice> Choose(const GameLine& game, const Limits& limits) override {
    return choose_(game, limits);
  }
  void Stop() override {}

  uint64_t seed() const { return seed_; }

 private:
  const Script choose_;
  const absl::Status new_game_;
  uint64_t seed_ = 0;
};

}  // namespace joseki::worker
