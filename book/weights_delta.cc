#include "book/weights_delta.h"

#include <bit>
#include <cassert>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::book {
namespace {

constexpr std::string_view kDeltaMagic = "JSKW";
constexpr uint8_t kDeltaVersion = 1;
constexpr size_t kDeltaHeaderBytes = 4 + 1 + 1 + 4 + 4 + 4 + 32;
constexpr size_t kMaxVarintBytes = 10;

// Encoding of the changes after the header.
enum class Form : uint8_t {
  kSparse = 0,  // number of changed weights; for each, the unchanged ones before it and the change
  kDense = 1,   // the change of every weight, mostly zero
};

absl::Status Bad(std::string found, std::string expected) {
  return MakeProblem(
      {.code = "bad_weights_delta", .found = std::move(found), .expected = std::move(expected)});
}

void Put32(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift & 0xff);
}

void PutVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// Maps small changes of either sign to small numbers. Differences wrap around, as their sums do.
uint64_t ZigZag(uint64_t change) { return change << 1 ^ (0 - (change >> 63)); }
uint64_t UnZigZag(uint64_t coded) { return coded >> 1 ^ (0 - (coded & 1)); }

uint64_t Change(int64_t before, int64_t after) {
  return static_cast<uint64_t>(after) - static_cast<uint64_t>(before);
}
int64_t Changed(int64_t before, uint64_t change) {
  return static_cast<int64_t>(static_cast<uint64_t>(before) + change);
}

// Greatest common divisor of all changes. Rules add whole steps, so a change divided by it usually
// takes one byte. 1 if nothing changes.
uint64_t UnitOf(std::span<const int64_t> before, std::span<const int64_t> after, bool whole) {
  uint64_t unit = 0;
  for (size_t edge = 0; edge < after.size(); ++edge) {
    const uint64_t change = Change(whole ? 0 : before[edge], after[edge]);
    const uint64_t size = change >> 63 != 0 ? 0 - change : change;
    unit = std::gcd(unit, size);
    if (unit == 1) break;
  }
  return unit == 0 || unit >> 63 != 0 ? 1 : unit;
}
// REQUIRES: the change is a multiple of `unit`.
uint64_t InUnits(uint64_t change, uint64_t unit) {
  return static_cast<uint64_t>(static_cast<int64_t>(change) / static_cast<int64_t>(unit));
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }

  // REQUIRES: left() >= size.
  std::string_view Take(size_t size) {
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  uint8_t Byte() { return static_cast<uint8_t>(Take(1)[0]); }
  uint32_t Number() {
    uint32_t value = 0;
    for (int shift = 0; shift < 32; shift += 8) value |= static_cast<uint32_t>(Byte()) << shift;
    return value;
  }

  // Reads a number in its shortest encoding; any other encoding is an error.
  absl::Status Varint(uint64_t& value) {
    value = 0;
    for (size_t i = 0; i < kMaxVarintBytes; ++i) {
      if (empty()) return Bad("the end within a number", "a whole number");
      const uint8_t byte = Byte();
      const uint64_t bits = byte & 0x7f;
      if (i + 1 == kMaxVarintBytes && bits > 1) break;
      value |= bits << (7 * i);
      if (byte < 0x80) {
        if (byte == 0 && i > 0) break;
        return absl::OkStatus();
      }
    }
    return Bad("a number that is too long", "at most 64 bits in their shortest form");
  }

 private:
  std::string_view rest_;
};

absl::StatusOr<WeightsDeltaHeader> TakeHeader(Reader& reader, Form& form) {
  if (reader.left() < kDeltaHeaderBytes) {
    return Bad(absl::StrCat(reader.left(), " bytes"), absl::StrCat("at least ", kDeltaHeaderBytes));
  }
  if (const std::string_view magic = reader.Take(kDeltaMagic.size()); magic != kDeltaMagic) {
    return Bad(Quote(magic), std::string(kDeltaMagic));
  }
  if (const uint8_t version = reader.Byte(); version != kDeltaVersion) {
    return Bad(absl::StrCat("version ", version), absl::StrCat("version ", kDeltaVersion));
  }
  const uint8_t form_byte = reader.Byte();
  if (form_byte > static_cast<uint8_t>(Form::kDense)) {
    return Bad(absl::StrCat("form ", form_byte), "form 0 or 1");
  }
  form = static_cast<Form>(form_byte);
  WeightsDeltaHeader header;
  header.from = reader.Number();
  header.to = reader.Number();
  if (header.from >= header.to) {
    return Bad(absl::StrCat("a delta from ", header.from, " to ", header.to), "a later version");
  }
  header.edges = reader.Number();
  const std::string_view sha256 = reader.Take(header.sha256.size());
  for (size_t i = 0; i < sha256.size(); ++i) header.sha256[i] = static_cast<uint8_t>(sha256[i]);
  return header;
}

