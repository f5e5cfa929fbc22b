#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/rng.h"
#include "engine/core/game.h"
#include "engine/search/game_defaults.h"

namespace joseki {

// M. Gardner's pawn game on four ranks and files: pawns advance one square if it is empty, and
// capture diagonally forward. A side without a move has lost, whether all its pawns are blocked or
// the other side has reached the far rank. It implements what the search needs of a game, and no
// more.
struct Hexapawn : GameDefaults<Hexapawn> {
  static constexpr int kFiles = 4;
  static constexpr int kSquareCount = kFiles * kFiles;
  static constexpr int kPieceCount = 2;
  static constexpr Value kPawn = 100;
  static constexpr int kEmpty = 2;

  struct Position {
    std::array<int, kSquareCount> squares;  // index of a color, or kEmpty
    Color side = Color::kFirst;  // side to move; the first side starts on the lowest squares

    Position() {
      squares.fill(kEmpty);
      std::fill_n(squares.begin(), kFiles, Index(Color::kFirst));
      std::fill_n(squares.rbegin(), kFiles, Index(Color::kSecond));
    }
    int& At(int square) { return squares[static_cast<size_t>(square)]; }
    int At(int square) const { return squares[static_cast<size_t>(square)]; }
  };
  struct Undo {
    int taken = kEmpty;
  };
  using MoveList = FixedMoveList<3 * kFiles>;
  struct Evaluator {
    Value Evaluate(const Position& pos) { return Material(pos); }
  };

  static void Do(Position& pos, Move move, Undo& undo) {
    undo.taken = std::exchange(pos.At(move.to()), Index(pos.side));
    pos.At(move.from()) = kEmpty;
    pos.side = ~pos.side;
  }
  static void TakeBack(Position& pos, Move move, const Undo& undo) {
    pos.side = ~pos.side;
    pos.At(move.from()) = Index(pos.side);
    pos.At(move.to()) = undo.taken;
  }
  static void DoNull(Position& pos, Undo& /*undo*/) { pos.side = ~pos.side; }
  static void TakeBackNull(Position& pos, const Undo& /*undo*/) { pos.side = ~pos.side; }
  static Color SideToMove(const Position& pos) { return pos.side; }
  static Key KeyOf(const Position& pos) {
    auto code = static_cast<uint64_t>(Index(pos.side));
    for (const int square : pos.squares) code = 3 * code + static_cast<uint64_t>(square);
    return {.hi = code, .lo = Rng(code).Next()};
  }
  static Key KeyAfter(Position pos, Move move) {
    Undo undo;
    Do(pos, move, undo);
    return KeyOf(pos);
  }

  template <GenType type>
  static void Generate(const Position& pos, MoveList& moves) {
    for (int from = 0; from < kSquareCount; ++from) {
      for (int to = 0; to < kSquareCount; ++to) {
        const Move move = Move::Board(from, to);
        if (!IsLegal(pos, move)) continue;
        if (type == GenType::kCaptures ? IsCapture(pos, move) : type != GenType::kChecks) {
          moves.Add(move);
        }
      }
    }
  }
  static bool IsLegal(const Position& pos, Move move) {
    const int from = move.from();
    const int to = move.to();
    if (move.is_drop() || move.promotes() || from >= kSquareCount || to >= kSquareCount)
      return false;
    if (pos.At(from) != Index(pos.side) || HasArrived(pos, ~pos.side)) return false;
    if (to / kFiles - from / kFiles != (pos.side == Color::kFirst ? 1 : -1)) return false;
    const int aside = std::abs(to % kFiles - from % kFiles);
    return aside == 0 ? pos.At(to) == kEmpty : aside == 1 && pos.At(to) == Index(~pos.side);
  }
  static bool IsCapture(const Position& pos, Move move) { return pos.At(move.to()) != kEmpty; }
  static int MovedPiece(const Position& pos, Move move) { return pos.At(move.from()); }
  static Value GainOf(const Position& pos, Move move) { return IsCapture(pos, move) ? kPawn : 0; }
  static Value OrderValue(const Position& pos, Move move) { return GainOf(pos, move); }
  static bool SeeAtLeast(const Position& pos, Move move, Value least) {
    return Exchange(pos, move) >= least;
  }
  static Value Material(const Position& pos) {
    const auto pawns = [&](Color side) {
      return static_cast<int>(std::count(pos.squares.begin(), pos.squares.end(), Index(side)));
    };
    return (pawns(pos.side) - pawns(~pos.side)) * kPawn;
  }

  // Pawns never return, and threaten no king.
  static Repetition CheckRepetition(const Evaluator& /*evaluator*/, const Position& /*pos*/,
                                    int /*ply*/) {
    return Repetition::kNone;
  }
  static bool InCheck(const Position& /*pos*/) { return false; }
  static bool GivesCheck(const Position& /*pos*/, Move /*move*/) { return false; }
  static bool IsKingMove(const Position& /*pos*/, Move /*move*/) { return false; }

 private:
  static bool HasArrived(const Position& pos, Color side) {
    const int first = side == Color::kFirst ? kSquareCount - kFiles : 0;
    const auto rank = pos.squares.begin() + first;
    return std::find(rank, rank + kFiles, Index(side)) != rank + kFiles;
  }
  // Gain of the move minus the gain of the best reply on its square.
  static Value Exchange(Position pos, Move move) {
    const Value gain = GainOf(pos, move);
    Undo undo;
    Do(pos, move, undo);
    MoveList replies;
    Generate<GenType::kCaptures>(pos, replies);
    for (const Move reply : replies) {
      if (reply.to() == move.to()) return gain - std::max(Exchange(pos, reply), 0);
    }
    return gain;
  }
};

static_assert(Game<Hexapawn>);

}  // namespace joseki
