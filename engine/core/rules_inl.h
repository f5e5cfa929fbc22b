#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "engine/core/game.h"
#include "engine/core/outcome.h"
#include "engine/core/rules.h"
#include "engine/core/symmetries.h"

// Rules and GameState for a game with a class of positions. G supplies the game's parts:
//   Position, Undo, MoveList   as in engine/core/game.h
//   Judge                      made from the MatchRules; sees every position of the game and
//                              decides all endings but the lack of a move
//     void See(const Position&)
//     std::optional<Ending> Ended(const Position&) const
//   kName, Parse(text) with `position` and `ply`, FirstPly(position) if a text does not contain it,
//   Unpack, Pack, Text(position, ply), Text(move), MoveOf, ParseMove
//   kMaps, ExchangesColours(map), Image(map, ...) of a position and of a move, as in Symmetries
// Included only by the file of rules of each game.
namespace joseki {

template <typename G>
class PositionState final : public GameState {
 public:
  using Position = typename G::Position;

  PositionState(Position position, int first_ply, typename G::Judge judge)
      : position_(std::move(position)), first_ply_(first_ply), judge_(std::move(judge)) {
    judge_.See(position_);
  }

  bool Play(Move move) override {
    if (!position_.IsLegal(move)) return false;
    typename G::Undo undo;
    position_.Do(move, undo);
    judge_.See(position_);
    return true;
  }

  size_t PlayAll(std::span<const Move> moves) override {
    position_.ReserveHistory(position_.plies() + static_cast<int>(moves.size()));
    size_t played = 0;
    // No check for a legal move is needed: if there is none, the next move is illegal.
    while (played < moves.size() && !judge_.Ended(position_) &&
           PositionState::Play(moves[played])) {
      ++played;
    }
    return played;
  }

  std::optional<Ending> ending() const override {
    if (!position_.HasLegalMove()) {
      return Ending{WinFor(~side_to_move()), Termination::kNoLegalMove};
    }
    return judge_.Ended(position_);
  }

  Color side_to_move() const override { return position_.side_to_move(); }
  int plies() const override { return position_.plies(); }
  Key key() const override { return position_.key(); }
  PackedPosition packed() const override { return G::Pack(position_); }
  std::string text() const override { return G::Text(position_, first_ply_ + plies()); }

  std::vector<Move> LegalMoves() const override {
    typename G::MoveList moves;
    position_.template Generate<GenType::kAll>(moves);
    return {moves.begin(), moves.end()};
  }

  absl::StatusOr<Move> ParseMove(std::string_view text) const override {
    return G::ParseMove(position_, text);
  }

 private:
  Position position_;
  int first_ply_;
  typename G::Judge judge_;
};

template <typename G>
class PositionRules final : public Rules, public Symmetries {
 public:
  std::string_view game() const override { return G::kName; }

  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view text,
                                                   const MatchRules& match) const override {
    ASSIGN_OR_RETURN(auto start, G::Parse(text));
    return std::make_unique<PositionState<G>>(std::move(start.position), start.ply,
                                              typename G::Judge(match));
  }

  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& packed,
                                                   const MatchRules& match) const override {
    ASSIGN_OR_RETURN(typename G::Position position, G::Unpack(packed));
    const int first_ply = G::FirstPly(position);
    return std::make_unique<PositionState<G>>(std::move(position), first_ply,
                                              typename G::Judge(match));
  }

  absl::Status Expand(const PackedPosition& packed, std::span<const Move> moves,
                      Expansion& expansion) const override {
    ASSIGN_OR_RETURN(typename G::Position position, G::Unpack(packed));
    expansion.key = position.key();
    expansion.packed = packed;  // Unpack accepts only the canonical form
    expansion.to_move = position.side_to_move();
    typename G::MoveList legal;
    position.template Generate<GenType::kAll>(legal);
    expansion.legal_moves = static_cast<size_t>(legal.size());
    expansion.children.clear();
    for (const Move move : moves) {
      std::optional<Expansion::Child>& child = expansion.children.emplace_back();
      if (std::find(legal.begin(), legal.end(), move) == legal.end()) continue;
      typename G::Undo undo;
      position.Do(move, undo);
      child = {position.key(), G::Pack(position)};
      position.TakeBack(move, undo);
    }
    return absl::OkStatus();
  }

  std::string Text(const PackedPosition& packed, int ply) const override {
    const absl::StatusOr<typename G::Position> position = G::Unpack(packed);
    return position.ok() ? G::Text(*position, ply) : std::string();
  }
  std::string Text(Move move) const override { return G::Text(move); }
  std::optional<Move> MoveOf(std::string_view text) const override { return G::MoveOf(text); }

  int count() const override { return G::kMaps; }
  bool ExchangesColours(int map) const override { return G::ExchangesColours(map); }
  PackedPosition Image(int map, const PackedPosition& packed) const override {
    const absl::StatusOr<typename G::Position> position = G::Unpack(packed);
    return position.ok() ? G::Pack(G::Image(map, *position)) : packed;
  }
  Move Image(int map, Move move) const override { return G::Image(map, move); }
};

}  // namespace joseki
