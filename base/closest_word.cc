#include "base/closest_word.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace joseki {
namespace {

// The longest word that is compared; words typed by hand are shorter. Time is its square.
constexpr size_t kMostLetters = 64;

size_t Distance(std::string_view a, std::string_view b) {
  // Three rows of the usual edit-distance table: the two before, and the current one.
  std::vector<size_t> older(b.size() + 1);
  std::vector<size_t> old(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    std::swap(older, old);
    std::swap(old, row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, old[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], older[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string ClosestWord(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > kMostLetters) return "";
  const std::string* closest = nullptr;
  size_t least = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kMostLetters) continue;
    const size_t distance = Distance(word, candidate);
    if (distance >= least) continue;
    least = distance;
    closest = &candidate;
  }
  if (closest != nullptr) return *closest;
  constexpr size_t kBeginning = 3;
  for (const std::string& candidate : candidates) {
    if (word.size() >= kBeginning && candidate.starts_with(word)) return candidate;
  }
  // Else try a part of a longer name: "db" of "yaneuraou-db".
  for (const std::string& candidate : candidates) {
    if (word.size() >= 2 && candidate.ends_with("-" + std::string(word))) return candidate;
  }
  return "";
}

std::string DidYouMean(std::string_view word, std::span<const std::string> candidates) {
  const std::string closest = ClosestWord(word, candidates);
  return closest.empty() ? "" : absl::StrCat("; did you mean ", closest, "?");
}

}  // namespace joseki
