#pragma once

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "base/problem.h"
#include "base/rng.h"
#include "engine/core/rules.h"

// A game that is small enough to analyse by hand, for testing the book and the coordinator without
// shogi. Two heaps of 0 to 99 stones. A move takes one to three stones from one heap ("a1" to "b3")
// or exchanges two different heaps ("x"). A side that cannot move has lost.
//
//   transpositions  a1 b1 = b1 a1 (one ply later each), a1 a3 = a3 a1 = a2 a2
//   cycles          x x returns to the same position: the fourth occurrence is a draw by repetition
//   endings         no legal move, repetition, ply cap; there are no checks and no declarations
//   illegal moves   more stones than the heap has, "x" between equal heaps
//
// Position text "5-7 b 1": heap a, heap b, side to move (b first, w second), ply. "startpos" is
// 9-12.
namespace joseki::testing {

struct ToyPosition {
  int heap[2] = {9, 12};
  Color side = Color::kFirst;

  static constexpr int kExchange = 2;  // from-square of an exchange; other moves have their heap

  bool Legal(Move move) const {
    if (move.is_drop() || move.promotes()) return false;
    if (move.from() == kExchange) return move.to() == 1 && heap[0] != heap[1];
    return move.from() <= 1 && move.to() >= 1 && move.to() <= 3 && move.to() <= heap[move.from()];
  }
  void Do(Move move) {
    if (move.from() == kExchange) {
      std::swap(heap[0], heap[1]);
    } else {
      heap[move.from()] -= move.to();
    }
    side = ~side;
  }
  std::vector<Move> LegalMoves() const {
    std::vector<Move> moves;
    for (int from = 0; from <= kExchange; ++from) {
      for (int to = 1; to <= 3; ++to) {
        if (Legal(Move::Board(from, to))) moves.push_back(Move::Board(from, to));
      }
    }
    return moves;
  }
  Key key() const {
    const uint64_t code = 1 + static_cast<uint64_t>(heap[0] + 100 * heap[1]) * 2 + Index(side);
    Rng rng(code);
    Key key;
    key.hi = rng.Next();
    key.lo = rng.Next();
    return key;
  }
  PackedPosition packed() const {
    PackedPosition result;
    result.bytes[0] = static_cast<uint8_t>(heap[0]);
    result.bytes[1] = static_cast<uint8_t>(heap[1]);
    result.bytes[2] = static_cast<uint8_t>(side);
    result.bytes[31] = 'T';
    return result;
  }
  std::string Text(int ply) const {
    return std::to_string(heap[0]) + "-" + std::to_string(heap[1]) +
           (side == Color::kFirst ? " b " : " w ") + std::to_string(ply);
  }

  static std::optional<ToyPosition> Of(const PackedPosition& packed) {
    ToyPosition position;
    position.heap[0] = packed.bytes[0];
    position.heap[1] = packed.bytes[1];
    position.side = static_cast<Color>(packed.bytes[2]);
    if (position.heap[0] > 99 || position.heap[1] > 99 || packed.bytes[2] > 1) return std::nullopt;
    if (position.packed() != packed) return std::nullopt;
    return position;
  }
  // Parses a position and its ply.
  static std::optional<std::pair<ToyPosition, int>> Of(std::string_view text) {
    ToyPosition position;
    if (text == "startpos") return std::pair(position, 1);
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&](int& value) {
      const auto [next, error] = std::from_chars(at, end, value);
      at = next;
      return error == std::errc() && value >= 0 && value <= 99;
    };
    const auto word = [&](std::string_view expected) {
      if (std::string_view(at, end - at).substr(0, expected.size()) != expected) return false;
      at += expected.size();
      return true;
    };
    int ply = 1;
    if (!number(position.heap[0]) || !word("-") || !number(position.heap[1])) return std::nullopt;
    if (word(" w ")) {
      position.side = Color::kSecond;
    } else if (!word(" b ")) {
      return std::nullopt;
    }
    if (!number(ply) || ply < 1 || at != end) return std::nullopt;
    return std::pair(position, ply);
  }
};