absl::Status ApplySparse(Reader& reader, uint64_t unit, Weights& weights) {
  uint64_t count = 0;
  RETURN_IF_ERROR(reader.Varint(count));
  uint64_t next = 0;  // the first edge that may still change
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t skipped = 0;
    RETURN_IF_ERROR(reader.Varint(skipped));
    if (next >= weights.size() || skipped >= weights.size() - next) {
      return Bad(absl::StrCat("a change ", skipped, " after edge ", next),
                 absl::StrCat("an edge below ", weights.size()));
    }
    uint64_t coded = 0;
    RETURN_IF_ERROR(reader.Varint(coded));
    if (coded == 0) return Bad("a change by nothing", "changed weights only");
    const uint64_t edge = next + skipped;
    weights[edge] = Changed(weights[edge], UnZigZag(coded) * unit);
    next = edge + 1;
  }
  return absl::OkStatus();
}

absl::Status ApplyDense(Reader& reader, uint64_t unit, Weights& weights) {
  for (int64_t& weight : weights) {
    uint64_t coded = 0;
    RETURN_IF_ERROR(reader.Varint(coded));
    weight = Changed(weight, UnZigZag(coded) * unit);
  }
  return absl::OkStatus();
}

}  // namespace

Sha256 HashOf(std::span<const int64_t> weights) {
  static_assert(std::endian::native == std::endian::little);
  return Sha256Of({reinterpret_cast<const char*>(weights.data()), weights.size_bytes()});
}

std::string EncodeWeightsDelta(std::span<const int64_t> before, std::span<const int64_t> after,
                               uint32_t from, uint32_t to) {
  assert(from < to);
  assert(from == 0 || before.size() == after.size());
  const uint64_t unit = UnitOf(before, after, from == 0);
  std::string sparse;
  std::string dense;
  uint64_t count = 0;
  uint64_t skipped = 0;
  for (size_t edge = 0; edge < after.size(); ++edge) {
    const uint64_t coded = ZigZag(InUnits(Change(from == 0 ? 0 : before[edge], after[edge]), unit));
    PutVarint(dense, coded);
    if (coded == 0) {
      ++skipped;
      continue;
    }
    PutVarint(sparse, skipped);
    PutVarint(sparse, coded);
    skipped = 0;
    ++count;
  }
  std::string number;
  PutVarint(number, count);
  const bool is_sparse = number.size() + sparse.size() <= dense.size();

  std::string out;
  out.reserve(kDeltaHeaderBytes + (is_sparse ? number.size() + sparse.size() : dense.size()));
  out += kDeltaMagic;
  out += static_cast<char>(kDeltaVersion);
  out += static_cast<char>(is_sparse ? Form::kSparse : Form::kDense);
  Put32(out, from);
  Put32(out, to);
  Put32(out, static_cast<uint32_t>(after.size()));
  const Sha256 sha256 = HashOf(after);
  out.append(sha256.begin(), sha256.end());
  PutVarint(out, unit);
  if (is_sparse) {
    out += number;
    out += sparse;
  } else {
    out += dense;
  }
  return out;
}

absl::StatusOr<WeightsDeltaHeader> ReadWeightsDeltaHeader(std::string_view delta) {
  Reader reader(delta);
  Form form{};
  return TakeHeader(reader, form);
}

absl::StatusOr<Weights> ApplyWeightsDelta(std::span<const int64_t> before, std::string_view delta,
                                          uint32_t edges) {
  Reader reader(delta);
  Form form{};
  ASSIGN_OR_RETURN(const WeightsDeltaHeader header, TakeHeader(reader, form));
  if (header.edges != edges || (header.from != 0 && before.size() != edges)) {
    return Bad(absl::StrCat("a delta for ", header.edges, " weights"),
               absl::StrCat("one for ", edges, " weights"));
  }
  Weights weights(edges, 0);
  if (header.from != 0) weights.assign(before.begin(), before.end());
  uint64_t unit = 0;
  RETURN_IF_ERROR(reader.Varint(unit));
  RETURN_IF_ERROR(form == Form::kSparse ? ApplySparse(reader, unit, weights)
                                        : ApplyDense(reader, unit, weights));
  if (!reader.empty()) return Bad(absl::StrCat(reader.left(), " bytes left over"), "the end");
  if (HashOf(weights) != header.sha256) {
    return Bad("weights of another hash", absl::StrCat("the hash ", Hex(header.sha256)));
  }
  return weights;
}

}  // namespace joseki::book
