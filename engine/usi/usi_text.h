#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/types.h"
#include "engine/search/limits.h"
#include "engine/shogi/mate/mate_solver.h"

// USI as text: what the lines of a user interface say, and how the engine answers. Pure functions;
// nothing here knows a position.
namespace joseki::usi {

// The words of `line`, separated by spaces, tabs or a carriage return.
std::vector<std::string_view> Words(std::string_view line);

// "position startpos|sfen <board> <side> <hands> [<ply>] [moves <move>...]"
struct PositionCommand {
  std::string start;  // "startpos" or the SFEN
  std::vector<std::string> moves;
};
// `words` are those after "position". InvalidArgument "bad_position".
absl::StatusOr<PositionCommand> ParsePosition(const std::vector<std::string_view>& words);

// What a clock shows, in milliseconds.
struct ClockTimes {
  int64_t remaining[2] = {0, 0};  // by Color
  int64_t increment[2] = {0, 0};
  int64_t byoyomi = 0;
};

// "go ..."; 0 where a limit is not given.
struct GoCommand {
  bool infinite = false;
  bool ponder = false;
  bool mate = false;    // the reply is "checkmate", not "bestmove"
  int64_t mate_ms = 0;  // 0: until the answer is known
  uint64_t nodes = 0;
  int depth = 0;
  int64_t movetime = 0;
  bool has_clock = false;
  ClockTimes clock;
  std::vector<std::string> search_moves;  // empty: all
};
// `words` are those after "go". InvalidArgument "bad_go": unknown word, missing or impossible
// number.
absl::StatusOr<GoCommand> ParseGo(const std::vector<std::string_view>& words);

// "setoption name <name> [value <value>]"
struct OptionCommand {
  std::string name;
  std::string value;
};
// `words` are those after "setoption". InvalidArgument "bad_setoption".
absl::StatusOr<OptionCommand> ParseOption(const std::vector<std::string_view>& words);

// Turns a value into "cp 123", "mate 5" or "mate -4"; mates count plies.
std::string FormatScore(Value value);
// "info depth ... pv ...".
std::string FormatInfo(const SearchInfo& info);
// "checkmate ...": the line of a mate, "nomate", or "timeout" where the answer is not known.
std::string FormatCheckmate(const shogi::MateResult& result);
// "bestmove ...": "win" for a declaration, "resign" where there is no move.
std::string FormatBestMove(const SearchResult& result, bool with_ponder);

}  // namespace joseki::usi
