#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/field.h"
#include "google/protobuf/message.h"

// Access to messages of structs that have a table of fields (base/field.h): a row's name on the
// wire identifies the field of the message.
namespace joseki {

// A field of a message, or of a message within it.
struct WireField {
  const google::protobuf::Message* message = nullptr;  // null: the inner message is absent
  const google::protobuf::FieldDescriptor* field = nullptr;
};

// REQUIRES of each function: the message has a field of the row's name, with a matching type.
WireField FindWireField(const google::protobuf::Message& message, const Field& field);
// Whether the field has a value: it has no presence, or is present.
bool IsTold(const WireField& at);
uint64_t UnsignedAt(const WireField& at);
int EnumAt(const WireField& at);
bool BoolAt(const WireField& at);
double DoubleAt(const WireField& at);
std::string TextAt(const WireField& at);
Pairs PairsAt(const WireField& at);
std::vector<uint64_t> ListAt(const WireField& at);
// Null: absent.
const google::protobuf::Message* MessageAt(const WireField& at);

void SetWireField(google::protobuf::Message& message, const Field& field, uint64_t value);
void SetWireField(google::protobuf::Message& message, const Field& field, bool value);
void SetWireField(google::protobuf::Message& message, const Field& field, double value);
void SetWireField(google::protobuf::Message& message, const Field& field, const std::string& value);
void SetWireField(google::protobuf::Message& message, const Field& field, const Pairs& value);
void SetWireField(google::protobuf::Message& message, const Field& field,
                  const std::vector<uint64_t>& value);
google::protobuf::Message& MutableWireMessage(google::protobuf::Message& message,
                                              const Field& field);

// A visitor that reads every field of an untrusted message, and checks it against the bounds of its
// row. The place of the first problem is the field's path: `prefix` and names on the wire. Absent
// fields keep their defaults.
class WireReader {
 public:
  WireReader(const google::protobuf::Message& message, std::string prefix, FieldProblems problems)
      : message_(message), prefix_(std::move(prefix)), problems_(problems) {}

  template <typename T>
  void operator()(const Field& field, T& value) {
    if (!status_.ok()) return;
    const WireField at = FindWireField(message_, field);
    if (!IsTold(at)) return;
    if constexpr (std::same_as<T, bool>) {
      value = BoolAt(at);
    } else if constexpr (std::is_enum_v<T>) {
      Take(field, EnumAt(at), value);
    } else if constexpr (std::is_integral_v<T>) {
      Take(field, UnsignedAt(at), value);
    } else if constexpr (std::same_as<T, double>) {
      Take(field, DoubleAt(at), value);
    } else if constexpr (std::same_as<T, std::string>) {
      Take(field, TextAt(at), value);
    } else if constexpr (std::same_as<T, Pairs>) {
      Take(field, PairsAt(at), value);
    } else {
      value = ListAt(at);
    }
  }
  template <typename T>
  void Object(const Field& field, std::optional<T>& object) {
    if (!status_.ok() || MessageAt(FindWireField(message_, field)) == nullptr) return;
    Object(field, object.emplace());
  }
  template <typename T>
  void Object(const Field& field, T& object) {
    if (!status_.ok()) return;
    const google::protobuf::Message* const message = MessageAt(FindWireField(message_, field));
    if (message == nullptr) return;
    WireReader within(*message, absl::StrCat(prefix_, field.wire_name(), "."), problems_);
    VisitFields(object, within);
    status_ = within.status();
  }
  const absl::Status& status() const { return status_; }

 private:
  template <typename Told, typename T>
  void Take(const Field& field, const Told& told, T& value) {
    if (field.zero_is_default && told == Told()) return;
    status_ = CheckField(field, told, prefix_ + field.wire_name(), problems_);
    if (status_.ok()) value = static_cast<T>(told);
  }

  const google::protobuf::Message& message_;
  const std::string prefix_;
  const FieldProblems problems_;
  absl::Status status_;
};

// A visitor that writes every field.
class WireWriter {
 public:
  explicit WireWriter(google::protobuf::Message& message) : message_(message) {}

  template <typename T>
  void operator()(const Field& field, const T& value) {
    if constexpr (std::is_enum_v<T> || (std::is_integral_v<T> && !std::same_as<T, bool>)) {
      SetWireField(message_, field, static_cast<uint64_t>(value));
    } else {
      SetWireField(message_, field, value);
    }
  }
  template <typename T>
  void Object(const Field& field, const T& object) {
    if constexpr (requires { object.has_value(); }) {
      if (object.has_value()) Object(field, *object);
    } else {
      WireWriter within(MutableWireMessage(message_, field));
      VisitFields(object, within);
    }
  }

 private:
  google::protobuf::Message& message_;
};

}  // namespace joseki
