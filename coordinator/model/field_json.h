#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/field.h"
#include "base/problem.h"
#include "nlohmann/json.hpp"

// JSON of structs that have a table of fields (base/field.h), in the database's form.
namespace joseki::coordinator {

// A visitor that writes every stored field, whatever its value; optional objects only if present.
class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::json& json) : json_(json) { json_ = nlohmann::json::object(); }

  template <typename T>
  void operator()(const Field& field, const T& value) {
    if (!field.stored) return;
    nlohmann::json& json = json_[field.name];
    if constexpr (std::is_enum_v<T>) {
      if (field.stored_by_name) {
        json = std::string(NameIn(field.names, value));
      } else {
        json = static_cast<uint64_t>(value);
      }
    } else if constexpr (std::same_as<T, int>) {
      json = static_cast<uint64_t>(value);  // never negative
    } else if constexpr (std::same_as<T, std::string>) {
      json = field.hash ? absl::BytesToHexString(value) : value;
    } else {
      json = value;
    }
  }
  template <typename T>
  void Object(const Field& field, const T& object) {
    if constexpr (requires { object.has_value(); }) {
      if (object.has_value()) Object(field, *object);
    } else {
      JsonWriter within(json_[field.name]);
      VisitFields(object, within);
    }
  }

 private:
  nlohmann::json& json_;
};

// A visitor that reads every stored field, each once, and at the end reports keys that are not in
// the table. Keys and types are checked strictly, bounds only as far as the type requires. Optional
// objects may be absent.
class JsonReader {
 public:
  JsonReader(const nlohmann::json& object, std::string name, FieldProblems problems,
             std::string prefix)
      : object_(object), name_(std::move(name)), problems_(problems), prefix_(std::move(prefix)) {
    if (!object.is_object()) status_ = problems_.At(name_, "no object", "an object");
  }

  template <typename T>
  void operator()(const Field& field, T& value) {
    if (!field.stored) return;
    const nlohmann::json* const json = Find(field.name);
    if (json == nullptr) return;
    if constexpr (std::same_as<T, bool>) {
      if (!json->is_boolean()) return Fail(field.name, *json, "true or false");
      value = json->get<bool>();
    } else if constexpr (std::same_as<T, double>) {
      if (!json->is_number()) return Fail(field.name, *json, "a number");
      value = json->get<double>();
    } else if constexpr (std::is_enum_v<T>) {
      TakeEnum(field, *json, value);
    } else if constexpr (std::is_integral_v<T>) {
      if (!json->is_number_unsigned() ||
          json->get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<T>::max())) {
        return Fail(field.name, *json, "a whole number in range");
      }
      value = static_cast<T>(json->get<uint64_t>());
    } else if constexpr (std::same_as<T, std::string>) {
      if (!json->is_string()) return Fail(field.name, *json, "text");
      value = json->get<std::string>();
      if (field.hash) value = absl::HexStringToBytes(value);
    } else if constexpr (std::same_as<T, Pairs>) {
      if (!json->is_object()) return Fail(field.name, *json, "an object of texts");
      for (const auto& [name, text] : json->items()) {
        if (!text.is_string()) return Fail(field.name, text, "text");
        value[name] = text.template get<std::string>();
      }
    } else {
      static_assert(std::same_as<T, std::vector<uint64_t>>);
      if (!json->is_array()) return Fail(field.name, *json, "an array of numbers");
      for (const nlohmann::json& number : *json) {
        if (!number.is_number_unsigned()) return Fail(field.name, number, "the number of a run");
        value.push_back(number.get<uint64_t>());
      }
    }
  }
  template <typename T>
  void Object(const Field& field, std::optional<T>& object) {
    if (!status_.ok() || !object_.contains(field.name)) return;
    Object(field, object.emplace());
  }
  template <typename T>
  void Object(const Field& field, T& object) {
    const nlohmann::json* const json = Find(field.name);
    if (json == nullptr) return;
    JsonReader within(*json, field.name, problems_,
                      field.prefix == nullptr ? absl::StrCat(field.name, ".") : field.prefix);
    VisitFields(object, within);
    status_ = within.Finish();
  }

  absl::Status Finish() const {
    if (!status_.ok()) return status_;
    for (const auto& item : object_.items()) {
      if (taken_.count(item.key()) == 0) {
        return problems_.At(name_, absl::StrCat("key ", Quote(item.key())),
                            "the keys of this version");
      }
    }
    return absl::OkStatus();
  }

 private:
  const nlohmann::json* Find(const char* key) {
    if (!status_.ok()) return nullptr;
    taken_.insert(key);
    const auto at = object_.find(key);
    if (at != object_.end()) return &*at;
    status_ = problems_.At(absl::StrCat(name_, ".", key), "nothing", "the key");
    return nullptr;
  }

  template <typename T>
  void TakeEnum(const Field& field, const nlohmann::json& json, T& value) {
    if (field.stored_by_name) {
      if (!json.is_string()) return Fail(field.name, json, "text");
      const auto named = NamedValue<T>(field.names, json.get<std::string>());
      if (!named) return Fail(field.name, json, BoundsOf(field, /*real=*/false));
      value = *named;
      return;
    }
    if (!json.is_number_unsigned()) return Fail(field.name, json, "a whole number in range");
    const auto number = json.get<uint64_t>();
    status_ = CheckField(field, number, prefix_ + field.name, problems_);
    value = static_cast<T>(number);
  }

  void Fail(const char* key, const nlohmann::json& found, std::string expected) {
    status_ = problems_.At(absl::StrCat(name_, ".", key), Quote(found.dump()), std::move(expected));
  }

  const nlohmann::json& object_;
  const std::string name_;
  const FieldProblems problems_;
  const std::string prefix_;  // before keys whose values are out of bounds
  std::set<std::string> taken_;
  absl::Status status_;
};

}  // namespace joseki::coordinator
