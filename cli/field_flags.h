#pragma once

#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "base/field.h"
#include "base/option_choice.h"
#include "base/option_range.h"

// Command-line options for the fields of a table (base/field.h) that have a flag.
namespace joseki::cli {

// The names of an enumeration's values, without the empty ones of values that no option offers.
inline std::vector<std::string> WordsOf(std::span<const std::string_view> names) {
  std::vector<std::string> words(names.begin(), names.end());
  std::erase(words, "");
  return words;
}

// Adds the options of the given kinds to a command, with the visited object's values as defaults.
// The visited object outlives the parse.
class FlagAdder {
 public:
  FlagAdder(CLI::App& command, std::set<Flag::Of> kinds)
      : command_(command), kinds_(std::move(kinds)) {}

  template <typename T>
  void operator()(const Field& field, T& value) {
    const Flag& flag = field.flag;
    if (flag.name == nullptr || kinds_.count(flag.of) == 0) return;
    if constexpr (std::is_same_v<T, bool>) {
      command_.add_flag(flag.name, value, flag.help);
    } else if constexpr (std::is_enum_v<T>) {
      AddNamed(field, value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      CLI::Option* const option =
          command_.add_option(flag.name, value, flag.help)->type_name(flag.unit);
      if (field.most < std::numeric_limits<double>::infinity()) {
        option->check(Within(static_cast<T>(field.least), static_cast<T>(field.most)));
      }
      if (value != 0 || !field.or_none) option->capture_default_str();
    } else {
      CLI::Option* const option =
          command_.add_option(flag.name, value, flag.help)->type_name(flag.unit);
      if (!value.empty()) option->capture_default_str();
    }
  }
  template <typename T>
  void Object(const Field&, std::optional<T>&) {}
  template <typename T>
  void Object(const Field&, T& object) {
    VisitFields(object, *this);
  }

 private:
  template <typename T>
  void AddNamed(const Field& field, T& value) {
    const auto set = [&value, names = field.names](const std::string& word) {
      value = NamedValue<T>(names, word).value_or(value);
    };
    command_.add_option_function<std::string>(field.flag.name, set, field.flag.help)
        ->check(OneOf(WordsOf(field.names)))
        ->default_str(FieldText(field, value));
  }

  CLI::App& command_;
  const std::set<Flag::Of> kinds_;
};

// Sets numbers to 0 that do not apply: an unused limit or count still has its option's default.
class UnusedDropper {
 public:
  template <typename T>
  void operator()(const Field& field, T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      if (!field.applies) value = T();
    }
  }
  template <typename T>
  void Object(const Field&, std::optional<T>&) {}
  template <typename T>
  void Object(const Field&, T& object) {
    VisitFields(object, *this);
  }
};

template <typename T>
T WithoutUnused(T spec) {
  UnusedDropper drop;
  VisitFields(spec, drop);
  return spec;
}

// Collects, in the order of the table's rows, the options and values that would reproduce the
// visited object.
class FlagWords {
 public:
  struct Word {
    std::string flag;
    std::string value;
    bool alone = false;  // a flag without a value; then `value` is "true" if it is set, else empty
    bool applies = false;
  };

  template <typename T>
  void operator()(const Field& field, const T& value) {
    if (field.flag.name == nullptr) return;
    Word word{field.flag.name, "", std::is_same_v<T, bool>, field.applies};
    if constexpr (std::is_same_v<T, bool>) {
      if (value) word.value = "true";
    } else {
      word.value = FieldText(field, value);
    }
    words_.push_back(std::move(word));
  }
  template <typename T>
  void Object(const Field&, const std::optional<T>&) {}
  template <typename T>
  void Object(const Field&, const T& object) {
    VisitFields(object, *this);
  }
  const std::vector<Word>& words() const { return words_; }

 private:
  std::vector<Word> words_;
};

}  // namespace joseki::cli
