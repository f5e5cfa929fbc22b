#include "book/records/opinion.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "book/records/lines.h"

namespace joseki::book {
namespace {

constexpr int kMate = 32'000;
constexpr std::string_view kValue = "評価値";
constexpr std::string_view kDepth = "深さ";

// Parses the number at the front of `text`, after blanks and a plus sign. Nullopt if there is none,
// or if it is out of range for a value.
std::optional<int> Number(std::string_view text) {
  text = Trimmed(text);
  Take(text, "+");
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < -kMate || number > kMate) return std::nullopt;
  return number;
}

// Parses a value in centipawns, or "+詰 5".
std::optional<int> Value(std::string_view text) {
  text = Trimmed(text);
  const int sign = text.starts_with("-") ? -1 : 1;
  std::string_view mate = text;
  if ((Take(mate, "+") || Take(mate, "-")) && Take(mate, "詰")) {
    return sign * (kMate - std::abs(Number(mate).value_or(0)));
  }
  return Number(text);
}

std::string_view After(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + word.size());
}

// Converts to the mover's side: moves at odd plies are Black's.
Opinion OfMover(int ply, int value, int depth) {
  return {.ply = ply, .value = ply % 2 == 1 ? value : -value, .depth = depth};
}

}  // namespace

void TakeOpinion(std::string_view comment, int ply, std::vector<Opinion>& opinions) {
  if (ply < 1) return;
  const std::string_view words = comment;
  while (Take(comment, "*") || Take(comment, "#")) {
  }
  if (Take(comment, kValue) && Take(comment, "=")) {
    if (const auto value = Value(comment)) opinions.push_back(OfMover(ply, *value, 0));
    return;
  }
  if (Take(comment, kDepth) && Take(comment, "=")) {
    const auto depth = Number(comment);
    if (depth && *depth >= 0 && !opinions.empty() && opinions.back().ply == ply) {
      opinions.back().depth = *depth;
    }
    return;
  }
  if (!words.starts_with("*対局 ")) return;
  const std::string_view candidate = After(words, "候補");
  if (!candidate.empty() && !candidate.starts_with("1 ")) return;
  const auto depth = Number(After(words, kDepth));
  const auto value = Value(After(words, kValue));
  if (depth && *depth >= 0 && value) opinions.push_back(OfMover(ply, *value, *depth));
}

void TakeCsaOpinion(std::string_view comment, int ply, std::vector<Opinion>& opinions) {
  if (ply < 1 || !Take(comment, "** ")) return;
  if (const auto value = Number(comment)) opinions.push_back(OfMover(ply, *value, 0));
}

}  // namespace joseki::book
