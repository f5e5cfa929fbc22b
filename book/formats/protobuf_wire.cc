#include "book/formats/protobuf_wire.h"

#include "book/bytes.h"

namespace joseki::book {
namespace {

constexpr uint64_t kVarint = 0;
constexpr uint64_t kFixed64 = 1;
constexpr uint64_t kBytes = 2;
constexpr uint64_t kFixed32 = 5;

void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

}  // namespace

bool WireReader::Varint(uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ == message_.size()) return false;
    const auto byte = static_cast<unsigned char>(message_[at_++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool WireReader::Fixed(size_t size, uint64_t& value) {
  if (message_.size() - at_ < size) return false;
  value = size == 4 ? LittleEndian<uint32_t>(message_, at_) : LittleEndian<uint64_t>(message_, at_);
  at_ += size;
  return true;
}

bool WireReader::Next(WireField& field) {
  if (failed_ || at_ == message_.size()) return false;
  const size_t begin = at_;
  uint64_t tag = 0;
  if (!Varint(tag) || tag >> 3 == 0 || tag >> 3 >= uint64_t{1} << 29) return Fail(begin);
  field = {.number = static_cast<uint32_t>(tag >> 3), .bytes = {}, .at = begin};
  switch (tag & 7) {
    case kVarint:
      return Varint(field.value) || Fail(begin);
    case kFixed64:
      return Fixed(8, field.value) || Fail(begin);
    case kFixed32:
      return Fixed(4, field.value) || Fail(begin);
    case kBytes: {
      uint64_t size = 0;
      if (!Varint(size) || size > message_.size() - at_) return Fail(begin);
      field.bytes = message_.substr(at_, static_cast<size_t>(size));
      field.is_bytes = true;
      at_ += static_cast<size_t>(size);
      return true;
    }
    default:
      return Fail(begin);
  }
}

void AppendNumber(std::string& out, uint32_t number, uint64_t value) {
  AppendVarint(out, uint64_t{number} << 3 | kVarint);
  AppendVarint(out, value);
}

void AppendBytes(std::string& out, uint32_t number, std::string_view bytes) {
  AppendVarint(out, uint64_t{number} << 3 | kBytes);
  AppendVarint(out, bytes.size());
  out += bytes;
}

}  // namespace joseki::book
