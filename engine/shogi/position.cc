#include "engine/shogi/position.h"

#include <cassert>

#include "engine/shogi/attacks.h"
#include "engine/shogi/position_inl.h"
#include "engine/shogi/zobrist.h"

namespace joseki::shogi {
namespace {

// Sets of piece types, one bit each.
constexpr unsigned kMoveAsGold =
    1U << kGold | 1U << kProPawn | 1U << kProLance | 1U << kProKnight | 1U << kProSilver;
constexpr unsigned kSliders =
    1U << kLance | 1U << kBishop | 1U << kRook | 1U << kHorse | 1U << kDragon;

constexpr bool MovesAsGold(PieceType t) { return (kMoveAsGold >> t & 1) != 0; }
constexpr bool Slides(PieceType t) { return (kSliders >> t & 1) != 0; }

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

inline void Position::FlipType(PieceType t, Bitboard squares) {
  by_type_[t] ^= squares;
  if (MovesAsGold(t)) golds_ ^= squares;
}

void Position::Put(Square s, Piece p) {
  const PieceType t = TypeOf(p);
  const Color c = ColorOf(p);
  board_[s] = p;
  occupied_[Index(c)] ^= Bit(s);
  FlipType(t, Bit(s));
  if (t == kKing) kings_[Index(c)] = s;
  key_ ^= kZobrist.piece[p][s];
}

void Position::Remove(Square s) {
  const Piece p = board_[s];
  const PieceType t = TypeOf(p);
  board_[s] = kNoPiece;
  occupied_[Index(ColorOf(p))] ^= Bit(s);
  FlipType(t, Bit(s));
  key_ ^= kZobrist.piece[p][s];
}

void Position::AddToHand(Color c, PieceType t) {
  Hand& hand = hands_[Index(c)];
  const int count = hand.Count(t);
  const Key change = kZobrist.hand[Index(c)][t][count] ^ kZobrist.hand[Index(c)][t][count + 1];
  key_ ^= change;
  hands_key_ ^= change.lo;
  hand.Add(t);
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

Bitboard Position::Attackers(Color c, Square s, Bitboard occupied) const {
  // A piece of side c attacks s exactly if the same piece of the other side on s would attack it.
  const auto& step = kAttacks.step[Index(~c)];
  const Bitboard royal = by_type_[kKing] | by_type_[kHorse] | by_type_[kDragon];
  Bitboard attackers =
      ((step[kPawn][s] & by_type_[kPawn]) | (step[kKnight][s] & by_type_[kKnight]) |
       (step[kSilver][s] & by_type_[kSilver]) | (step[kGold][s] & golds_) |
       (step[kKing][s] & royal)) &
      occupied_[Index(c)];
  // Usually few or no sliders are aimed at s, so testing each is cheaper than computing rays.
  ForEach(Snipers(c, s), [&](Square sniper) {
    if (!(Between(s, sniper) & occupied)) attackers |= Bit(sniper);
  });
  return attackers;
}

Bitboard Position::AttackersThroughKing(Color c, Square s) const {
  return Attackers(c, s, occupied() - Bit(king(~c)));
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

template <Color by>
void Position::RefreshCheckersAfter(PieceType arrived, Square to, Square from) {
  const Square k = king(~by);
  checkers_ = {};
  if (k == kNoSquare) return;
  if (Has(StepAttacks(by, arrived, to), k)) checkers_ = Bit(to);
  // A line to the king is opened by a piece that leaves it, or used by a slider that arrives on it.
  const auto& line = kAttacks.direction[static_cast<size_t>(k)];
  const bool left = from != kNoSquare && line[static_cast<size_t>(from)] != kNoDirection;
  if (!left && !(Slides(arrived) && line[static_cast<size_t>(to)] != kNoDirection)) return;
  const Bitboard all = occupied();
  ForEach(Snipers(by, k), [&](Square sniper) {
    if (!(Between(k, sniper) & all)) checkers_ |= Bit(sniper);
  });
}

inline void Position::Remember(Undo& undo) {
  undo.key = key_;
  undo.hands_key = hands_key_;
  undo.checkers = checkers_;
  history_.push_back({key_,
                      placement_key(),
                      hands_[Index(side_)],
                      {continuous_checks_[0], continuous_checks_[1]}});
}

Key Position::KeyAfter(Move move) const {
  const Color us = side_;
  const auto to = static_cast<size_t>(move.to());
  const Key key = key_ ^ kZobrist.white_to_move;
  if (move.is_drop()) {
    const auto type = static_cast<PieceType>(move.dropped());
    const auto& keys = kZobrist.hand[Index(us)][type];
    const auto count = static_cast<size_t>(hands_[Index(us)].Count(type));
    return key ^ keys[count] ^ keys[count - 1] ^ kZobrist.piece[MakePiece(us, type)][to];
  }
  const Piece leaving = board_[move.from()];
  const Piece arrived = move.promotes() ? MakePiece(us, Promoted(TypeOf(leaving))) : leaving;
  Key change =
      kZobrist.piece[leaving][static_cast<size_t>(move.from())] ^ kZobrist.piece[arrived][to];
  if (const Piece captured = board_[move.to()]; captured != kNoPiece) {
    const PieceType type = Unpromoted(TypeOf(captured));
    const auto& keys = kZobrist.hand[Index(us)][type];
    const auto count = static_cast<size_t>(hands_[Index(us)].Count(type));
    change ^= kZobrist.piece[captured][to] ^ keys[count] ^ keys[count + 1];
  }
  return key ^ change;
}

template <Color us>
void Position::DoFor(Move move, Undo& undo) {
  undo.captured = kNoPiece;
  Remember(undo);

  const Square to = move.to();
  const Bitboard to_bit = Bit(to);
  Key key = key_ ^ kZobrist.white_to_move;
  Square from = kNoSquare;
  PieceType arriving;
  if (move.is_drop()) {
    arriving = static_cast<PieceType>(move.dropped());
    const auto& keys = kZobrist.hand[Index(us)][arriving];
    const auto count = static_cast<size_t>(hands_[Index(us)].Count(arriving));
    const Key change = keys[count] ^ keys[count - 1];
    key ^= change;
    hands_key_ ^= change.lo;
    hands_[Index(us)].Remove(arriving);
    occupied_[Index(us)] ^= to_bit;
  } else {
    from = move.from();
    const Bitboard from_bit = Bit(from);
    const Piece leaving = board_[from];
    if (const Piece captured = board_[to]; captured != kNoPiece) {
      undo.captured = captured;
      const PieceType taken = TypeOf(captured);
      FlipType(taken, to_bit);
      occupied_[Index(~us)] ^= to_bit;
      const auto& keys = kZobrist.hand[Index(us)][Unpromoted(taken)];
      const auto count = static_cast<size_t>(hands_[Index(us)].Count(Unpromoted(taken)));
      const Key change = keys[count] ^ keys[count + 1];
      key ^= kZobrist.piece[captured][static_cast<size_t>(to)] ^ change;
      hands_key_ ^= change.lo;
      hands_[Index(us)].Add(Unpromoted(taken));
    }
    arriving = TypeOf(leaving);
    FlipType(arriving, from_bit);
    if (arriving == kKing) kings_[Index(us)] = to;
    if (move.promotes()) arriving = Promoted(arriving);
    board_[from] = kNoPiece;
    occupied_[Index(us)] ^= from_bit ^ to_bit;
    key ^= kZobrist.piece[leaving][static_cast<size_t>(from)];
  }
  const Piece arrived = MakePiece(us, arriving);
  FlipType(arriving, to_bit);
  board_[to] = arrived;
  key_ = key ^ kZobrist.piece[arrived][static_cast<size_t>(to)];

  side_ = ~us;
  RefreshCheckersAfter<us>(arriving, to, from);
  uint16_t& checks = continuous_checks_[Index(us)];
  checks = checkers_ ? static_cast<uint16_t>(checks + 2) : uint16_t{0};
}

void Position::Do(Move move, Undo& undo) {
  assert(IsLegal(move));
  side_ == kBlack ? DoFor<kBlack>(move, undo) : DoFor<kWhite>(move, undo);
}

template <Color us>
void Position::TakeBackFor(Move move, const Undo& undo) {
  const Square to = move.to();
  const Bitboard to_bit = Bit(to);
  PieceType arrived = TypeOf(board_[to]);
  FlipType(arrived, to_bit);
  if (move.is_drop()) {
    hands_[Index(us)].Add(arrived);
    occupied_[Index(us)] ^= to_bit;
    board_[to] = kNoPiece;
  } else {
    const Square from = move.from();
    const Bitboard from_bit = Bit(from);
    if (move.promotes()) arrived = Unpromoted(arrived);
    if (arrived == kKing) kings_[Index(us)] = from;
    FlipType(arrived, from_bit);
    occupied_[Index(us)] ^= from_bit ^ to_bit;
    board_[from] = MakePiece(us, arrived);
    board_[to] = undo.captured;
    if (undo.captured != kNoPiece) {
      const PieceType taken = TypeOf(undo.captured);
      FlipType(taken, to_bit);
      occupied_[Index(~us)] ^= to_bit;
      hands_[Index(us)].Remove(Unpromoted(taken));
    }
  }
  side_ = us;
  Restore(undo);
}

void Position::TakeBack(Move move, const Undo& undo) {
  side_ == kBlack ? TakeBackFor<kWhite>(move, undo) : TakeBackFor<kBlack>(move, undo);
}

void Position::DoNull(Undo& undo) {
  assert(!InCheck());
  Remember(undo);
  SwitchSide();
  // Neither side is in check: the passing side was not, and the other side's last move was legal.
  checkers_ = {};
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
  hands_key_ = undo.hands_key;
  checkers_ = undo.checkers;
  continuous_checks_[0] = history_.back().continuous_checks[0];
  continuous_checks_[1] = history_.back().continuous_checks[1];
  history_.pop_back();
}

Repetition Position::CheckRepetition(int occurrences) const {
  int seen = 1;
  // A repetition takes at least four plies, and the same side must be to move.
  for (int back = 4; back <= plies(); back += 2) {
    if (history_[history_.size() - static_cast<size_t>(back)].key != key_) continue;
    if (++seen < occurrences) continue;
    // Every move of one side since that occurrence gave check: that side loses.
    if (continuous_checks_[Index(side_)] >= back) return Repetition::kLoss;
    if (continuous_checks_[Index(~side_)] >= back) return Repetition::kWin;
    return Repetition::kDraw;
  }
  return Repetition::kNone;
}

HandRepetition Position::CheckHands() const {
  const uint64_t placement = placement_key();
  const Hand held = hand(side_);
  for (int back = 4; back <= plies(); back += 2) {
    const Past& past = history_[history_.size() - static_cast<size_t>(back)];
    if (past.placement != placement || past.hand == held) continue;
    // Equal placements leave the same pieces for both hands together, so one side's hand determines
    // the other's.
    const Repetition outcome = held.HasAllOf(past.hand)   ? Repetition::kWin
                               : past.hand.HasAllOf(held) ? Repetition::kLoss
                                                          : Repetition::kNone;
    return {outcome, back};
  }
  return {};
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

PositionBuilder::PositionBuilder()
    : position_([]() -> const Position& {
        // Created once, from a default position, as there is no public empty one.
        static const Position empty = [] {
          Position position;
          for (Square s = 0; s < kSquareCount; ++s) {
            if (position.piece(s) != kNoPiece) position.Remove(s);
          }
          position.kings_[0] = position.kings_[1] = kNoSquare;
          return position;
        }();
        return empty;
      }()) {}

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
