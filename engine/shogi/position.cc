#include "engine/shogi/position.h"

#include <cassert>

#include "engine/shogi/attacks.h"
#include "engine/shogi/zobrist.h"

namespace joseki::shogi {
namespace {

constexpr bool MovesAsGold(PieceType t) { return t == kGold || (t >= kProPawn && t <= kProSilver); }

}  // namespace

Position::Position() {
  constexpr PieceType kBackRank[9] = {kLance, kKnight, kSilver, kGold, kKing,
                                      kGold,  kSilver, kKnight, kLance};
  for (int file = 1; file <= 9; ++file) {
    Put(MakeSquare(file, 1), MakePiece(kWhite, kBackRank[file - 1]));
    Put(MakeSquare(file, 3), MakePiece(kWhite, kPawn));
    Put(MakeSquare(file, 7), MakePiece(kBlack, kPawn));
    Put(MakeSquare(file, 9), MakePiece(kBlack, kBackRank[file - 1]));
  }
  Put(MakeSquare(8, 2), MakePiece(kWhite, kRook));
  Put(MakeSquare(2, 2), MakePiece(kWhite, kBishop));
  Put(MakeSquare(8, 8), MakePiece(kBlack, kBishop));
  Put(MakeSquare(2, 8), MakePiece(kBlack, kRook));
}

void Position::Put(Square s, Piece p) {
  const PieceType t = TypeOf(p);
  const Color c = ColorOf(p);
  board_[s] = p;
  occupied_[Index(c)] ^= Bit(s);
  by_type_[t] ^= Bit(s);
  if (MovesAsGold(t)) golds_ ^= Bit(s);
  if (t == kKing) kings_[Index(c)] = s;
  key_ ^= kZobrist.piece[p][s];
}

void Position::Remove(Square s) {
  const Piece p = board_[s];
  const PieceType t = TypeOf(p);
  board_[s] = kNoPiece;
  occupied_[Index(ColorOf(p))] ^= Bit(s);
  by_type_[t] ^= Bit(s);
  if (MovesAsGold(t)) golds_ ^= Bit(s);
  key_ ^= kZobrist.piece[p][s];
}

void Position::AddToHand(Color c, PieceType t) {
  Hand& hand = hands_[Index(c)];
  const int count = hand.Count(t);
  key_ ^= kZobrist.hand[Index(c)][t][count] ^ kZobrist.hand[Index(c)][t][count + 1];
  hand.Add(t);
}

void Position::TakeFromHand(Color c, PieceType t) {
  Hand& hand = hands_[Index(c)];
  const int count = hand.Count(t);
  key_ ^= kZobrist.hand[Index(c)][t][count] ^ kZobrist.hand[Index(c)][t][count - 1];
  hand.Remove(t);
}

Key Position::ComputeKey() const {
  Key key;
  for (Square s = 0; s < kSquareCount; ++s) {
    if (board_[s] != kNoPiece) key ^= kZobrist.piece[board_[s]][s];
  }
  for (const Color c : {kBlack, kWhite}) {
    for (int t = kPawn; t <= kGold; ++t) {
      key ^= kZobrist.hand[Index(c)][t][hand(c).Count(static_cast<PieceType>(t))];
    }
  }
  if (side_ == kWhite) key ^= kZobrist.white_to_move;
  return key;
}

Bitboard Position::Snipers(Color c, Square s) const {
  const Bitboard lance_ray = kAttacks.ray[c == kBlack ? kSouth : kNorth][s];
  return ((kAttacks.bishop_rays[s] & (by_type_[kBishop] | by_type_[kHorse])) |
          (kAttacks.rook_rays[s] & (by_type_[kRook] | by_type_[kDragon])) |
          (lance_ray & by_type_[kLance])) &
         occupied_[Index(c)];
}

Bitboard Position::Attackers(Color c, Square s, Bitboard occupied) const {
  // A piece of side c attacks s exactly if the same kind of the other side on s would attack it.
  const auto& step = kAttacks.step[Index(~c)];
  const Bitboard royal = by_type_[kKing] | by_type_[kHorse] | by_type_[kDragon];
  Bitboard attackers =
      ((step[kPawn][s] & by_type_[kPawn]) | (step[kKnight][s] & by_type_[kKnight]) |
       (step[kSilver][s] & by_type_[kSilver]) | (step[kGold][s] & golds_) |
       (step[kKing][s] & royal)) &
      occupied_[Index(c)];
  // Few sliders stand on a line with s, mostly none: asking each costs less than drawing the rays.
  ForEach(Snipers(c, s), [&](Square sniper) {
    if (!(Between(s, sniper) & occupied)) attackers |= Bit(sniper);
  });
  return attackers;
}

Bitboard Position::Blockers(Color c) const {
  const Square k = king(c);
  if (k == kNoSquare) return {};
  Bitboard blockers;
  ForEach(Snipers(~c, k), [&](Square sniper) {
    const Bitboard between = Between(k, sniper) & occupied();
    if (!between.HasMany()) blockers |= between;
  });
  return blockers;
}

void Position::RefreshCheckers() {
  const Square k = king(side_);
  checkers_ = k == kNoSquare ? Bitboard() : Attackers(~side_, k, occupied());
}

void Position::RefreshCheckersAfterMoveTo(Square to) {
  const Square k = king(side_);
  checkers_ = {};
  if (k == kNoSquare) return;
  const Bitboard all = occupied();
  ForEach(Snipers(~side_, k), [&](Square sniper) {
    if (!(Between(k, sniper) & all)) checkers_ |= Bit(sniper);
  });
  if (Has(StepAttacks(~side_, TypeOf(board_[to]), to), k)) checkers_ |= Bit(to);
}

void Position::Do(Move move, Undo& undo) {
  assert(IsLegal(move));
  undo.key = key_;
  undo.checkers = checkers_;
  undo.captured = kNoPiece;
  history_.push_back({key_, {continuous_checks_[0], continuous_checks_[1]}});

  const Square to = move.to();
  if (move.is_drop()) {
    const auto t = static_cast<PieceType>(move.dropped());
    TakeFromHand(side_, t);
    Put(to, MakePiece(side_, t));
  } else {
    const Square from = move.from();
    const Piece piece = board_[from];
    undo.captured = board_[to];
    if (undo.captured != kNoPiece) {
      Remove(to);
      AddToHand(side_, Unpromoted(TypeOf(undo.captured)));
    }
    Remove(from);
    Put(to, move.promotes() ? MakePiece(side_, Promoted(TypeOf(piece))) : piece);
  }
  SwitchSide();
  RefreshCheckersAfterMoveTo(to);
  uint16_t& checks = continuous_checks_[Index(~side_)];
  checks = checkers_ ? static_cast<uint16_t>(checks + 2) : uint16_t{0};
}

void Position::TakeBack(Move move, const Undo& undo) {
  SwitchSide();
  const Square to = move.to();
  if (move.is_drop()) {
    Remove(to);
    hands_[Index(side_)].Add(static_cast<PieceType>(move.dropped()));
  } else {
    const Piece piece = board_[to];
    Remove(to);
    Put(move.from(), move.promotes() ? MakePiece(side_, Unpromoted(TypeOf(piece))) : piece);
    if (undo.captured != kNoPiece) {
      Put(to, undo.captured);
      hands_[Index(side_)].Remove(Unpromoted(TypeOf(undo.captured)));
    }
  }
  Restore(undo);
}

void Position::DoNull(Undo& undo) {
  assert(!InCheck());
  undo.key = key_;
  undo.checkers = checkers_;
  history_.push_back({key_, {continuous_checks_[0], continuous_checks_[1]}});
  SwitchSide();
  checkers_ = {};  // the side that passed was not in check, nor was the other before its own move
  continuous_checks_[0] = continuous_checks_[1] = 0;
}

void Position::TakeBackNull(const Undo& undo) {
  SwitchSide();
  Restore(undo);
}

void Position::SwitchSide() {
  side_ = ~side_;
  key_ ^= kZobrist.white_to_move;
}

void Position::Restore(const Undo& undo) {
  key_ = undo.key;
  checkers_ = undo.checkers;
  continuous_checks_[0] = history_.back().continuous_checks[0];
  continuous_checks_[1] = history_.back().continuous_checks[1];
  history_.pop_back();
}

Repetition Position::CheckRepetition(int occurrences) const {
  int seen = 1;
  // A position needs four plies to come back, and the same side must be to move.
  for (int back = 4; back <= plies(); back += 2) {
    if (history_[history_.size() - static_cast<size_t>(back)].key != key_) continue;
    if (++seen < occurrences) continue;
    // Every move of one side since that occurrence was a check: that side loses.
    if (continuous_checks_[Index(side_)] >= back) return Repetition::kLoss;
    if (continuous_checks_[Index(~side_)] >= back) return Repetition::kWin;
    return Repetition::kDraw;
  }
  return Repetition::kNone;
}

int Position::DeclarationPoints() const {
  const Square k = king(side_);
  const Bitboard camp = kZone[Index(side_)];
  if (k == kNoSquare || !Has(camp, k) || InCheck()) return -1;
  const Bitboard inside = (camp & occupied(side_)) - Bit(k);
  if (inside.Count() < 10) return -1;
  const Bitboard big = by_type_[kBishop] | by_type_[kRook] | by_type_[kHorse] | by_type_[kDragon];
  int points = inside.Count() + 4 * (inside & big).Count();
  const Hand held = hand(side_);
  for (int t = kPawn; t <= kGold; ++t) {
    const int worth = t == kBishop || t == kRook ? 5 : 1;
    points += worth * held.Count(static_cast<PieceType>(t));
  }
  return points;
}

bool Position::CanDeclare27() const { return DeclarationPoints() >= (side_ == kBlack ? 28 : 27); }

const char* Position::Flaw() const {
  if (pieces(kBlack, kKing).HasMany() || pieces(kWhite, kKing).HasMany()) return "two_kings";
  if (!by_type_[kKing]) return "no_king";
  static constexpr const char* kTooMany[8] = {"",
                                              "too_many_pawns",
                                              "too_many_lances",
                                              "too_many_knights",
                                              "too_many_silvers",
                                              "too_many_bishops",
                                              "too_many_rooks",
                                              "too_many_golds"};
  for (int t = kPawn; t <= kGold; ++t) {
    const auto type = static_cast<PieceType>(t);
    int count = by_type_[t].Count() + hand(kBlack).Count(type) + hand(kWhite).Count(type);
    if (CanPromote(type)) count += by_type_[Promoted(type)].Count();
    if (count > kFullSet[t]) return kTooMany[t];
  }
  for (const Color c : {kBlack, kWhite}) {
    for (int file = 1; file <= 9; ++file) {
      if ((pieces(c, kPawn) & FileMask(file)).HasMany()) return "nifu";
    }
    for (const PieceType t : {kPawn, kLance, kKnight}) {
      if (pieces(c, t) & DeadSquares(c, t)) return "dead_piece";
    }
  }
  const Square k = king(~side_);
  if (k != kNoSquare && IsAttacked(side_, k)) return "opponent_in_check";
  return "";
}

PositionBuilder::PositionBuilder() {
  for (Square s = 0; s < kSquareCount; ++s) {
    if (position_.piece(s) != kNoPiece) position_.Remove(s);
  }
  position_.kings_[0] = position_.kings_[1] = kNoSquare;
}

PositionBuilder& PositionBuilder::Put(Square s, Piece p) {
  if (position_.board_[s] != kNoPiece) position_.Remove(s);
  position_.Put(s, p);
  return *this;
}

PositionBuilder& PositionBuilder::Hold(Color c, PieceType t, int count) {
  for (int i = 0; i < count; ++i) position_.AddToHand(c, t);
  return *this;
}

PositionBuilder& PositionBuilder::SideToMove(Color c) {
  if (position_.side_ != c) position_.SwitchSide();
  return *this;
}

Position PositionBuilder::Build() const {
  Position position = position_;
  position.RefreshCheckers();
  return position;
}

}  // namespace joseki::shogi
