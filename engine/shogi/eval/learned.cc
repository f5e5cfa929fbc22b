#include "engine/shogi/eval/learned.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
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

// The rows to add to and subtract from an accumulator.
struct Rows {
  int adds = 0;
  int removals = 0;
  // Uninitialised: only counted elements are read.
  std::array<Row, kMostInputs + 8 + 2 * kBeside> added;
  std::array<Row, kMostInputs + 8 + 2 * kBeside> removed;

  // Adds a row of the table that begins at `first`.
  void Add(const int16_t* first, int input) {
    assert(adds < static_cast<int>(added.size()));
    added[static_cast<size_t>(adds++)] = first + size_t{kWidth} * static_cast<size_t>(input);
  }
  void Remove(const int16_t* first, int input) {
    assert(removals < static_cast<int>(removed.size()));
    removed[static_cast<size_t>(removals++)] = first + size_t{kWidth} * static_cast<size_t>(input);
  }
};

// Bits of the squares beside a king in which the areas differ.
unsigned Difference(const KingArea& a, const KingArea& b) {
  const __m128i x = _mm_load_si128(reinterpret_cast<const __m128i*>(a.inputs.data()));
  const __m128i y = _mm_load_si128(reinterpret_cast<const __m128i*>(b.inputs.data()));
  const __m128i same = _mm_packs_epi16(_mm_cmpeq_epi16(x, y), _mm_setzero_si128());
  return static_cast<unsigned>(_mm_movemask_epi8(same)) ^ 0xffU;
}

// Calls gained(input) and lost(input) for changes of the pieces that `owner` holds.
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
  // Step 1: accumulators, updated from a similar position.
  Changes changes;
  const auto place = recent_.Find(position, changes);
  Sums& now = *place.sums;
  const Sights sights(position);
  Areas areas;
  if (place.nearest == nullptr) {
    now.plain = CollectPlain(position);
    now.steps = CollectSteps(position);
    areas = KingAreas(position, now.steps, sights);
    for (const Color side : {kBlack, kWhite}) {
      Reckon(position, side, areas, now.sides[static_cast<size_t>(Index(side))]);
    }
  } else {
    if (&now != place.nearest) {
      now.plain = place.nearest->plain;
      now.steps = place.nearest->steps;
    }
    AdvancePlain(position, changes, place.hands, place.kings, now.plain);
    AdvanceSteps(position, changes, place.kings, now.steps);
    areas = KingAreas(position, now.steps, sights);
    for (const Color side : {kBlack, kWhite}) {
      Advance(position, side, changes, place, areas, now.sides[static_cast<size_t>(Index(side))]);
    }
  }
  now.areas = areas;

  // Step 2: the output layer.
  const Color us = position.side_to_move();
  const Side& own = now.sides[static_cast<size_t>(Index(us))];
  const Side& other = now.sides[static_cast<size_t>(Index(~us))];
  const int stage = OutputStageOf(position.occupied().Count());
  const KingArea& own_area = areas[static_cast<size_t>(Index(us))];
  const KingArea& other_area = areas[static_cast<size_t>(Index(~us))];
  const int64_t sum = kernels_.output(own.sums.data(), other.sums.data(), network_->output(stage));
  LearnedTerms terms;
  terms.stage = stage;
  terms.plain = PlainOf(ExplainPlain(position, now.plain, sights), network_->plain(stage));
  terms.safety = (SafetyOf(own_area) - SafetyOf(other_area)) / kBalanceUnit;
  terms.balance = (own.balance - other.balance) / (2 * kBalanceUnit);
  terms.output =
      (sum / kUnit + network_->bias(stage)) * kOutputPoints / (int64_t{kUnit} * kOutputUnit);
  terms.total = static_cast<Value>(std::clamp<int64_t>(
      terms.plain + terms.balance + terms.safety + terms.output, -kMostValue, kMostValue));
  return terms;
}

int32_t LearnedEvaluator::SafetyOf(const KingArea& area) const {
  const int16_t* const values = network_->safety(area.holding);
  int32_t sum = 0;
  for (const uint16_t input : area.inputs) sum += values[input];
  return sum;
}

void LearnedEvaluator::Reckon(const Position& position, Color side, const Areas& areas,
                              Side& out) const {
  out.view = ViewOf(side, position.king(side));
  Rows rows;
  const int16_t* const first = network_->rows(out.view.bucket);
  ForEachInput(position, side, out.view.mirrored, [&](int input) { rows.Add(first, input); });
  for (const Color owner : {kBlack, kWhite}) {
    for (const uint16_t input : areas[static_cast<size_t>(Index(owner))].inputs) {
      rows.Add(network_->area(owner == side), input);
    }
  }
  kernels_.accumulate(out.sums.data(), network_->start(), rows.added.data(), rows.adds, nullptr, 0);
  out.balance = BalanceOf(position, side, out.view);
}

void LearnedEvaluator::Advance(const Position& position, Color side, const Changes& changes,
                               const Recent<Sums>::Place& place, const Areas& areas,
                               Side& out) const {
  const KingView view = ViewOf(side, position.king(side));
  const Side& from = place.nearest->sides[static_cast<size_t>(Index(side))];
  if (from.view.bucket != view.bucket || from.view.mirrored != view.mirrored) {
    Reckon(position, side, areas, out);
    return;
  }
  Rows rows;
  const int16_t* const first = network_->rows(view.bucket);
  const int16_t* const balances = network_->balances(view.place);
  int32_t balance = from.balance;
  auto gained = [&](int input) {
    rows.Add(first, input);
    balance += balances[input];
  };
  auto lost = [&](int input) {
    rows.Remove(first, input);
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
    const auto i = static_cast<size_t>(Index(owner));
    CompareHands(side, owner, place.hands[i], position.hand(owner), gained, lost);
    const KingArea& before = place.nearest->areas[i];
    for (unsigned rest = Difference(before, areas[i]); rest != 0; rest &= rest - 1) {
      const auto beside = static_cast<size_t>(std::countr_zero(rest));
      rows.Remove(network_->area(owner == side), before.inputs[beside]);
      rows.Add(network_->area(owner == side), areas[i].inputs[beside]);
    }
  }
  // A king on another place has other balances, so they are recomputed.
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
