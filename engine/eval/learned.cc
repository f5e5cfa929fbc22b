#include "engine/eval/learned.h"

#include <algorithm>
#include <cassert>

#include "engine/shogi/attacks.h"

namespace joseki::shogi {
namespace {

constexpr Value kMostValue = 20000;

int64_t PlainOf(const PlainTerms& terms, const int32_t* shares) {
  const int64_t placed = terms.own.placed - terms.other.placed + terms.tempo;
  const int64_t guard = terms.own.guard - terms.other.guard;
  const int64_t danger = terms.own.danger - terms.other.danger;
  return (placed * shares[0] + guard * shares[1] + danger * shares[2]) / kPlainUnit;
}

// The rows that an accumulator gains and loses.
struct Rows {
  const int16_t* const first;  // of the set of weights
  int adds = 0;
  int removals = 0;
  // Left as they are: what is not counted is not read.
  std::array<Row, kMostInputs + 8> added;
  std::array<Row, kMostInputs + 8> removed;

  explicit Rows(const int16_t* rows) : first(rows) {}

  void Add(int input) {
    assert(adds < static_cast<int>(added.size()));
    added[static_cast<size_t>(adds++)] = first + size_t{kWidth} * static_cast<size_t>(input);
  }
  void Remove(int input) {
    assert(removals < static_cast<int>(removed.size()));
    removed[static_cast<size_t>(removals++)] = first + size_t{kWidth} * static_cast<size_t>(input);
  }
};

// Calls gained(input) and lost(input) for what `owner` holds more and less than before.
template <typename Gained, typename Lost>
void CompareHands(Color side, Color owner, Hand before, Hand after, const Gained& gained,
                  const Lost& lost) {
  if (before == after) return;
  for (int i = kPawn; i <= kGold; ++i) {
    const auto t = static_cast<PieceType>(i);
    const int had = before.Count(t);
    const int has = after.Count(t);
    for (int nth = had + 1; nth <= has; ++nth) gained(HeldInput(side, owner, t, nth));
    for (int nth = has + 1; nth <= had; ++nth) lost(HeldInput(side, owner, t, nth));
  }
}

// Calls found(input) for every input of the position.
template <typename Found>
void ForEachInput(const Position& position, Color side, bool mirrored, const Found& found) {
  ForEach(position.occupied(),
          [&](Square s) { found(PlacementInput(side, mirrored, position.piece(s), s)); });
  for (const Color owner : {kBlack, kWhite}) {
    CompareHands(side, owner, Hand(), position.hand(owner), found, [](int /*input*/) {});
  }
}

}  // namespace

LearnedEvaluator::LearnedEvaluator(const Network& network, Isa isa)
    : network_(&network), kernels_(NetworkKernelsFor(isa)) {}

LearnedTerms LearnedEvaluator::Explain(const Position& position) {
  // 1. What is added up, brought up to date from a position that is near.
  Changes changes;
  const auto place = recent_.Find(position, changes);
  Sums& now = *place.sums;
  if (place.nearest == nullptr) {
    now.plain = CollectPlain(position);
    for (const Color side : {kBlack, kWhite}) {
      Reckon(position, side, now.sides[static_cast<size_t>(Index(side))]);
    }
  } else {
    if (&now != place.nearest) now.plain = place.nearest->plain;
    AdvancePlain(position, changes, place.hands, place.kings, now.plain);
    for (const Color side : {kBlack, kWhite}) {
      const auto i = static_cast<size_t>(Index(side));
      Advance(position, side, changes, place.hands, place.nearest->sides[i], now.sides[i]);
    }
  }

  // 2. The output.
  const Color us = position.side_to_move();
  const Side& own = now.sides[static_cast<size_t>(Index(us))];
  const Side& other = now.sides[static_cast<size_t>(Index(~us))];
  const int stage = OutputStageOf(position.occupied().Count());
  const std::array<KingArea, 2> areas = KingAreas(position);
  const KingArea& own_area = areas[static_cast<size_t>(Index(us))];
  const KingArea& other_area = areas[static_cast<size_t>(Index(~us))];
  const WithAreas own_sums = AddAreas(own, own_area, other_area);
  const WithAreas other_sums = AddAreas(other, other_area, own_area);
  const int64_t sum = kernels_.output(own_sums.data(), other_sums.data(), network_->output(stage));
  LearnedTerms terms;
  terms.stage = stage;
  terms.plain = PlainOf(ExplainPlain(position, now.plain), network_->plain(stage));
  terms.safety = (SafetyOf(own_area) - SafetyOf(other_area)) / kBalanceUnit;
  terms.balance = (own.balance - other.balance) / (2 * kBalanceUnit);
  terms.output =
      (sum / kUnit + network_->bias(stage)) * kOutputPoints / (int64_t{kUnit} * kOutputUnit);
  terms.total = static_cast<Value>(std::clamp<int64_t>(
      terms.plain + terms.balance + terms.safety + terms.output, -kMostValue, kMostValue));
  return terms;
}

LearnedEvaluator::WithAreas LearnedEvaluator::AddAreas(const Side& side, const KingArea& own,
                                                       const KingArea& other) const {
  std::array<Row, size_t{2} * kBeside> rows;
  for (size_t i = 0; i < kBeside; ++i) {
    rows[i] = network_->area(true) + size_t{kWidth} * own.inputs[i];
    rows[kBeside + i] = network_->area(false) + size_t{kWidth} * other.inputs[i];
  }
  WithAreas out;
  kernels_.accumulate(out.data(), side.sums.data(), rows.data(), static_cast<int>(rows.size()),
                      nullptr, 0);
  return out;
}

int32_t LearnedEvaluator::SafetyOf(const KingArea& area) const {
  const int16_t* const values = network_->safety(area.holding);
  int32_t sum = 0;
  for (const uint16_t input : area.inputs) sum += values[input];
  return sum;
}

void LearnedEvaluator::Reckon(const Position& position, Color side, Side& out) const {
  out.view = ViewOf(side, position.king(side));
  Rows rows(network_->rows(out.view.bucket));
  ForEachInput(position, side, out.view.mirrored, [&](int input) { rows.Add(input); });
  kernels_.accumulate(out.sums.data(), network_->start(), rows.added.data(), rows.adds, nullptr, 0);
  out.balance = BalanceOf(position, side, out.view);
}

void LearnedEvaluator::Advance(const Position& position, Color side, const Changes& changes,
                               const std::array<Hand, 2>& hands_before, const Side& from,
                               Side& out) const {
  const KingView view = ViewOf(side, position.king(side));
  if (from.view.bucket != view.bucket || from.view.mirrored != view.mirrored) {
    Reckon(position, side, out);
    return;
  }
  Rows rows(network_->rows(view.bucket));
  const int16_t* const balances = network_->balances(view.place);
  int32_t balance = from.balance;
  auto gained = [&](int input) {
    rows.Add(input);
    balance += balances[input];
  };
  auto lost = [&](int input) {
    rows.Remove(input);
    balance -= balances[input];
  };
  for (const Change& change : changes) {
    if (change.before != kNoPiece) {
      lost(PlacementInput(side, view.mirrored, change.before, change.square));
    }
    if (change.after != kNoPiece) {
      gained(PlacementInput(side, view.mirrored, change.after, change.square));
    }
  }
  for (const Color owner : {kBlack, kWhite}) {
    CompareHands(side, owner, hands_before[static_cast<size_t>(Index(owner))], position.hand(owner),
                 gained, lost);
  }
  // Its values are those of another place.
  if (from.view.place != view.place) balance = BalanceOf(position, side, view);
  kernels_.accumulate(out.sums.data(), from.sums.data(), rows.added.data(), rows.adds,
                      rows.removed.data(), rows.removals);
  out.balance = balance;
  out.view = view;
}

int32_t LearnedEvaluator::BalanceOf(const Position& position, Color side, KingView view) const {
  const int16_t* const balances = network_->balances(view.place);
  int32_t balance = 0;
  ForEachInput(position, side, view.mirrored, [&](int input) { balance += balances[input]; });
  return balance;
}

}  // namespace joseki::shogi
