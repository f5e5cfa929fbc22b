#include "book/weighing.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "base/problem.h"
#include "book/graph.h"

namespace joseki::book {
namespace {

constexpr std::array<std::pair<BookType, std::string_view>, 7> kTypes = {{
    {BookType::kType1, "type1"},
    {BookType::kType2, "type2"},
    {BookType::kType3, "type3"},
    {BookType::kType4, "type4"},
    {BookType::kType5a, "type5a"},
    {BookType::kType5b, "type5b"},
    {BookType::kType5c, "type5c"},
}};

// Weight of each move where all are equal. Not 0, which means "nothing known".
constexpr int64_t kAlike = 1;

bool ParseCount(std::string_view text, int64_t& value) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos &&
         absl::SimpleAtoi(absl::string_view(text.data(), text.size()), &value);
}

}  // namespace

absl::StatusOr<NoiseFilter> ParseNoiseFilter(std::string_view text) {
  NoiseFilter filter;
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !ParseCount(text.substr(0, slash), filter.position_over) ||
      !ParseCount(text.substr(slash + 1), filter.move_under)) {
    return MakeProblem({"bad_filter", "", 0, Quote(text), "POSITION/MOVE counts such as 100/10"});
  }
  return filter;
}

std::optional<BookType> BookTypeOf(std::string_view name) {
  for (const auto& [type, word] : kTypes) {
    if (word == name) return type;
  }
  return std::nullopt;
}

std::string_view Name(BookType type) { return kTypes[static_cast<size_t>(type)].second; }

std::vector<std::string_view> BookTypeNames() {
  std::vector<std::string_view> names;
  for (const auto& [type, word] : kTypes) names.push_back(word);
  return names;
}

std::optional<int64_t> BaseWeight(BookType type, const MoveHistory& history) {
  const PlayedCounts& pro = history.professional;
  const PlayedCounts& other = history.other;
  const int64_t wins = pro.wins + other.wins;
  const int64_t losses = pro.losses + other.losses;
  const auto weight = [&]() -> std::optional<int64_t> {
    switch (type) {
      case BookType::kType1:
        return kAlike;
      case BookType::kType2:
        return pro.games + other.games;
      case BookType::kType3:
        return wins > 0 ? std::optional(kAlike) : std::nullopt;
      case BookType::kType4:
        return wins > 0 ? std::optional(wins) : std::nullopt;
      case BookType::kType5a:
        return 3 * wins + losses;
      case BookType::kType5b:
        return 3 * pro.games + other.games;
      case BookType::kType5c:
        return 5 * pro.wins + 2 * pro.losses + 3 * other.wins + other.losses;
    }
    return std::nullopt;
  }();
  return weight ? std::optional(std::min(*weight, kMaxBaseWeight)) : std::nullopt;
}

}  // namespace joseki::book
