#include "coordinator/model/slot_codec.h"

#include <bit>
#include <cassert>
#include <cstring>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

// The memory layout of numbers and moves is that of the blob.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Move) == 2 && std::is_trivially_copyable_v<Move>);

constexpr uint8_t kVersion = 2;
constexpr size_t kMaxStart = 1024;

template <typename T>
void Put(std::string& out, T value) {
  static_assert(std::is_unsigned_v<T>);
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void PutMoves(std::string& out, const std::vector<Move>& moves) {
  assert(moves.size() <= kMaxMoves);
  Put(out, static_cast<uint16_t>(moves.size()));
  out += MoveBytes(moves);
}

void PutText(std::string& out, const std::string& text) {
  assert(text.size() <= kMaxStart);
  Put(out, static_cast<uint16_t>(text.size()));
  out += text;
}

void PutFailed(std::string& out, const std::vector<LineFailure>& failed) {
  assert(failed.size() <= kMaxFailed);
  Put(out, static_cast<uint8_t>(failed.size()));
  for (const LineFailure& failure : failed) {
    Put(out, failure.lease);
    PutText(out, failure.worker);
  }
}

absl::Status Bad(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_slots", .found = std::move(found), .expected = std::move(expected)});
}

// Reads little-endian numbers from the front of a blob; every read returns whether it succeeded.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  absl::Status Take(T& value) {
    if (rest_.size() < sizeof value) return Short();
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof value; ++i) {
      sum |= static_cast<uint64_t>(static_cast<uint8_t>(rest_[i])) << (8 * i);
    }
    value = static_cast<T>(sum);
    rest_.remove_prefix(sizeof value);
    return absl::OkStatus();
  }

  absl::Status TakeText(std::string& text) {
    uint16_t length = 0;
    RETURN_IF_ERROR(Take(length));
    if (length > kMaxStart)
      return Bad(absl::StrCat("a text of ", length, " bytes"), "at most 1024");
    if (rest_.size() < length) return Short();
    text = std::string(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return absl::OkStatus();
  }

  absl::Status TakeMoves(std::vector<Move>& moves) {
    uint16_t count = 0;
    RETURN_IF_ERROR(Take(count));
    if (count > kMaxMoves) return Bad(absl::StrCat(count, " moves"), "at most 2048");
    if (rest_.size() < size_t{2} * count) return Short();
    moves.reserve(count);
    for (uint16_t i = 0; i < count; ++i) {
      uint16_t raw = 0;
      RETURN_IF_ERROR(Take(raw));
      if (raw == 0) return Bad("an empty move", "a move");
      moves.push_back(Move(raw));
    }
    return absl::OkStatus();
  }

  absl::Status TakeFailed(std::vector<LineFailure>& failed) {
    uint8_t count = 0;
    RETURN_IF_ERROR(Take(count));
    if (count > kMaxFailed) return Bad(absl::StrCat(count, " failures"), "at most 64");
    for (uint8_t i = 0; i < count; ++i) {
      LineFailure& failure = failed.emplace_back();
      RETURN_IF_ERROR(Take(failure.lease));
      RETURN_IF_ERROR(TakeText(failure.worker));
    }
    return absl::OkStatus();
  }

  bool empty() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }

 private:
  absl::Status Short() const {
    return Bad(absl::StrCat("the end, ", rest_.size(), " bytes too early to read on"),
               "a whole list of slots");
  }

  std::string_view rest_;
};

}  // namespace

std::string EncodeSlots(const std::vector<PlannedSlot>& slots) {
  assert(slots.size() <= kMaxSlots);
  constexpr size_t kFixed = 64;  // most bytes of a slot without its failures
  size_t size = kFixed;
  for (const PlannedSlot& plan : slots) {
    size +=
        kFixed + plan.slot.start.size() + 2 * (plan.slot.line.size() + plan.slot.excluded.size());
  }
  std::string out;
  out.reserve(size);
  Put(out, kVersion);
  Put(out, static_cast<uint16_t>(slots.size()));
  for (const PlannedSlot& plan : slots) {
    const Slot& slot = plan.slot;
    Put(out, slot.slot);
    Put(out, static_cast<uint8_t>(slot.kind));
    Put(out, static_cast<uint8_t>(slot.own ? 1 + Index(*slot.own) : 0));
    Put(out, slot.seed);
    Put(out, plan.evidence_seq);
    Put(out, plan.failures);
    PutFailed(out, plan.failed);
    Put(out, plan.replaces.lease);
    Put(out, plan.replaces.slot);
    Put(out, slot.weights_version);
    if (HasNodes(slot.kind)) Put(out, slot.nodes);
    if (slot.kind == SlotKind::kReply) Put(out, slot.searched_from);
    if (slot.kind == SlotKind::kTrial) Put(out, slot.plies);
    if (slot.kind == SlotKind::kMatch) {
      assert(slot.own);
      Put(out, slot.pair);
      Put(out, slot.attempt);
    }
    PutText(out, slot.start);
    PutMoves(out, slot.line);
    PutMoves(out, slot.excluded);
  }
  return out;
}

