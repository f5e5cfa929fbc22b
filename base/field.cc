#include "base/field.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/hash.h"
#include "base/printable.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

constexpr size_t kMostNameBytes = 100;  // of a pair

// "0 (none), 1 (27 points) or 2 (24 points)".
std::string NamesOf(const Field& field) {
  std::string text;
  const auto last = static_cast<size_t>(field.most);
  for (auto value = static_cast<size_t>(field.least); value <= last; ++value) {
    const bool first = text.empty();
    absl::StrAppend(&text,
                    first           ? ""
                    : value == last ? " or "
                                    : ", ",
                    value, " (",
                    absl::string_view(field.names[value].data(), field.names[value].size()), ")");
  }
  return text;
}

}  // namespace

std::string Field::told() const {
  return words == nullptr ? absl::StrReplaceAll(name, {{"_", " "}}) : words;
}

absl::Status FieldProblems::At(std::string place, std::string found, std::string expected) const {
  return MakeProblem({.code = code,
                      .file = std::move(place),
                      .found = std::move(found),
                      .expected = std::move(expected)},
                     status);
}

bool InBounds(const Field& field, double value) {
  if (!field.applies) return value == 0;
  if (field.or_none && value == 0) return true;
  return value >= field.least && value <= field.most;
}

std::string BoundsOf(const Field& field, bool real) {
  if (!field.names.empty()) return NamesOf(field);
  const double least = field.applies && !field.or_none ? field.least : 0;
  const double most = field.applies ? field.most : 0;
  if (real) return absl::StrCat(least, " to ", most);
  return absl::StrCat(static_cast<int64_t>(least), " to ", static_cast<int64_t>(most));
}

std::string NumberText(double value) {
  for (int digits = 1; digits < 17; ++digits) {
    std::string text = absl::StrFormat("%.*g", digits, value);
    if (std::strtod(text.c_str(), nullptr) == value) return text;
  }
  return absl::StrFormat("%.17g", value);
}

std::string FieldText(const Field&, const Pairs& value) {
  return value.empty() ? "(none)" : absl::StrJoin(value, ",", absl::PairFormatter("="));
}

absl::Status CheckShown(const std::string& text, size_t bytes, const std::string& place,
                        const FieldProblems& problems) {
  if (text.size() > bytes) {
    return problems.At(place, absl::StrCat(text.size(), " bytes"), absl::StrCat("at most ", bytes));
  }
  if (Printable(text) == text) return absl::OkStatus();
  return problems.At(place, Quote(text), "no control characters");
}

absl::Status CheckField(const Field& field, const std::string& value, const std::string& place,
                        const FieldProblems& problems) {
  if (field.hash) {
    if (value.size() == sizeof(Sha256) || (field.or_none && value.empty())) return absl::OkStatus();
    return problems.At(place, absl::StrCat(value.size(), " bytes"), "the 32 bytes of a SHA-256");
  }
  if (field.rule != nullptr) {
    if (field.rule->allows(value)) return absl::OkStatus();
    return problems.At(place, Quote(value), field.rule->expected);
  }
  return CheckShown(value, field.bytes, place, problems);
}

absl::Status CheckField(const Field& field, const Pairs& value, const std::string& place,
                        const FieldProblems& problems) {
  if (value.size() > field.entries) {
    return problems.At(place, absl::StrCat(value.size(), " entries"),
                       absl::StrCat("at most ", field.entries));
  }
  for (const auto& [name, text] : value) {
    const std::string at = absl::StrCat(place, "[", Quote(name), "]");
    if (field.rule != nullptr) {
      if (!field.rule->allows(name)) return problems.At(at, Quote(name), field.rule->expected);
    } else if (name.empty()) {
      return problems.At(place, "an empty name", "an option's name");
    }
    RETURN_IF_ERROR(CheckShown(name, kMostNameBytes, at, problems));
    RETURN_IF_ERROR(CheckShown(text, field.bytes, at, problems));
  }
  return absl::OkStatus();
}

}  // namespace joseki
