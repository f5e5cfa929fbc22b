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

// Options of the command line for those fields of a table (base/field.h) that have one.
namespace joseki::cli {

// The names of an enumeration's values that have one.
inline std::vector<std::string> WordsOf(std::span<const std::string_view> names) {
  std::vector<std::string> words(names.begin(), names.end());
  std::erase(words, "");
  return words;
}

// Adds those of some kinds to a command; what is visited outlives the parse, and has their
// defaults.
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

// Sets to 0 what does not apply: limits and counts whose options have a default all the same.
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

// Collects the words with which the options set the fields as they are, in the order of the rows.
class FlagWords {
 public:
  struct Word {
    std::string flag;
    std::string value;
    bool alone = false;  // the flag without a value; `value` is empty where it is not given
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
