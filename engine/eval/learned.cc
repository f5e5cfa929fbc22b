#include "engine/eval/learned.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "engine/eval/plain.h"

namespace joseki::shogi {
namespace {

constexpr int kMostChanges = 12;  // with more, reckoning anew costs no more
constexpr Value kMostValue = 20000;

// The rows that an accumulator gains and loses, and what its balance does.
class Rows {
 public:
  // The arrays are left as they are: what is not counted is not read.
  Rows(const Network& weights, int king_bucket, int32_t before)
      : balance(before), network_(weights), bucket_(king_bucket) {}

  int32_t balance;
  int adds = 0;
  int removals = 0;
  std::array<Row, kMostInputs + 8> added;
  std::array<Row, kMostInputs + 8> removed;

  void Add(int input) {
    assert(adds < static_cast<int>(added.size()));
    added[static_cast<size_t>(adds++)] = network_.row(bucket_, input);
    balance += network_.balance(bucket_, input);
  }
  void Remove(int input) {
    assert(removals < static_cast<int>(removed.size()));
    removed[static_cast<size_t>(removals++)] = network_.row(bucket_, input);
    balance -= network_.balance(bucket_, input);
  }
  // What `owner` holds has become `after`.
  void ChangeHand(Color side, Color owner, Hand before, Hand after) {
    if (before == after) return;
    for (int i = kPawn; i <= kGold; ++i) {
      const auto t = static_cast<PieceType>(i);
      const int had = before.Count(t);
      const int has = after.Count(t);
      for (int nth = had + 1; nth <= has; ++nth) Add(HeldInput(side, owner, t, nth));
      for (int nth = has + 1; nth <= had; ++nth) Remove(HeldInput(side, owner, t, nth));
    }
  }

 private:
  const Network& network_;
  const int bucket_;
};

}  // namespace

LearnedEvaluator::LearnedEvaluator(const Network& network, Isa isa)
    : network_(&network), kernels_(NetworkKernelsFor(isa)), slots_() {}

LearnedTerms LearnedEvaluator::Explain(const Position& position) {
  std::array<uint64_t, kBoardWords> board{};
  std::memcpy(board.data(), position.board(), kSquareCount);

  // 1. The nearest of the positions that stood here last, a ply before and two before. The parent,
  // if it was evaluated, is one move away: no other can be nearer by much.
  const Slot* nearest = nullptr;
  int fewest = kMostChanges + 1;
  const auto plies = static_cast<size_t>(position.plies()) + kSlots;
  for (const size_t back : {size_t{1}, size_t{0}, size_t{2}}) {
    const Slot& slot = slots_[(plies - back) % kSlots];
    if (!slot.used) continue;
    const int differences = Differences(slot, board);
    if (differences >= fewest) continue;
    fewest = differences;
    nearest = &slot;
    if (differences <= 2) break;
  }

  // 2. Its accumulators, brought up to date.
  Slot& slot = slots_[plies % kSlots];
  std::array<Change, kMostChanges> changes;
  int count = 0;
  if (nearest != nullptr) {
    for (size_t w = 0; w < kBoardWords; ++w) {
      const uint64_t before = nearest->board[w];
      for (uint64_t rest = before ^ board[w]; rest != 0;) {
        const int shift = std::countr_zero(rest) & ~7;
        rest &= ~(uint64_t{0xff} << shift);
        changes[static_cast<size_t>(count++)] = {
            static_cast<Piece>(before >> shift & 0xff),
            static_cast<Piece>(board[w] >> shift & 0xff),
            static_cast<uint8_t>(w * 8 + static_cast<size_t>(shift) / 8)};
      }
    }
  }
  for (const Color side : {kBlack, kWhite}) {
    const KingView view = ViewOf(side, position.king(side));
    Side& out = slot.sides[static_cast<size_t>(Index(side))];
    const Side* from =
        nearest == nullptr ? nullptr : &nearest->sides[static_cast<size_t>(Index(side))];
    if (from == nullptr || from->view != view) {
      Refresh(position, side, view, out);
      continue;
    }
    Rows rows(*network_, view.bucket, from->balance);
    for (int i = 0; i < count; ++i) {
      const Change& change = changes[static_cast<size_t>(i)];
      if (change.before != kNoPiece) {
        rows.Remove(PlacementInput(side, view.mirrored, change.before, change.square));
      }
      if (change.after != kNoPiece) {
        rows.Add(PlacementInput(side, view.mirrored, change.after, change.square));
      }
    }
    for (const Color owner : {kBlack, kWhite}) {
      rows.ChangeHand(side, owner, nearest->hands[static_cast<size_t>(Index(owner))],
                      position.hand(owner));
    }
    kernels_.accumulate(out.sums.data(), from->sums.data(), rows.added.data(), rows.adds,
                        rows.removed.data(), rows.removals);
    out.balance = rows.balance;
    out.view = view;
  }
  slot.used = true;
  slot.board = board;
  slot.hands = {position.hand(kBlack), position.hand(kWhite)};

  // 3. The output.
  const Color us = position.side_to_move();
  const Side& own = slot.sides[static_cast<size_t>(Index(us))];
  const Side& other = slot.sides[static_cast<size_t>(Index(~us))];
  const int stage = OutputStageOf(position.occupied().Count());
  const int64_t sum = kernels_.output(own.sums.data(), other.sums.data(), network_->output(stage));
  LearnedTerms terms;
  terms.stage = stage;
  terms.plain = int64_t{EvaluatePlain(position)} * network_->plain(stage) / kPlainUnit;
  terms.balance = (own.balance - other.balance) / (2 * kBalanceUnit);
  terms.output =
      (sum / kUnit + network_->bias(stage)) * kOutputPoints / (int64_t{kUnit} * kOutputUnit);
  terms.total = static_cast<Value>(
      std::clamp<int64_t>(terms.plain + terms.balance + terms.output, -kMostValue, kMostValue));
  return terms;
}

int LearnedEvaluator::Differences(const Slot& slot,
                                  const std::array<uint64_t, kBoardWords>& board) const {
  constexpr uint64_t kLow = 0x0101010101010101u;
  int differences = 0;
  for (size_t w = 0; w < kBoardWords; ++w) {
    uint64_t x = slot.board[w] ^ board[w];
    if (x == 0) continue;
    // Pieces take five bits: what is set in a byte is gathered in its lowest.
    x |= x >> 4;
    x |= x >> 2;
    x |= x >> 1;
    differences += std::popcount(x & kLow);
  }
  return differences;
}

void LearnedEvaluator::Refresh(const Position& position, Color side, KingView view,
                               Side& out) const {
  Rows rows(*network_, view.bucket, 0);
  for (Square s = 0; s < kSquareCount; ++s) {
    const Piece piece = position.piece(s);
    if (piece != kNoPiece) rows.Add(PlacementInput(side, view.mirrored, piece, s));
  }
  for (const Color owner : {kBlack, kWhite}) {
    rows.ChangeHand(side, owner, Hand(), position.hand(owner));
  }
  kernels_.accumulate(out.sums.data(), network_->start(), rows.added.data(), rows.adds, nullptr, 0);
  out.balance = rows.balance;
  out.view = view;
}

}  // namespace joseki::shogi
