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
// Names of languages for options: "en", "ja".
std::vector<std::string> LanguageNames();

Language LanguageNamed(std::string_view name);
// The language of the locale. The first of LC_ALL, LC_MESSAGES and LANG that is set and not empty
// counts: Japanese if it begins with "ja", as in ja_JP.UTF-8.
Language LanguageOfLocale(const std::function<const char*(const char*)>& environment);

// Language and move notation of texts for people.
class Voice {
 public:
  Voice() = default;
  // `moves`: the name of a notation (book/records/move_notation.h). If it is empty or belongs to
  // another game, the usual notation of the language applies.
  Voice(Language language, std::string moves) : language_(language), moves_(std::move(moves)) {}

  Language language() const { return language_; }
  const std::string& moves() const { return moves_; }

  // The phrase in this language, filled with values: numbers and texts.
  template <typename... Values>
  std::string Say(const Phrase& phrase, const Values&... values) const {
    return absl::Substitute(TextOf(phrase), values...);
  }

  // The text of a move of the position; `before` is the move that led there, if it is known. A move
  // that is not legal there, or has no position, is written as the rules write it.
  std::string MoveText(const Rules& rules, const PackedPosition& position, Move move,
                       Move before = Move()) const;
  // The overload for a position in the rules' text form.
  std::string MoveText(const Rules& rules, std::string_view position, Move move) const;
  // The moves of a line from `start`, separated by blanks; it ends before the first illegal one.
  std::string LineText(const Rules& rules, const PackedPosition& start,
                       std::span<const Move> moves) const;

 private:
  std::string TextOf(const Phrase& phrase) const;

  Language language_ = Language::kEnglish;
  std::string moves_;
};

// The width of a UTF-8 text in columns of a terminal: kanji and kana take two each.
size_t Columns(std::string_view text);
// `text` padded to `columns` with blanks behind it (Right) or before it (Left).
std::string PaddedRight(std::string_view text, size_t columns);
std::string PaddedLeft(std::string_view text, size_t columns);
// `text` cut to `columns`.
std::string CutTo(std::string_view text, size_t columns);

}  // namespace joseki::cli
