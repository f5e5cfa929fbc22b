#pragma once

#include <array>
#include <cstdint>

#include "engine/core/game.h"
#include "engine/search/search.h"
#include "engine/search/shogi/edge_attack.h"
#include "engine/search/shogi/knowledge.h"
#include "engine/search/shogi/purposes.h"
#include "engine/shogi/check_squares.h"
#include "engine/shogi/eval/evaluator.h"
#include "engine/shogi/eval/material.h"
#include "engine/shogi/eval/see.h"
#include "engine/shogi/mate/mate_finder.h"
#include "engine/shogi/mate/mate_in_one.h"
#include "engine/shogi/position.h"

namespace joseki {

// Shogi as the search sees it. Rules, evaluation and search meet only in this header and search.cc.
struct Shogi {
  using Position = shogi::Position;
  using Undo = shogi::Undo;
  using MoveList = shogi::MoveList;
  using MateFinder = shogi::MateFinder;
  using Evaluator = shogi::Evaluator;

  static constexpr int kSquareCount = shogi::kSquareCount;
  static constexpr int kPieceCount = shogi::kPieceCount;

  static void Do(Position& pos, Move move, Undo& undo) { pos.Do(move, undo); }
  static void TakeBack(Position& pos, Move move, const Undo& undo) { pos.TakeBack(move, undo); }
  static void DoNull(Position& pos, Undo& undo) { pos.DoNull(undo); }
  static void TakeBackNull(Position& pos, const Undo& undo) { pos.TakeBackNull(undo); }
  static bool InCheck(const Position& pos) { return pos.InCheck(); }
  static Key KeyOf(const Position& pos) { return pos.key(); }
  static Key KeyAfter(const Position& pos, Move move) { return pos.KeyAfter(move); }

  // The second occurrence decides: a side that can repeat once can repeat again.
  static Repetition CheckRepetition(const Evaluator& /*evaluator*/, const Position& pos,
                                    int /*ply*/) {
    return pos.CheckRepetition(2);
  }
  static HandRepetition CheckHands(const Position& pos) { return pos.CheckHands(); }
  static Move MateInOne(Position& pos) { return shogi::MateInOne(pos); }
  static bool CanDeclareWin(const Position& pos) { return pos.CanDeclare27(); }

  template <GenType type>
  static void Generate(const Position& pos, MoveList& moves) {
    pos.Generate<type>(moves);
  }
  static bool IsLegal(const Position& pos, Move move) { return pos.IsLegal(move); }
  static bool IsCapture(const Position& pos, Move move) {
    return pos.piece(move.to()) != shogi::kNoPiece;
  }
  static int MovedPiece(const Position& pos, Move move) {
    return move.is_drop()
               ? shogi::MakePiece(pos.side_to_move(), static_cast<shogi::PieceType>(move.dropped()))
               : pos.piece(move.from());
  }
  // Value of the captured piece, minus a little of the capturing one: cheap pieces capture first.
  static Value OrderValue(const Position& pos, Move move) {
    if (move.is_drop()) return 0;
    const shogi::PieceType mover = shogi::TypeOf(pos.piece(move.from()));
    Value gain = shogi::CaptureValue(shogi::TypeOf(pos.piece(move.to())));
    if (move.promotes()) gain += shogi::PromotionGain(mover);
    return gain - shogi::kPieceValue[mover] / 16;
  }
  static bool SeeAtLeast(const Position& pos, Move move, Value threshold) {
    return shogi::SeeAtLeast(pos, move, threshold);
  }
  // Immediate material gain of the move.
  static Value GainOf(const Position& pos, Move move) {
    if (move.is_drop()) return 0;
    Value gain = shogi::CaptureValue(shogi::TypeOf(pos.piece(move.to())));
    if (move.promotes()) gain += shogi::PromotionGain(shogi::TypeOf(pos.piece(move.from())));
    return gain;
  }
  static Value SwingAtMost(const Position& pos, Move move) { return shogi::SwingAtMost(pos, move); }
  static bool IsKingMove(const Position& pos, Move move) {
    return !move.is_drop() && shogi::TypeOf(pos.piece(move.from())) == shogi::kKing;
  }
  static bool GivesCheck(const Position& pos, Move move) { return pos.GivesCheck(move); }
  using Checks = shogi::CheckSquares;
  static Color SideToMove(const Position& pos) { return pos.side_to_move(); }
  static int KingPressure(const Position& pos, Color by) { return shogi::KingPressure(pos, by); }
  static bool EscapesAttack(const Position& pos, Move move, Move last) {
    return shogi::EscapesAttack(pos, move, last);
  }
  static bool Meets(const Position& pos, Move move, Move threat) {
    return shogi::Meets(pos, move, threat);
  }
  static bool Defends(const Position& pos, Move move, Move threat) {
    return shogi::DefenceOf(pos, move, threat) != shogi::Defence::kNone;
  }
  // No zugzwang: a drop is nearly always possible.
  static bool MayPass(const Position& /*pos*/) { return true; }
  static int StageOf(const Position& pos) { return shogi::StageOf(pos); }
  static int CategoryOf(const Position& pos, Move move, Move last) {
    return shogi::CategoryOf(pos, move, last);
  }
  static int TransitionCost(int stage, int category) {
    return shogi::TransitionCost(stage, category);
  }
  using Groups = shogi::YssGroups;
  static bool OrderGroupBelongs(const Position& pos, int group, int distance, int plies_left) {
    return shogi::YssGroupBelongs(pos, group, distance, plies_left);
  }
  static int PurposeOf(const Position& pos, Move move, Move last) {
    return shogi::TacosCategoryOf(pos, move, last);
  }
  static bool IsRipeForEdgeAttack(const Position& pos) { return shogi::IsRipeForEdgeAttack(pos); }
  static Move EdgeAttackStart(const Position& pos) { return shogi::EdgeAttackStart(pos); }
  static bool BelongsToEdgeAttack(const Position& pos, Move move, Color attacker) {
    return shogi::BelongsToEdgeAttack(pos, move, attacker);
  }
  static Value FirstMoveBonus(const Evaluator& evaluator, const Position& pos, Move move) {
    return evaluator.FirstMoveBonus(pos, move);
  }
  static std::array<uint32_t, 4> PartsOf(const Position& pos) { return shogi::PartsOf(pos); }
  static Value Material(const Position& pos) { return shogi::MaterialBalance(pos); }
};

static_assert(Game<Shogi> && Knowledge<Shogi>);

extern template class Search<Shogi>;

}  // namespace joseki