absl::StatusOr<std::vector<PlannedSlot>> DecodeSlots(std::string_view bytes) {
  Reader reader(bytes);
  uint8_t version = 0;
  RETURN_IF_ERROR(reader.Take(version));
  if (version != kVersion) return Bad(absl::StrCat("version ", version), "version 2");
  uint16_t count = 0;
  RETURN_IF_ERROR(reader.Take(count));
  if (count > kMaxSlots) return Bad(absl::StrCat(count, " slots"), "at most 4096");
  std::vector<PlannedSlot> slots;
  for (uint16_t i = 0; i < count; ++i) {
    PlannedSlot plan;
    Slot& slot = plan.slot;
    RETURN_IF_ERROR(reader.Take(slot.slot));
    if (i > 0 && slot.slot <= slots.back().slot.slot) {
      return Bad(absl::StrCat("slot ", slot.slot, " after ", slots.back().slot.slot),
                 "ascending slot numbers");
    }
    uint8_t kind = 0;
    RETURN_IF_ERROR(reader.Take(kind));
    if (kind > static_cast<uint8_t>(kLastSlotKind)) {
      return Bad(absl::StrCat("a slot of kind ", kind), "a kind of slot");
    }
    slot.kind = static_cast<SlotKind>(kind);
    uint8_t side = 0;
    RETURN_IF_ERROR(reader.Take(side));
    if (side > 2) return Bad(absl::StrCat("side ", side), "0, 1 or 2");
    if (side > 0) slot.own = side == 1 ? Color::kFirst : Color::kSecond;
    RETURN_IF_ERROR(reader.Take(slot.seed));
    RETURN_IF_ERROR(reader.Take(plan.evidence_seq));
    RETURN_IF_ERROR(reader.Take(plan.failures));
    RETURN_IF_ERROR(reader.TakeFailed(plan.failed));
    RETURN_IF_ERROR(reader.Take(plan.replaces.lease));
    RETURN_IF_ERROR(reader.Take(plan.replaces.slot));
    RETURN_IF_ERROR(reader.Take(slot.weights_version));
    if (HasNodes(slot.kind)) RETURN_IF_ERROR(reader.Take(slot.nodes));
    if (slot.kind == SlotKind::kReply) RETURN_IF_ERROR(reader.Take(slot.searched_from));
    if (slot.kind == SlotKind::kTrial) RETURN_IF_ERROR(reader.Take(slot.plies));
    if (slot.kind == SlotKind::kMatch) {
      if (!slot.own) return Bad("no side", "1 or 2 in a match");
      RETURN_IF_ERROR(reader.Take(slot.pair));
      RETURN_IF_ERROR(reader.Take(slot.attempt));
    }
    RETURN_IF_ERROR(reader.TakeText(slot.start));
    RETURN_IF_ERROR(reader.TakeMoves(slot.line));
    RETURN_IF_ERROR(reader.TakeMoves(slot.excluded));
    slots.push_back(std::move(plan));
  }
  if (!reader.empty()) return Bad(absl::StrCat(reader.left(), " bytes left over"), "the end");
  return slots;
}

std::string_view MoveBytes(const std::vector<Move>& moves) {
  return {reinterpret_cast<const char*>(moves.data()), 2 * moves.size()};
}

std::string EncodeMoves(const std::vector<Move>& moves) { return std::string(MoveBytes(moves)); }

absl::StatusOr<std::vector<Move>> DecodeMoves(std::string_view bytes) {
  if (bytes.size() % 2 != 0) {
    return MakeProblem({.code = "bad_moves",
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = "two bytes a move"});
  }
  std::vector<Move> moves(bytes.size() / 2);
  if (!moves.empty()) std::memcpy(moves.data(), bytes.data(), bytes.size());
  return moves;
}

std::string EncodeScores(const std::vector<int16_t>& scores) {
  std::string out;
  out.reserve(2 * scores.size());
  for (const int16_t score : scores) Put(out, static_cast<uint16_t>(score));
  return out;
}

absl::StatusOr<std::vector<int16_t>> DecodeScores(std::string_view bytes) {
  if (bytes.size() % 2 != 0) {
    return MakeProblem({.code = "bad_scores",
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = "two bytes a score"});
  }
  std::vector<int16_t> scores;
  scores.reserve(bytes.size() / 2);
  for (size_t i = 0; i < bytes.size(); i += 2) {
    scores.push_back(static_cast<int16_t>(static_cast<uint8_t>(bytes[i]) |
                                          static_cast<uint8_t>(bytes[i + 1]) << 8));
  }
  return scores;
}

}  // namespace joseki::coordinator
