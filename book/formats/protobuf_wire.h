#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace joseki::book {

// The part of Protobuf's wire format that reading an untrusted file needs: a sequence of fields,
// read without allocation.

struct WireField {
  uint32_t number = 0;
  uint64_t value = 0;      // for numbers (varint or fixed)
  std::string_view bytes;  // for strings and embedded messages
  bool is_bytes = false;
  size_t at = 0;  // offset of the field in the message
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : message_(message) {}

  // Reads the next field; false at the end or at malformed bytes.
  bool Next(WireField& field);

  // True if Next stopped at malformed bytes; at() is their offset.
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
