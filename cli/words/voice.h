#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/substitute.h"
#include "cli/words/phrase.h"
#include "engine/core/rules.h"

namespace joseki::cli {

enum class Language { kEnglish, kJapanese };
// As options name them: "en", "ja".
std::vector<std::string> LanguageNames();

Language LanguageNamed(std::string_view name);
// What the locale says: Japanese where the first of LC_ALL, LC_MESSAGES and LANG that is set and
// not empty begins with "ja", as in ja_JP.UTF-8.
Language LanguageOfLocale(const std::function<const char*(const char*)>& environment);

// How the terminal speaks: in which language, and how it writes moves.
class Voice {
 public:
  Voice() = default;
  // `moves`: a notation's name (book/records/move_notation.h). Empty, or of another game than is
  // spoken of: what the readers of the language expect.
  Voice(Language language, std::string moves) : language_(language), moves_(std::move(moves)) {}

  Language language() const { return language_; }
  const std::string& moves() const { return moves_; }

  // The phrase with its values: numbers and texts.
  template <typename... Values>
  std::string Say(const Phrase& phrase, const Values&... values) const {
    return absl::Substitute(TextOf(phrase), values...);
  }

  // A move of the position; `before` is the one that led there, if it is known. What is not legal
  // there, or where there is no position, is written as the rules write it.
  std::string MoveText(const Rules& rules, const PackedPosition& position, Move move,
                       Move before = Move()) const;
  // The same of a position as the rules write it.
  std::string MoveText(const Rules& rules, std::string_view position, Move move) const;
  // Moves of a line from `start`, with blanks between. It ends before one that is not legal.
  std::string LineText(const Rules& rules, const PackedPosition& start,
                       std::span<const Move> moves) const;

 private:
  std::string TextOf(const Phrase& phrase) const;

  Language language_ = Language::kEnglish;
  std::string moves_;
};

// How many columns of a terminal a text takes: kanji and kana two each, UTF-8.
size_t Columns(std::string_view text);
// `text` with blanks behind it, or before it, up to so many columns.
std::string PaddedRight(std::string_view text, size_t columns);
std::string PaddedLeft(std::string_view text, size_t columns);
// Cut to so many columns.
std::string CutTo(std::string_view text, size_t columns);

}  // namespace joseki::cli
