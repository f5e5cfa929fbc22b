#include "coordinator/model/slot_codec.h"

#include <algorithm>
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

// Numbers and moves in memory are what the blob holds.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Move) == 2 && std::is_trivially_copyable_v<Move>);

constexpr uint8_t kVersion = 2;
constexpr uint8_t kWithoutWeights = 1;  // an earlier version: slots name no weights
constexpr uint8_t kWithSides = 3;       // of runs against an opponent: each slot has its side
constexpr uint8_t kWithKinds = 4;       // where there are evaluations: each slot has its kind
constexpr uint8_t kWithPairs = 5;       // of a match: each slot has its side, pair and attempt
constexpr uint8_t kWithFailed = 0x80;   // added to one of these: each slot names who failed
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

// Takes little-endian numbers off the front of a blob; every read says whether it was there.
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
  constexpr size_t kFixed = 64;  // of a slot, at most
  size_t size = kFixed;
  for (const PlannedSlot& plan : slots) {
    size +=
        kFixed + plan.slot.start.size() + 2 * (plan.slot.line.size() + plan.slot.excluded.size());
  }
  std::string out;
  out.reserve(size);
  const bool sided = std::any_of(slots.begin(), slots.end(),
                                 [](const PlannedSlot& plan) { return plan.slot.own.has_value(); });
  const auto any = [&](SlotKind kind) {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const PlannedSlot& plan) { return plan.slot.kind == kind; });
  };
  const bool paired = any(SlotKind::kMatch);  // then all of them are of a match
  // Evaluations are asked for in runs without an opponent alone.
  const bool kinds = any(SlotKind::kEvaluation);
  assert(!kinds || (!sided && !paired));
  const bool failed = std::any_of(slots.begin(), slots.end(),
                                  [](const PlannedSlot& plan) { return !plan.failed.empty(); });
  const uint8_t version = paired ? kWithPairs : kinds ? kWithKinds : sided ? kWithSides : kVersion;
  Put(out, static_cast<uint8_t>(version | (failed ? kWithFailed : 0)));
  Put(out, static_cast<uint16_t>(slots.size()));
  for (const PlannedSlot& plan : slots) {
    Put(out, plan.slot.slot);
    Put(out, plan.slot.seed);
    Put(out, plan.evidence_seq);
    Put(out, plan.failures);
    Put(out, plan.replaces.lease);
    Put(out, plan.replaces.slot);
    Put(out, plan.slot.weights_version);
    if (sided) Put(out, static_cast<uint8_t>(plan.slot.own ? 1 + Index(*plan.slot.own) : 0));
    assert(!paired || (plan.slot.kind == SlotKind::kMatch && plan.slot.own));
    if (paired) Put(out, plan.slot.pair);
    if (paired) Put(out, plan.slot.attempt);
    PutText(out, plan.slot.start);
    PutMoves(out, plan.slot.line);
    PutMoves(out, plan.slot.excluded);
    if (kinds) Put(out, static_cast<uint8_t>(plan.slot.kind));
    if (plan.slot.kind == SlotKind::kEvaluation) Put(out, plan.slot.nodes);
    if (failed) PutFailed(out, plan.failed);
  }
  return out;
}

absl::StatusOr<std::vector<PlannedSlot>> DecodeSlots(std::string_view bytes) {
  Reader reader(bytes);
  uint8_t version = 0;
  RETURN_IF_ERROR(reader.Take(version));
  const bool failed = (version & kWithFailed) != 0;
  version &= static_cast<uint8_t>(~kWithFailed);
  if (version < kWithoutWeights || version > kWithPairs) {
    return Bad(absl::StrCat("version ", version), "version 1 to 5");
  }
  uint16_t count = 0;
  RETURN_IF_ERROR(reader.Take(count));
  if (count > kMaxSlots) return Bad(absl::StrCat(count, " slots"), "at most 4096");
  std::vector<PlannedSlot> slots;
  for (uint16_t i = 0; i < count; ++i) {
    PlannedSlot plan;
    RETURN_IF_ERROR(reader.Take(plan.slot.slot));
    if (i > 0 && plan.slot.slot <= slots.back().slot.slot) {
      return Bad(absl::StrCat("slot ", plan.slot.slot, " after ", slots.back().slot.slot),
                 "ascending slot numbers");
    }
    RETURN_IF_ERROR(reader.Take(plan.slot.seed));
    RETURN_IF_ERROR(reader.Take(plan.evidence_seq));
    RETURN_IF_ERROR(reader.Take(plan.failures));
    RETURN_IF_ERROR(reader.Take(plan.replaces.lease));
    RETURN_IF_ERROR(reader.Take(plan.replaces.slot));
    if (version != kWithoutWeights) RETURN_IF_ERROR(reader.Take(plan.slot.weights_version));
    if (version == kWithSides || version == kWithPairs) {
      uint8_t side = 0;
      RETURN_IF_ERROR(reader.Take(side));
      if (side > 2) return Bad(absl::StrCat("side ", side), "0, 1 or 2");
      if (side > 0) plan.slot.own = side == 1 ? Color::kFirst : Color::kSecond;
    }
    if (version == kWithPairs) {
      if (!plan.slot.own) return Bad("no side", "1 or 2 in a match");
      plan.slot.kind = SlotKind::kMatch;
      RETURN_IF_ERROR(reader.Take(plan.slot.pair));
      RETURN_IF_ERROR(reader.Take(plan.slot.attempt));
    }
    RETURN_IF_ERROR(reader.TakeText(plan.slot.start));
    RETURN_IF_ERROR(reader.TakeMoves(plan.slot.line));
    RETURN_IF_ERROR(reader.TakeMoves(plan.slot.excluded));
    if (version == kWithKinds) {
      uint8_t kind = 0;
      RETURN_IF_ERROR(reader.Take(kind));
      if (kind > static_cast<uint8_t>(SlotKind::kEvaluation)) {
        return Bad(absl::StrCat("a slot of kind ", kind), "a kind of slot");
      }
      plan.slot.kind = static_cast<SlotKind>(kind);
      if (plan.slot.kind == SlotKind::kEvaluation) RETURN_IF_ERROR(reader.Take(plan.slot.nodes));
    }
    if (failed) RETURN_IF_ERROR(reader.TakeFailed(plan.failed));
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
