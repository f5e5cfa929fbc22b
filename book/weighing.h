#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace joseki::book {

// Results of one book move in the game records of one class of players, for the side that played
// it.
struct PlayedCounts {
  int64_t games = 0;  // including those without a result
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;
};

struct MoveHistory {
  PlayedCounts professional;
  PlayedCounts other;
};

// The thesis's noise filter. A move played fewer than `move_under` times, in a position seen more
// than `position_over` times, is a slip. The thesis leaves exactly 100 and exactly 10 open; here a
// position seen 100 times is left alone, and a move played 10 times stays.
struct NoiseFilter {
  int64_t position_over = 100;
  int64_t move_under = 10;

  bool Keeps(int64_t position_games, int64_t move_games) const {
    return position_games <= position_over || move_games >= move_under;
  }
  bool operator==(const NoiseFilter&) const = default;
};

// "100/10". InvalidArgument "bad_filter" for anything but two counts.
absl::StatusOr<NoiseFilter> ParseNoiseFilter(std::string_view text);

// The thesis's rules for weighing a base book by its game records.
enum class BookType : uint8_t {
  kType1,   // all moves equally
  kType2,   // times played
  kType3,   // only moves that won, equally
  kType4,   // only moves that won, by wins
  kType5a,  // 3 for a win, 1 for a loss
  kType5b,  // 3 for a professional's game, 1 for another's
  kType5c,  // professional 5 and 2, other 3 and 1, for a win and a loss
};

// The type of a name, "type1" to "type5c"; nullopt for any other word.
std::optional<BookType> BookTypeOf(std::string_view name);
std::string_view Name(BookType type);
// Every name, in order, for messages and --help.
std::vector<std::string_view> BookTypeNames();

// Base weight of a move; nullopt if a book of this type leaves the move out. Games without a winner
// count only in the types that count games (2 and 5b); the thesis is silent on them.
std::optional<int64_t> BaseWeight(BookType type, const MoveHistory& history);

}  // namespace joseki::book
