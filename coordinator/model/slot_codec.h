#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A slot as the coordinator keeps it: what the worker is told, and where the slot comes from.
struct PlannedSlot {
  Slot slot;
  uint64_t evidence_seq = 0;  // the last game counted in the weights that chose the line
  uint32_t failures = 0;      // how often this line failed in the slots that this one replaces
  std::vector<LineFailure> failed = {};  // of a game: the newest of these, at most kMaxFailed
  SlotRef replaces;  // the lost slot whose line this one plays again; lease 0: none
  // The game that this slot plays again to verify it; lease 0: none. In memory alone: the database
  // has it in `checks`, not with the lease's slots.
  SlotRef copy_of;
  bool IsCopy() const { return copy_of.lease != 0; }
  // Of slot.line in the run's graph, as its planner found them; empty where a slot was read back.
  // In memory alone, and no part of what a slot is.
  std::vector<book::EdgeId> edges;

  bool operator==(const PlannedSlot& other) const {
    return slot == other.slot && evidence_seq == other.evidence_seq && failures == other.failures &&
           failed == other.failed && replaces == other.replaces && copy_of == other.copy_of;
  }
};

// The slots of a lease as one blob of the database and back (docs/reference/storage.md has the
// layout). Reading believes nothing: InvalidArgument "bad_slots" on an unknown version, a length
// that does not fit, slot numbers out of order, or bytes left over. REQUIRES of Encode: ascending
// slot numbers, at most kMaxSlots slots and kMaxMoves moves a list.
inline constexpr size_t kMaxSlots = 4096;
inline constexpr size_t kMaxMoves = 2048;
inline constexpr size_t kMaxFailed = 64;
std::string EncodeSlots(const std::vector<PlannedSlot>& slots);
absl::StatusOr<std::vector<PlannedSlot>> DecodeSlots(std::string_view bytes);

// Moves as the wire and the database carry them: 16 bits each, little-endian.
std::string EncodeMoves(const std::vector<Move>& moves);
std::string_view MoveBytes(const std::vector<Move>& moves);  // the same where they stand
absl::StatusOr<std::vector<Move>> DecodeMoves(std::string_view bytes);
// Bytes of scores, which are signed.
std::string EncodeScores(const std::vector<int16_t>& scores);
absl::StatusOr<std::vector<int16_t>> DecodeScores(std::string_view bytes);

}  // namespace joseki::coordinator
