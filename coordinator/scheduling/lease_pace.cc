#include "coordinator/scheduling/lease_pace.h"

#include <algorithm>

#include "proto/limits.h"

namespace joseki::coordinator {
namespace {

constexpr absl::Duration kAhead = absl::Seconds(60);  // of work kept ready
constexpr absl::Duration kLease = absl::Seconds(90);  // of work in one lease
constexpr absl::Duration kLongestTerm = absl::Minutes(15);

// Number of times that `game` fits into `time`, from 1 to kMaxSlotsPerWorker.
uint32_t Rounds(absl::Duration time, absl::Duration game) {
  if (game <= absl::ZeroDuration()) return 1;
  return static_cast<uint32_t>(std::clamp(time / game, int64_t{1}, int64_t{kMaxSlotsPerWorker}));
}

}  // namespace

uint32_t LeasePace::Ahead() const {
  const uint32_t quarter = (seats + 3) / 4;
  if (!staged || game <= absl::ZeroDuration() || game > kAhead) return quarter;
  return std::clamp(seats * Rounds(kAhead, game), quarter, kMaxSlotsPerWorker);
}

uint32_t LeasePace::Share() const {
  // Half of an equal share, so that the rest shrinks for all and no worker ends long after the
  // others.
  const uint64_t parts = workers <= 1 ? 1 : uint64_t{2} * workers;
  const uint64_t share = available / parts + (available % parts != 0 ? 1 : 0);
  return static_cast<uint32_t>(std::min<uint64_t>(share, kMaxSlotsPerWorker));
}

uint32_t LeasePace::LeaseSlots() const {
  return std::min(seats * Rounds(kLease, game), kMaxSlotsPerWorker);
}

uint32_t LeasePace::Needed() const { return seats + Ahead() + LeaseSlots(); }

uint32_t LeasePace::MostInHand() const { return std::max(Needed(), kMaxSlotsPerWorker); }

uint32_t LeasePace::RoundsOf(uint32_t open) const {
  const uint32_t played_at_once = std::max<uint32_t>(seats, 1);
  return (open + played_at_once - 1) / played_at_once;
}

absl::Duration LeasePace::Expected(uint32_t open) const {
  return game * static_cast<double>(RoundsOf(open));
}

absl::Duration LeasePace::Term(uint32_t open) const {
  const absl::Duration longest = std::max(least_term, kLongestTerm);
  return std::max(std::clamp(4 * Expected(open), least_term, longest), 2 * step);
}

absl::Duration LeasePace::Longest(uint32_t open) const {
  constexpr int kTerms = 8;
  open = std::min(open, Needed());
  const absl::Duration least = std::max(Term(open), Expected(open));
  if (game > absl::ZeroDuration()) return kTerms * least;
  return kTerms * std::max({least, kLongestTerm, limit * static_cast<double>(RoundsOf(open))});
}

absl::Duration LeasePace::Patience(uint32_t open) const {
  return std::min(Term(open), std::max({least_term, Expected(open), 4 * beat}));
}

}  // namespace joseki::coordinator
