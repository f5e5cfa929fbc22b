#include "proto/wire_fields.h"

#include <cassert>
#include <string_view>

#include "google/protobuf/descriptor.h"

namespace joseki {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

const FieldDescriptor* Find(const Message& message, std::string_view name) {
  const FieldDescriptor* const field = message.GetDescriptor()->FindFieldByName(std::string(name));
  assert(field != nullptr && "a row of a table names no field of the message");
  return field;
}

// The path up to its last name, and that name.
struct Path {
  std::string_view within;  // empty: the message itself
  std::string_view name;
};

Path PathOf(const Field& field) {
  const std::string_view path = field.wire_name();
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) return {{}, path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

struct MutableField {
  Message* message;
  const FieldDescriptor* field;
};

MutableField FindMutable(Message& message, const Field& field) {
  const Path path = PathOf(field);
  Message* at = &message;
  if (!path.within.empty()) {
    at = message.GetReflection()->MutableMessage(&message, Find(message, path.within));
  }
  return {at, Find(*at, path.name)};
}

bool IsWide(const FieldDescriptor* field) {
  return field->cpp_type() == FieldDescriptor::CPPTYPE_UINT64;
}

}  // namespace

WireField FindWireField(const Message& message, const Field& field) {
  const Path path = PathOf(field);
  if (path.within.empty()) return {&message, Find(message, path.name)};
  const FieldDescriptor* const part = Find(message, path.within);
  if (!message.GetReflection()->HasField(message, part)) return {};
  const Message& within = message.GetReflection()->GetMessage(message, part);
  return {&within, Find(within, path.name)};
}

bool IsTold(const WireField& at) {
  if (at.message == nullptr) return false;
  return !at.field->has_presence() || at.message->GetReflection()->HasField(*at.message, at.field);
}

uint64_t UnsignedAt(const WireField& at) {
  const auto* const reflection = at.message->GetReflection();
  return IsWide(at.field) ? reflection->GetUInt64(*at.message, at.field)
                          : reflection->GetUInt32(*at.message, at.field);
}

int EnumAt(const WireField& at) {
  return at.message->GetReflection()->GetEnumValue(*at.message, at.field);
}

bool BoolAt(const WireField& at) {
  return at.message->GetReflection()->GetBool(*at.message, at.field);
}

double DoubleAt(const WireField& at) {
  return at.message->GetReflection()->GetDouble(*at.message, at.field);
}

std::string TextAt(const WireField& at) {
  return at.message->GetReflection()->GetString(*at.message, at.field);
}

Pairs PairsAt(const WireField& at) {
  const auto* const reflection = at.message->GetReflection();
  const auto* const entry = at.field->message_type();
  Pairs pairs;
  for (int i = 0; i < reflection->FieldSize(*at.message, at.field); ++i) {
    const Message& pair = reflection->GetRepeatedMessage(*at.message, at.field, i);
    pairs[pair.GetReflection()->GetString(pair, entry->map_key())] =
        pair.GetReflection()->GetString(pair, entry->map_value());
  }
  return pairs;
}

std::vector<uint64_t> ListAt(const WireField& at) {
  const auto* const reflection = at.message->GetReflection();
  std::vector<uint64_t> list;
  for (int i = 0; i < reflection->FieldSize(*at.message, at.field); ++i) {
    list.push_back(reflection->GetRepeatedUInt64(*at.message, at.field, i));
  }
  return list;
}

const Message* MessageAt(const WireField& at) {
  if (at.message == nullptr || !IsTold(at)) return nullptr;
  return &at.message->GetReflection()->GetMessage(*at.message, at.field);
}

void SetWireField(Message& message, const Field& field, uint64_t value) {
  const auto [at, found] = FindMutable(message, field);
  const auto* const reflection = at->GetReflection();
  if (found->cpp_type() == FieldDescriptor::CPPTYPE_ENUM) {
    reflection->SetEnumValue(at, found, static_cast<int>(value));
  } else if (IsWide(found)) {
    reflection->SetUInt64(at, found, value);
  } else {
    reflection->SetUInt32(at, found, static_cast<uint32_t>(value));
  }
}

void SetWireField(Message& message, const Field& field, bool value) {
  const auto [at, found] = FindMutable(message, field);
  at->GetReflection()->SetBool(at, found, value);
}

void SetWireField(Message& message, const Field& field, double value) {
  const auto [at, found] = FindMutable(message, field);
  at->GetReflection()->SetDouble(at, found, value);
}

void SetWireField(Message& message, const Field& field, const std::string& value) {
  const auto [at, found] = FindMutable(message, field);
  at->GetReflection()->SetString(at, found, value);
}

void SetWireField(Message& message, const Field& field, const Pairs& value) {
  const auto [at, found] = FindMutable(message, field);
  const auto* const entry = found->message_type();
  for (const auto& [name, text] : value) {
    Message* const pair = at->GetReflection()->AddMessage(at, found);
    pair->GetReflection()->SetString(pair, entry->map_key(), name);
    pair->GetReflection()->SetString(pair, entry->map_value(), text);
  }
}

void SetWireField(Message& message, const Field& field, const std::vector<uint64_t>& value) {
  const auto [at, found] = FindMutable(message, field);
  for (const uint64_t number : value) at->GetReflection()->AddUInt64(at, found, number);
}

Message& MutableWireMessage(Message& message, const Field& field) {
  const auto [at, found] = FindMutable(message, field);
  return *at->GetReflection()->MutableMessage(at, found);
}

}  // namespace joseki
