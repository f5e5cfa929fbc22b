#include "engine/shogi/mate/mate_table.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace joseki::shogi {
namespace {

constexpr uint32_t kMostAmount = std::numeric_limits<uint32_t>::max();

uint32_t Sum(uint32_t amount, uint64_t more) {
  return static_cast<uint32_t>(std::min<uint64_t>(amount + more, kMostAmount));
}

}  // namespace

MateTable::MateTable(size_t bytes)
    : starts_(std::bit_floor(std::max<size_t>(bytes / sizeof(Entry), 1024))),
      entries_(MakeLargeArray<Entry>(starts_ + kWindow)) {}

void MateTable::Clear() {
  used_ = 0;
  sweeps_ = 0;
  if (++generation_ != 0) return;
  std::fill_n(entries_.get(), starts_ + kWindow, Entry());
  generation_ = 1;
}

MateTable::Entry* MateTable::WindowOf(uint64_t placement) const {
  return entries_.get() + (placement & (starts_ - 1));
}

MateKnowledge MateTable::Look(uint64_t placement, MateHand hand) const {
  MateKnowledge knowledge;
  const Entry* proof = nullptr;
  const Entry* const window = WindowOf(placement);
  for (const Entry* entry = window; entry != window + kWindow; ++entry) {
    if (entry->placement != placement || !Live(*entry)) continue;
    const bool more = entry->hand.HasAllOf(hand);  // a superset of our hand
    const bool less = hand.HasAllOf(entry->hand);
    if (entry->disproof == 0) {
      if (more) return MateKnowledge::Disproven(entry->hand);
      continue;
    }
    if (entry->proof == 0) {
      // The shortest proof is preferred, so that each move of a line comes nearer to the mate.
      if (less && (proof == nullptr || entry->plies < proof->plies)) proof = entry;
      continue;
    }
    // A position that is hard with a larger hand is at least as hard with a smaller one.
    if (more) knowledge.proof = std::max(knowledge.proof, entry->proof);
    if (less) knowledge.disproof = std::max(knowledge.disproof, entry->disproof);
    if (more && less) {
      knowledge.found = true;
      knowledge.expanded = entry->amount > 1;
      knowledge.nearest = entry->plies;
    }
  }
  if (proof != nullptr) return MateKnowledge::Proven(proof->hand, proof->plies, proof->move);
  return knowledge;
}

void MateTable::KeepOpen(uint64_t placement, MateHand hand, MateNumber proof, MateNumber disproof,
                         uint64_t amount, int ply) {
  Entry* const window = WindowOf(placement);
  for (Entry* entry = window; entry != window + kWindow; ++entry) {
    if (entry->placement != placement || !Live(*entry) || entry->hand != hand) continue;
    if (entry->proof == 0 || entry->disproof == 0) continue;
    entry->proof = proof;
    entry->disproof = disproof;
    entry->amount = Sum(entry->amount, amount);
    entry->plies = std::min(entry->plies, static_cast<uint16_t>(ply));
    return;
  }
  Place(placement) = {
      placement, proof, disproof, hand, Sum(0, amount), generation_, static_cast<uint16_t>(ply),
      Move()};
}

void MateTable::KeepProven(uint64_t placement, MateHand proof_hand, int plies, Move move,
                           uint64_t amount) {
  Entry* const window = WindowOf(placement);
  uint32_t whole = Sum(0, amount);
  for (Entry* entry = window; entry != window + kWindow; ++entry) {
    if (entry->placement != placement || !Live(*entry)) continue;
    if (entry->disproof == 0 || !entry->hand.HasAllOf(proof_hand)) continue;
    if (entry->proof == 0 && entry->plies < plies) continue;
    whole = Sum(whole, entry->amount);
    Free(*entry);  // the new entry supersedes it
  }
  Place(placement) = {
      placement, 0, kInfiniteNumber, proof_hand, whole, generation_, static_cast<uint16_t>(plies),
      move};
}

void MateTable::KeepDisproven(uint64_t placement, MateHand disproof_hand, uint64_t amount) {
  Entry* const window = WindowOf(placement);
  uint32_t whole = Sum(0, amount);
  for (Entry* entry = window; entry != window + kWindow; ++entry) {
    if (entry->placement != placement || !Live(*entry)) continue;
    if (entry->proof == 0 || !disproof_hand.HasAllOf(entry->hand)) continue;
    whole = Sum(whole, entry->amount);
    Free(*entry);
  }
  Place(placement) = {placement, kInfiniteNumber, 0, disproof_hand, whole, generation_, 0, Move()};
}

MateTable::Entry& MateTable::Place(uint64_t placement) {
  if (used_ >= starts_ - starts_ / 8) Sweep();
  Entry* const window = WindowOf(placement);
  Entry* victim = window;
  for (Entry* entry = window; entry != window + kWindow; ++entry) {
    if (!Live(*entry)) {
      ++used_;
      return *entry;
    }
    if (entry->amount < victim->amount) victim = entry;
  }
  return *victim;
}

void MateTable::Free(Entry& entry) {
  entry.generation = 0;
  --used_;
}

void MateTable::Sweep() {
  // Counts entries by the bit width of their amount, then drops all sizes up to the one at which a
  // third is gone.
  auto size = [](const Entry& entry) { return static_cast<size_t>(std::bit_width(entry.amount)); };
  size_t counts[33] = {};
  for (size_t i = 0; i < starts_ + kWindow; ++i) {
    if (Live(entries_[i])) ++counts[size(entries_[i])];
  }
  size_t largest = 0;
  for (size_t gone = 0; largest < 32; ++largest) {
    gone += counts[largest];
    if (gone >= used_ / 3) break;
  }
  for (size_t i = 0; i < starts_ + kWindow; ++i) {
    if (Live(entries_[i]) && size(entries_[i]) <= largest) Free(entries_[i]);
  }
  ++sweeps_;
}

}  // namespace joseki::shogi
