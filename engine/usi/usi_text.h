#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/core/mate_result.h"
#include "engine/core/types.h"
#include "engine/search/limits.h"
#include "engine/usi/protocol.h"

// USI and its relatives as text: what the lines of a user interface say, and how the engine
// answers. Pure functions; nothing here knows a position. Where no protocol is given, USI is meant.
namespace joseki::usi {

// The words of `line`, separated by spaces, tabs or a carriage return.
std::vector<std::string_view> Words(std::string_view line);

// "position startpos|sfen <board> <side> <hands> [<ply>] [moves <move>...]", or "fen" and its
// fields
struct PositionCommand {
  std::string start;  // "startpos", or the SFEN or FEN
  std::vector<std::string> moves;
};
// `words` are those after "position". InvalidArgument "bad_position".
absl::StatusOr<PositionCommand> ParsePosition(const std::vector<std::string_view>& words,
                                              const Protocol& protocol = DefaultProtocol());

// What a clock shows, in milliseconds.
struct ClockTimes {
  int64_t remaining[2] = {0, 0};  // by Color
  int64_t increment[2] = {0, 0};
  int64_t byoyomi = 0;
  int moves_to_go = 0;  // until more time is given; 0: unknown
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
// number. `mover`: whose clock is meant where a word does not say it.
absl::StatusOr<GoCommand> ParseGo(const std::vector<std::string_view>& words,
                                  const Protocol& protocol = DefaultProtocol(),
                                  Color mover = Color::kFirst);

// "setoption name <name> [value <value>]", or "setoption <name> [<value>]"
struct OptionCommand {
  std::string name;
  std::string value;
};
// `words` are those after "setoption". InvalidArgument "bad_setoption".
absl::StatusOr<OptionCommand> ParseOption(const std::vector<std::string_view>& words,
                                          const Protocol& protocol = DefaultProtocol());

// Turns a value into "cp 123", "mate 5" or "mate -4"; mates count plies, or moves of who mates. Or
// the number alone.
std::string FormatScore(Value value, const Protocol& protocol);
// A move's ranks, each moved by so many: "h9e9" becomes "h10e10".
std::string WithRanks(std::string_view move, int by);

// How moves are written.
using MoveText = std::function<std::string(Move)>;
// "info depth ... pv ..."; two lines where the protocol has it so.
std::string FormatInfo(const SearchInfo& info, const Protocol& protocol, const MoveText& move_text);
// "checkmate ...": the line of a mate, "nomate", or "timeout" where the answer is not known.
std::string FormatCheckmate(const MateResult& result, const MoveText& move_text);
// "bestmove ...": "win" for a declaration; the protocol's answer where there is no move.
std::string FormatBestMove(const SearchResult& result, bool with_ponder, const Protocol& protocol,
                           const MoveText& move_text);

}  // namespace joseki::usi
