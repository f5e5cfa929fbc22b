#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/field.h"

namespace joseki::testing {

// Gives every field of a table (base/field.h) another allowed value, and creates the optional
// objects. A new field thus enters all tests derived from the rows without further work.
class FieldFiller {
 public:
  template <typename T>
  void operator()(const Field& field, T& value) {
    if constexpr (std::same_as<T, bool>) {
      value = !value;
    } else if constexpr (std::is_enum_v<T>) {
      const auto most = static_cast<T>(static_cast<int>(field.most));
      value = value == most ? static_cast<T>(static_cast<int>(field.least)) : most;
    } else if constexpr (std::is_arithmetic_v<T>) {
      value = field.applies ? OtherNumber(field, value) : T();
    } else if constexpr (std::same_as<T, std::string>) {
      value = OtherText(field);
    } else if constexpr (std::same_as<T, Pairs>) {
      value = {{"name", "value"}};
    } else {
      static_assert(std::same_as<T, std::vector<uint64_t>>);
      value = {3, 5};
    }
  }
  template <typename T>
  void Object(const Field& field, std::optional<T>& object) {
    Object(field, object.emplace());
  }
  template <typename T>
  void Object(const Field&, T& object) {
    VisitFields(object, *this);
  }

 private:
  template <typename T>
  static T OtherNumber(const Field& field, T value) {
    if (field.most == std::numeric_limits<double>::infinity()) return value + 1;
    const auto most = static_cast<T>(field.most);
    return value == most ? static_cast<T>(field.least) : most;
  }
  // A hash, as bytes or as text; the text is also a valid id, name and text.
  static std::string OtherText(const Field& field) {
    return std::string(field.hash ? 32 : 64, 'a');
  }
};

template <typename T>
T Filled() {
  T thing;
  FieldFiller fill;
  VisitFields(thing, fill);
  return thing;
}

}  // namespace joseki::testing
