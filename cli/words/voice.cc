#include "cli/words/voice.h"

#include <iterator>
#include <memory>

#include "absl/strings/str_cat.h"
#include "book/records/move_notation.h"

namespace joseki::cli {
namespace {

constexpr std::string_view kLanguages[] = {"en", "ja"};

// The length in bytes of the UTF-8 character at `at`.
size_t LengthAt(std::string_view text, size_t at) {
  size_t length = 1;
  while (at + length < text.size() &&
         (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80) {
    ++length;
  }
  return length;
}

// The width of a character in columns. It is two for kana, kanji, wide forms and the marks of the
// sides, one for the marks of bars and lines.
size_t WidthOf(std::string_view character) {
  if (character.size() < 3) return 1;
  if (character.size() > 3) return 2;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(character[i]); };
  const unsigned code = (byte(0) & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
  const bool narrow_form = code >= 0xFF61 && code <= 0xFFDC;
  return code >= 0x2E80 && !narrow_form ? 2 : 1;
}

}  // namespace

std::vector<std::string> LanguageNames() { return {std::begin(kLanguages), std::end(kLanguages)}; }

Language LanguageNamed(std::string_view name) {
  return name.starts_with(kLanguages[1]) ? Language::kJapanese : Language::kEnglish;
}

Language LanguageOfLocale(const std::function<const char*(const char*)>& environment) {
  for (const char* const name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* const value = environment(name);
    if (value != nullptr && *value != '\0') return LanguageNamed(value);
  }
  return Language::kEnglish;
}

std::string Voice::TextOf(const Phrase& phrase) const {
  return std::string(language_ == Language::kJapanese ? phrase.japanese() : phrase.english());
}

std::string Voice::MoveText(const Rules& rules, const PackedPosition& position, Move move,
                            Move before) const {
  const auto state = rules.Start(position, MatchRules{});
  if (!state.ok() || !(*state)->Play(move)) return rules.Text(move);
  const book::MoveNotation* notation = book::NotationNamed(rules.game(), moves_);
  if (notation == nullptr) {
    notation = &book::UsualNotation(rules.game(), kLanguages[static_cast<size_t>(language_)]);
  }
  return notation->write(position, move, before);
}

std::string Voice::MoveText(const Rules& rules, std::string_view position, Move move) const {
  const auto state = rules.Start(position, MatchRules{});
  return state.ok() ? MoveText(rules, (*state)->packed(), move) : rules.Text(move);
}

std::string Voice::LineText(const Rules& rules, const PackedPosition& start,
                            std::span<const Move> moves) const {
  std::string text;
  const auto state = rules.Start(start, MatchRules{});
  if (!state.ok()) return text;
  Move before;
  for (const Move move : moves) {
    const PackedPosition here = (*state)->packed();
    if (!(*state)->Play(move)) break;
    absl::StrAppend(&text, text.empty() ? "" : " ", MoveText(rules, here, move, before));
    before = move;
  }
  return text;
}

size_t Columns(std::string_view text) {
  size_t columns = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = LengthAt(text, at);
    columns += WidthOf(text.substr(at, length));
    at += length;
  }
  return columns;
}

std::string PaddedRight(std::string_view text, size_t columns) {
  const size_t width = Columns(text);
  return std::string(text) + std::string(width < columns ? columns - width : 0, ' ');
}

std::string PaddedLeft(std::string_view text, size_t columns) {
  const size_t width = Columns(text);
  return std::string(width < columns ? columns - width : 0, ' ') + std::string(text);
}

std::string CutTo(std::string_view text, size_t columns) {
  size_t seen = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = LengthAt(text, at);
    seen += WidthOf(text.substr(at, length));
    if (seen > columns) return std::string(text.substr(0, at));
    at += length;
  }
  return std::string(text);
}

}  // namespace joseki::cli