class ToyState : public GameState {
 public:
  ToyState(ToyPosition position, int ply, const MatchRules& match)
      : position_(position), start_ply_(ply), match_(match) {
    ++seen_[position_.key()];
  }

  bool Play(Move move) override {
    if (!position_.Legal(move)) return false;
    position_.Do(move);
    ++plies_;
    ++seen_[position_.key()];
    return true;
  }
  std::optional<Ending> ending() const override {
    if (position_.LegalMoves().empty()) {
      return Ending{WinFor(~position_.side), Termination::kNoLegalMove};
    }
    if (seen_.at(position_.key()) >= 4) return Ending{Result::kDraw, Termination::kRepetition};
    if (plies_ >= match_.max_plies) return Ending{Result::kDraw, Termination::kMaxPlies};
    return std::nullopt;
  }
  Color side_to_move() const override { return position_.side; }
  int plies() const override { return plies_; }
  Key key() const override { return position_.key(); }
  PackedPosition packed() const override { return position_.packed(); }
  std::string text() const override { return position_.Text(start_ply_ + plies_); }
  std::vector<Move> LegalMoves() const override { return position_.LegalMoves(); }
  absl::StatusOr<Move> ParseMove(std::string_view text) const override;

 private:
  ToyPosition position_;
  int start_ply_;
  MatchRules match_;
  int plies_ = 0;
  std::map<Key, int> seen_;
};

class ToyRules : public Rules {
 public:
  std::string_view game() const override { return "toy"; }

  absl::StatusOr<std::unique_ptr<GameState>> Start(std::string_view position,
                                                   const MatchRules& match) const override {
    const auto parsed = ToyPosition::Of(position);
    if (!parsed) {
      return MakeProblem({"malformed_position", "", 0, Quote(position), "\"5-7 b 1\" or startpos"});
    }
    return std::make_unique<ToyState>(parsed->first, parsed->second, match);
  }
  absl::StatusOr<std::unique_ptr<GameState>> Start(const PackedPosition& position,
                                                   const MatchRules& match) const override {
    const auto parsed = ToyPosition::Of(position);
    if (!parsed) return MakeProblem({"malformed_position", "", 0, "32 bytes", "a toy position"});
    return std::make_unique<ToyState>(*parsed, 1, match);
  }
  std::string Text(const PackedPosition& position, int ply) const override {
    return ToyPosition::Of(position)->Text(ply);
  }
  std::string Text(Move move) const override {
    if (move.from() == ToyPosition::kExchange) return "x";
    return std::string(1, move.from() == 0 ? 'a' : 'b') + std::to_string(move.to());
  }
  std::optional<Move> MoveOf(std::string_view text) const override {
    if (text == "x") return Move::Board(ToyPosition::kExchange, 1);
    if (text.size() != 2 || text[0] < 'a' || text[0] > 'b' || text[1] < '1' || text[1] > '9') {
      return std::nullopt;
    }
    return Move::Board(text[0] - 'a', text[1] - '0');
  }
};

inline absl::StatusOr<Move> ToyState::ParseMove(std::string_view text) const {
  const std::optional<Move> move = ToyRules().MoveOf(text);
  if (!move) return MakeProblem({"malformed_move", "", 0, Quote(text), "a1 to b3, or x"});
  if (!position_.Legal(*move)) {
    return MakeProblem({"illegal_move", "", 0, Quote(text), "a legal move"});
  }
  return *move;
}

// Plays random moves until the rules end the game, and appends them to `moves`. It never exchanges,
// so that the game ends soon.
inline Ending PlayOut(GameState& state, Rng& rng, std::vector<Move>& moves) {
  while (!state.ending()) {
    std::vector<Move> takes = state.LegalMoves();
    std::erase(takes, Move::Board(ToyPosition::kExchange, 1));
    const Move move = takes[rng.Below(takes.size())];
    state.Play(move);
    moves.push_back(move);
  }
  return *state.ending();
}

// Finds these rules for any name of a game. `rules` must outlive the result.
inline RulesFinder Always(const Rules& rules) {
  return [&rules](std::string_view) -> absl::StatusOr<const Rules*> { return &rules; };
}

}  // namespace joseki::testing
