#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/search/game_defaults.h"
#include "engine/search/search.h"
#include "engine/search/xiangqi/knowledge.h"
#include "engine/xiangqi/eval/evaluator.h"
#include "engine/xiangqi/eval/material.h"
#include "engine/xiangqi/eval/see.h"
#include "engine/xiangqi/mate/mate_finder.h"
#include "engine/xiangqi/mate/mate_in_one.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/repetition.h"

namespace joseki {

// Xiangqi as the search sees it. Rules, evaluation and search meet only in this header and
// search.cc. GameDefaults answers for everything that it does not declare.
struct Xiangqi : GameDefaults<Xiangqi> {
  using Position = xiangqi::Position;
  using Undo = xiangqi::Undo;
  using MoveList = xiangqi::MoveList;
  using MateFinder = xiangqi::MateFinder;
  using Evaluator = xiangqi::Evaluator;

  static constexpr int kSquareCount = xiangqi::kSquareCount;
  static constexpr int kPieceCount = xiangqi::kPieceCount;

  static void Do(Position& pos, Move move, Undo& undo) { pos.Do(move, undo); }
  static void TakeBack(Position& pos, Move move, const Undo& undo) { pos.TakeBack(move, undo); }
  static void DoNull(Position& pos, Undo& undo) { pos.DoNull(undo); }
  static void TakeBackNull(Position& pos, const Undo& undo) { pos.TakeBackNull(undo); }
  static Color SideToMove(const Position& pos) { return pos.side_to_move(); }
  static bool InCheck(const Position& pos) { return pos.InCheck(); }
  static Key KeyOf(const Position& pos) { return pos.key(); }
  static Key KeyAfter(const Position& pos, Move move) { return pos.KeyAfter(move); }

  static Repetition CheckRepetition(const Evaluator& evaluator, const Position& pos, int /*ply*/) {
    return xiangqi::CheckRepetition(pos, evaluator.repetition_rule());
  }
  static Move MateInOne(Position& pos) { return xiangqi::MateInOne(pos); }

  template <GenType type>
  static void Generate(const Position& pos, MoveList& moves) {
    pos.Generate<type>(moves);
  }
  static bool IsLegal(const Position& pos, Move move) { return pos.IsLegal(move); }
  static bool IsCapture(const Position& pos, Move move) {
    return pos.piece(move.to()) != xiangqi::kNoPiece;
  }
  static bool GivesCheck(const Position& pos, Move move) { return pos.GivesCheck(move); }
  static bool IsKingMove(const Position& pos, Move move) {
    return xiangqi::TypeOf(pos.piece(move.from())) == xiangqi::kKing;
  }
  static int MovedPiece(const Position& pos, Move move) { return pos.piece(move.from()); }
  // Value of the captured piece, minus a little of the capturing one: cheap pieces capture first.
  static Value OrderValue(const Position& pos, Move move) {
    const xiangqi::PieceType mover = xiangqi::TypeOf(pos.piece(move.from()));
    return GainOf(pos, move) - (mover == xiangqi::kKing ? 0 : xiangqi::kCaptureValue[mover] / 16);
  }
  static Value GainOf(const Position& pos, Move move) {
    return xiangqi::CaptureValue(pos.piece(move.to()), move.to());
  }
  static bool SeeAtLeast(const Position& pos, Move move, Value threshold) {
    return xiangqi::SeeAtLeast(pos, move, threshold);
  }
  static Value Material(const Position& pos) { return xiangqi::MaterialBalance(pos); }

  static Value FirstMoveBonus(const Evaluator& evaluator, const Position& pos, Move move) {
    return evaluator.FirstMoveBonus(pos, move);
  }
  static int KingPressure(const Position& pos, Color by) { return xiangqi::KingPressure(pos, by); }
  static bool EscapesAttack(const Position& pos, Move move, Move last) {
    return xiangqi::EscapesAttack(pos, move, last);
  }
  static bool Meets(const Position& pos, Move move, Move threat) {
    return xiangqi::Meets(pos, move, threat);
  }
  static std::array<uint32_t, 4> PartsOf(const Position& pos) { return xiangqi::PartsOf(pos); }
  static bool MayPass(const Position& pos) { return xiangqi::MayPass(pos); }
};

static_assert(Game<Xiangqi> && Knowledge<Xiangqi>);

extern template class Search<Xiangqi>;

}  // namespace joseki
