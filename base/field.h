#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

// Tables of fields. A struct that is stored, sent and set on command lines has one function
// template
//
//   template <SameBut<Thing> T, typename Visitor> void VisitFields(T& thing, Visitor& visitor);
//
// which calls `visitor(Field{...}, thing.member)` for each field. For each struct within it,
// optional or not, it calls `visitor.Object(Field{...}, thing.part)`. Readers, writers and checks
// are visitors, so a new field needs a member and a row. Rows are visited in order, and a row may
// depend on the members of earlier ones.
namespace joseki {

// `T` is `Thing` or const Thing.
template <typename T, typename Thing>
concept SameBut = std::same_as<std::remove_const_t<T>, Thing>;

using Pairs = std::map<std::string, std::string>;

// A rule for texts, besides their length.
struct TextRule {
  bool (*allows)(std::string_view);
  const char* expected;  // in problems
};

// The command-line option that sets one field.
struct Flag {
  // The commands that have it: those that make a run, those that make a match as well, or only
  // those for runs of many workers.
  enum class Of : uint8_t { kRuns, kMatches, kClusters };

  const char* name = nullptr;  // "--nodes"; null: there is none
  const char* unit = "";       // "N"
  const char* help = "";
  Of of = Of::kRuns;
};

// A row of the table. Type and default are those of the member; the rest is here.
struct Field {
  const char* name;             // in JSON
  const char* wire = nullptr;   // on the wire, "requirements.cores" within a message; null: `name`
  const char* words = nullptr;  // in sentences; null: `name` with blanks

  // Numbers lie in least .. most. Where the field does not apply, it is 0.
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
  bool or_none = false;  // 0 stands for none
  bool applies = true;
  // On the wire, 0 or absence stands for the default.
  bool zero_is_default = false;
  std::span<const std::string_view> names = {};  // of an enumeration's values, from 0
  bool stored_by_name = false;                   // in JSON; else by number

  // Texts have at most `bytes`, no control characters, and follow `rule` if there is one. For pairs
  // this holds of the values; there are at most `entries`, and their names follow `rule`.
  size_t bytes = 0;
  const TextRule* rule = nullptr;
  bool hash = false;  // the 32 bytes of a SHA-256; may be empty with `or_none`
  size_t entries = 0;

  // The words before an object's fields in problems; null: its name and a dot.
  const char* prefix = nullptr;

  bool stored = true;    // in JSON
  bool compared = true;  // counts when two specifications are compared
  Flag flag = {};

  const char* wire_name() const { return wire == nullptr ? name : wire; }
  std::string told() const;  // `words`
};

// The codes for problems of fields: their own, and that of the status.
struct FieldProblems {
  const char* code;
  absl::StatusCode status = absl::StatusCode::kInvalidArgument;

  absl::Status At(std::string place, std::string found, std::string expected) const;
};

// Whether the row allows the number; false for NaN.
bool InBounds(const Field& field, double value);
// "0 to 90", or the names of the values.
std::string BoundsOf(const Field& field, bool real);

// Checks that the row allows the value; the problem is at `place`.
template <typename Number>
requires std::is_arithmetic_v<Number> absl::Status CheckField(const Field& field, Number value,
                                                              const std::string& place,
                                                              const FieldProblems& problems) {
  if (InBounds(field, static_cast<double>(value))) return absl::OkStatus();
  return problems.At(place, absl::StrCat(value), BoundsOf(field, std::is_floating_point_v<Number>));
}
absl::Status CheckField(const Field& field, const std::string& value, const std::string& place,
                        const FieldProblems& problems);
absl::Status CheckField(const Field& field, const Pairs& value, const std::string& place,
                        const FieldProblems& problems);

// Checks a text for people: at most this many bytes, and no control characters, so that it stays on
// one line of a log.
absl::Status CheckShown(const std::string& text, size_t bytes, const std::string& place,
                        const FieldProblems& problems);

// An enumeration's name by its value, and its value by name; nullopt: no value has that name.
template <typename T>
std::string_view NameIn(std::span<const std::string_view> names, T value) {
  return names[static_cast<size_t>(value)];
}
template <typename T>
std::optional<T> NamedValue(std::span<const std::string_view> names, std::string_view name) {
  for (size_t value = 0; value < names.size(); ++value) {
    if (!name.empty() && names[value] == name) return static_cast<T>(value);
  }
  return std::nullopt;
}

// A value as command-line options and people write it. A number has the fewest digits that read
// back as the same value.
std::string NumberText(double value);
std::string FieldText(const Field& field, const Pairs& value);
template <typename T>
std::string FieldText(const Field& field, const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return std::string(NameIn(field.names, value));
  } else if constexpr (std::same_as<T, double>) {
    return NumberText(value);
  } else {
    return absl::StrCat(value);
  }
}

// A visitor that checks every field of an object, and stops at the first problem.
class FieldCheck {
 public:
  explicit FieldCheck(FieldProblems problems, std::string prefix = "")
      : problems_(problems), prefix_(std::move(prefix)) {}

  template <typename T>
  void operator()(const Field& field, const T& value) {
    if (!status_.ok()) return;
    if constexpr (std::is_enum_v<T>) {
      status_ = CheckField(field, static_cast<uint64_t>(value), prefix_ + field.name, problems_);
    } else if constexpr (!std::same_as<T, bool> &&
                         requires { CheckField(field, value, prefix_, problems_); }) {
      status_ = CheckField(field, value, prefix_ + field.name, problems_);
    }
  }
  template <typename T>
  void Object(const Field& field, const T& object) {
    if constexpr (requires { object.has_value(); }) {
      if (object.has_value()) Object(field, *object);
    } else if (status_.ok()) {
      FieldCheck within(problems_,
                        field.prefix == nullptr ? absl::StrCat(field.name, ".") : field.prefix);
      VisitFields(object, within);
      status_ = within.status();
    }
  }
  const absl::Status& status() const { return status_; }

 private:
  const FieldProblems problems_;
  const std::string prefix_;
  absl::Status status_;
};

}  // namespace joseki
