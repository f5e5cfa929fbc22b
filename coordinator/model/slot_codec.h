#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/graph.h"
#include "coordinator/model/messages.h"

namespace joseki::coordinator {

// A slot as the coordinator stores it: the worker's part, and the slot's origin.
struct PlannedSlot {
  Slot slot;
  uint64_t evidence_seq = 0;  // the last game counted in the weights that chose the line
  uint32_t failures = 0;      // number of failures of this line in the slots that this one replaces
  std::vector<LineFailure> failed = {};  // the newest of these, at most kMaxFailed; of a game
  SlotRef replaces;                      // the lost slot whose line this one repeats; lease 0: none
  // The game that this slot repeats to verify it; lease 0: none. In memory alone: the database has
  // it in `checks`, not with the lease's slots.
  SlotRef copy_of;
  bool IsCopy() const { return copy_of.lease != 0; }
  // The edges of slot.line in the run's graph, as the planner found them; empty after a restart. In
  // memory alone, and not part of the slot's identity.
  std::vector<book::EdgeId> edges;

  bool operator==(const PlannedSlot& other) const {
    return slot == other.slot && evidence_seq == other.evidence_seq && failures == other.failures &&
           failed == other.failed && replaces == other.replaces && copy_of == other.copy_of;
  }
};

// Encodes the slots of a lease as one blob of the database, and decodes it (layout in
// docs/reference/storage.md). Decoding trusts nothing: InvalidArgument "bad_slots" for an unknown
// version, a wrong length, slot numbers out of order, or trailing bytes. REQUIRES of Encode:
// ascending slot numbers, at most kMaxSlots slots and kMaxMoves moves a list.
inline constexpr size_t kMaxSlots = 4096;
inline constexpr size_t kMaxMoves = 2048;
inline constexpr size_t kMaxFailed = 64;
std::string EncodeSlots(const std::vector<PlannedSlot>& slots);
absl::StatusOr<std::vector<PlannedSlot>> DecodeSlots(std::string_view bytes);

// Moves in the form of the wire and the database: 16 bits each, little-endian.
std::string EncodeMoves(const std::vector<Move>& moves);
std::string_view MoveBytes(const std::vector<Move>& moves);  // a view of the moves' own bytes
absl::StatusOr<std::vector<Move>> DecodeMoves(std::string_view bytes);
// Scores as signed 16-bit numbers, little-endian.
std::string EncodeScores(const std::vector<int16_t>& scores);
absl::StatusOr<std::vector<int16_t>> DecodeScores(std::string_view bytes);

}  // namespace joseki::coordinator
