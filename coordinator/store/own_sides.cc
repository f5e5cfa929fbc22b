#include "coordinator/store/own_sides.h"

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kKeptLeases = 1000;

}  // namespace

absl::StatusOr<std::optional<Color>> OwnSides::Of(const GameRow& game) {
  ASSIGN_OR_RETURN(const std::optional<Slot> slot, SlotOf(game));
  return slot ? slot->own : std::nullopt;
}

absl::StatusOr<std::optional<Slot>> OwnSides::SlotOf(const GameRow& game) {
  if (!wanted_) return std::optional<Slot>();
  auto lease = leases_.find(game.lease);
  if (lease == leases_.end()) {
    ASSIGN_OR_RETURN(const LeaseRow row, rows_.leases().Read(game.lease));
    if (leases_.size() >= kKeptLeases) leases_.clear();
    lease = leases_.emplace(game.lease, std::map<uint32_t, Slot>()).first;
    for (const PlannedSlot& plan : row.grant.slots) {
      if (!plan.slot.own) continue;
      Slot& slot = lease->second[plan.slot.slot];
      slot.slot = plan.slot.slot;
      slot.start = plan.slot.start;
      slot.seed = plan.slot.seed;
      slot.own = plan.slot.own;
      slot.kind = plan.slot.kind;
      slot.pair = plan.slot.pair;
      slot.attempt = plan.slot.attempt;
    }
  }
  const auto slot = lease->second.find(game.slot);
  if (slot != lease->second.end()) return std::optional<Slot>(slot->second);
  return MakeProblem({.code = "bad_row",
                      .found = absl::StrCat("game ", game.commit_seq, " of slot ", game.slot,
                                            " of lease ", game.lease, ", which has no side"),
                      .expected = "a slot of a run against an opponent"},
                     absl::StatusCode::kDataLoss);
}

}  // namespace joseki::coordinator
