#include "engine/xiangqi/position.h"

#include <cassert>

#include "engine/xiangqi/attacks.h"
#include "engine/xiangqi/zobrist.h"

namespace joseki::xiangqi {
namespace {

const Key& PieceKey(Piece p, Square s) { return kZobrist.piece[p][static_cast<size_t>(s)]; }

}  // namespace

Position::Position() {
  constexpr PieceType kBackRank[kFiles] = {kRook,    kKnight,   kElephant, kAdviser, kKing,
                                           kAdviser, kElephant, kKnight,   kRook};
  auto put = [this](Color c, PieceType t, int file, int rank) {
    board_.Put(MakeSquare(file, c == kRed ? rank : kRanks - 1 - rank), MakePiece(c, t));
  };
  for (const Color c : {kRed, kBlack}) {
    for (int file = 0; file < kFiles; ++file) {
      put(c, kBackRank[file], file, 0);
      if (file % 2 == 0) put(c, kPawn, file, 3);
    }
    put(c, kCannon, 1, 2);
    put(c, kCannon, 7, 2);
  }
  key_ = ComputeKey();
}

Key Position::ComputeKey() const {
  Key key;
  ForEach(occupied(), [&](Square s) { key ^= PieceKey(piece(s), s); });
  if (side_ == kBlack) key ^= kZobrist.black_to_move;
  return key;
}

Key Position::KeyAfter(Move move) const {
  const Piece moved = piece(move.from());
  Key key =
      key_ ^ kZobrist.black_to_move ^ PieceKey(moved, move.from()) ^ PieceKey(moved, move.to());
  if (const Piece captured = piece(move.to()); captured != kNoPiece) {
    key ^= PieceKey(captured, move.to());
  }
  return key;
}

void Position::Remember(Move move, Piece captured, Undo& undo) {
  undo.key = key_;
  undo.checkers = checkers_;
  undo.quiet = quiet_;
  undo.captured = captured;
  history_.push_back({key_, move, captured, /*checks=*/false});
}

void Position::Restore(const Undo& undo) {
  side_ = ~side_;
  key_ = undo.key;
  checkers_ = undo.checkers;
  quiet_ = undo.quiet;
  history_.pop_back();
}

void Position::Do(Move move, Undo& undo) {
  assert(IsLegal(move));
  const Color us = side_;
  const Square from = move.from();
  const Square to = move.to();
  const Piece captured = piece(to);
  Remember(move, captured, undo);
  key_ = KeyAfter(move);
  if (captured != kNoPiece) board_.Remove(to);
  board_.Shift(from, to);
  side_ = ~us;
  checkers_ = board_.Checkers(us, king(side_), occupied(us), occupied());
  history_.back().checks = InCheck();

  if (captured != kNoPiece) {
    quiet_ = {};
    return;
  }
  uint8_t& checks = quiet_.checks[Index(us)];
  if (InCheck()) {
    if (checks == QuietPlies::kCountedChecks) return;
    ++checks;
  }
  if (quiet_.plies < UINT16_MAX) ++quiet_.plies;
}

void Position::TakeBack(Move move, const Undo& undo) {
  board_.Shift(move.to(), move.from());
  if (undo.captured != kNoPiece) board_.Put(move.to(), undo.captured);
  Restore(undo);
}

void Position::DoNull(Undo& undo) {
  assert(!InCheck());
  Remember(Move(), kNoPiece, undo);
  SwitchSide();
  // Neither side is in check: the passing side was not, and the other's last move was legal.
  checkers_ = {};
}

void Position::TakeBackNull(const Undo& undo) { Restore(undo); }

void Position::SwitchSide() {
  side_ = ~side_;
  key_ ^= kZobrist.black_to_move;
}

const char* Position::Flaw() const {
  static constexpr const char* kTooMany[kPieceTypeCount] = {"",
                                                            "two_kings",
                                                            "too_many_advisers",
                                                            "too_many_elephants",
                                                            "too_many_knights",
                                                            "too_many_rooks",
                                                            "too_many_cannons",
                                                            "too_many_pawns"};
  static constexpr const char* kMisplaced[kPieceTypeCount] = {
      "", "misplaced_king", "misplaced_adviser", "misplaced_elephant", "", "",
      "", "misplaced_pawn"};
  for (const Color c : {kRed, kBlack}) {
    if (!pieces(c, kKing)) return "no_king";
    for (int t = kKing; t < kPieceTypeCount; ++t) {
      const auto type = static_cast<PieceType>(t);
      if (pieces(c, type).Count() > kFullSet[t]) return kTooMany[t];
      bool misplaced = false;
      ForEach(pieces(c, type), [&](Square s) { misplaced = misplaced || !MayStand(c, type, s); });
      if (misplaced) return kMisplaced[t];
    }
  }
  const Square ours = king(side_);
  const Square theirs = king(~side_);
  if (FileOf(ours) == FileOf(theirs) && !(Between(ours, theirs) & occupied())) {
    return "facing_kings";
  }
  if (board_.Checkers(side_, theirs, occupied(side_), occupied())) return "opponent_in_check";
  return "";
}

PositionBuilder::PositionBuilder() { position_.board_ = Board(); }

PositionBuilder& PositionBuilder::Put(Square s, Piece p) {
  if (position_.piece(s) != kNoPiece) position_.board_.Remove(s);
  position_.board_.Put(s, p);
  return *this;
}

PositionBuilder& PositionBuilder::SideToMove(Color c) {
  position_.side_ = c;
  return *this;
}

PositionBuilder& PositionBuilder::Quiet(int plies) {
  position_.quiet_ = {.plies = static_cast<uint16_t>(plies)};
  return *this;
}

Position PositionBuilder::Build() const {
  Position position = position_;
  position.key_ = position.ComputeKey();
  const Color side = position.side_;
  if (const Square king = position.king(side); king != kNoSquare) {
    position.checkers_ =
        position.board_.Checkers(~side, king, position.occupied(~side), position.occupied());
  }
  return position;
}

}  // namespace joseki::xiangqi
