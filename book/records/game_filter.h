#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/records/record.h"
#include "engine/core/outcome.h"

namespace joseki::book {

// Selects games of a record file. A record that lacks a fact does not satisfy a demand for it.
struct GameFilter {
  std::optional<int> min_rating;     // of both players
  std::optional<int> since;          // yyyymmdd, the first day wanted
  std::optional<int> until;          // the last one
  std::optional<Result> result;      // kFirstWins, kSecondWins or kDraw
  bool decided = false;              // somebody won
  std::vector<std::string> players;  // one of the two has one of these in the name

  bool any() const { return min_rating || since || until || result || decided || !players.empty(); }
  bool Keeps(const GameRecord& game) const;
};

// The day that the text of a record's date names, as yyyymmdd: "2019/05/01 10:00:00", "2019-5-1",
// "2019年5月1日". What is not named of it (month, day) is 0. Nullopt where no year is.
std::optional<int> DayOf(std::string_view date);

// A day of the calendar as a user gives it: 2019, 2019-05 or 2019-05-01; the last day that it may
// mean where `last`. InvalidArgument "bad_date".
absl::StatusOr<int> ParseDay(std::string_view text, bool last);

}  // namespace joseki::book
