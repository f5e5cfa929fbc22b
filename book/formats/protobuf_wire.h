#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace joseki::book {

// Protobuf's wire format, as much of it as a foreign file needs: fields one after the other, with
// nothing allocated.

struct WireField {
  uint32_t number = 0;
  uint64_t value = 0;      // of a number (varint or fixed)
  std::string_view bytes;  // of text or of a message in it
  bool is_bytes = false;
  size_t at = 0;  // where the field begins, counted from the message's first byte
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : message_(message) {}

  // The next field; false at the end, or where the bytes are no fields.
  bool Next(WireField& field);

  // True if Next stopped at bytes that are no field; at() is their offset.
  bool failed() const { return failed_; }
  size_t at() const { return at_; }

 private:
  bool Varint(uint64_t& value);
  bool Fixed(size_t size, uint64_t& value);
  bool Fail(size_t at) {
    failed_ = true;
    at_ = at;
    return false;
  }

  std::string_view message_;
  size_t at_ = 0;
  bool failed_ = false;
};

// Appends a field.
void AppendNumber(std::string& out, uint32_t number, uint64_t value);
void AppendBytes(std::string& out, uint32_t number, std::string_view bytes);

}  // namespace joseki::book
