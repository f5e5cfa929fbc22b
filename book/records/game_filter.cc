#include "book/records/game_filter.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/time/civil_time.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

constexpr int kFirstYear = 1500;
constexpr int kLastYear = 2999;

// The numbers in `text`, at most three, with at most eight digits each.
std::vector<int> NumbersOf(std::string_view text) {
  std::vector<int> numbers;
  for (size_t i = 0; i < text.size() && numbers.size() < 3;) {
    if (!absl::ascii_isdigit(text[i])) {
      ++i;
      continue;
    }
    int number = 0;
    size_t digits = 0;
    for (; i < text.size() && absl::ascii_isdigit(text[i]); ++i, ++digits) {
      if (digits < 8) number = number * 10 + (text[i] - '0');
    }
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::optional<int> DayOf(std::string_view date) {
  std::vector<int> numbers = NumbersOf(date);
  if (numbers.empty()) return std::nullopt;
  // One number with eight digits, such as 20190501.
  if (numbers[0] >= kFirstYear * 10'000) {
    numbers = {numbers[0] / 10'000, numbers[0] / 100 % 100, numbers[0] % 100};
  }
  numbers.resize(3);
  if (numbers[0] < kFirstYear || numbers[0] > kLastYear) return std::nullopt;
  const int month = numbers[1] <= 12 ? numbers[1] : 0;
  const int day = month > 0 && numbers[2] <= 31 ? numbers[2] : 0;
  return numbers[0] * 10'000 + month * 100 + day;
}

absl::StatusOr<int> ParseDay(std::string_view text, bool last) {
  constexpr std::string_view kForm = "0000-00-00";
  bool fits = text.size() == 4 || text.size() == 7 || text.size() == kForm.size();
  for (size_t i = 0; fits && i < text.size(); ++i) {
    fits = kForm[i] == '0' ? absl::ascii_isdigit(text[i]) : text[i] == kForm[i];
  }
  const std::vector<int> numbers = fits ? NumbersOf(text) : std::vector<int>{0};
  const int year = numbers[0];
  const int month = numbers.size() > 1 ? numbers[1] : 1;
  const int day = numbers.size() > 2 ? numbers[2] : 1;
  // A day that does not exist is normalised to another one, and thus detected.
  const absl::CivilDay civil(year, month, day);
  if (year < kFirstYear || year > kLastYear || civil.month() != month || civil.day() != day) {
    return MakeProblem({.code = "bad_date",
                        .found = Quote(text),
                        .expected = "a day: 2019, 2019-05 or 2019-05-01"});
  }
  const int whole = last ? 99 : 0;
  return year * 10'000 + (numbers.size() > 1 ? month : whole) * 100 +
         (numbers.size() > 2 ? day : whole);
}

bool GameFilter::Keeps(const GameRecord& game) const {
  if (min_rating.has_value()) {
    for (const std::optional<int>& rating : game.ratings) {
      if (!rating.has_value() || *rating < *min_rating) return false;
    }
  }
  if (since.has_value() || until.has_value()) {
    const std::optional<int> day = DayOf(game.date);
    if (!day.has_value() || *day < since.value_or(0) || *day > until.value_or(99'999'999)) {
      return false;
    }
  }
  if (result.has_value() && game.result != *result) return false;
  if (decided && game.result != Result::kFirstWins && game.result != Result::kSecondWins) {
    return false;
  }
  if (players.empty()) return true;
  return std::any_of(players.begin(), players.end(), [&](const std::string& wanted) {
    return game.players[0].find(wanted) != std::string::npos ||
           game.players[1].find(wanted) != std::string::npos;
  });
}

}  // namespace joseki::book
