#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "book/records/record.h"
#include "engine/core/outcome.h"

namespace joseki::book {

// Selects games of a record file. A record that lacks a fact fails every condition on it.
struct GameFilter {
  std::optional<int> min_rating;     // of both players
  std::optional<int> since;          // yyyymmdd, first day
  std::optional<int> until;          // yyyymmdd, last day
  std::optional<Result> result;      // kFirstWins, kSecondWins or kDraw
  bool decided = false;              // one side won
  std::vector<std::string> players;  // a player's name contains one of these

  bool any() const { return min_rating || since || until || result || decided || !players.empty(); }
  bool Keeps(const GameRecord& game) const;
};

// The day in the text of a record's date, as yyyymmdd: "2019/05/01 10:00:00", "2019-5-1",
// "2019年5月1日". A missing month or day is 0. Nullopt without a year.
std::optional<int> DayOf(std::string_view date);

// A day as a user writes it: 2019, 2019-05 or 2019-05-01. With `last` the last day of a year or
// month, otherwise the first. InvalidArgument "bad_date".
absl::StatusOr<int> ParseDay(std::string_view text, bool last);

}  // namespace joseki::book
