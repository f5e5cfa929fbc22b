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

// Text of USI and its relatives: parsing of a user interface's lines and formatting of the engine's
// answers. Pure functions that know no position. The default protocol is USI.
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

// Times of the clocks, in milliseconds.
struct ClockTimes {
  int64_t remaining[2] = {0, 0};  // by Color
  int64_t increment[2] = {0, 0};
  int64_t byoyomi = 0;
  int moves_to_go = 0;  // until the next time control; 0: unknown
};

// "go ..."; 0: limit not given.
struct GoCommand {
  bool infinite = false;
  bool ponder = false;
  bool mate = false;    // the reply is "checkmate" rather than "bestmove"
  int64_t mate_ms = 0;  // 0: until the answer is known
  uint64_t nodes = 0;
  int depth = 0;
  int64_t movetime = 0;
  bool has_clock = false;
  ClockTimes clock;
  std::vector<std::string> search_moves;  // empty: all
  std::vector<std::string> passed_over;   // words that no limit of the protocol is
  // Whether the search ends by itself.
  bool ends() const { return nodes > 0 || depth > 0 || movetime > 0 || has_clock; }
};
// `words` are those after "go". Unknown words are passed over, as UCI asks. InvalidArgument
// "bad_go" for a missing or impossible number, and if nothing but unknown words would say when the
// search ends. `mover`: side whose clock is meant by words that name no side.
absl::StatusOr<GoCommand> ParseGo(const std::vector<std::string_view>& words,
                                  const Protocol& protocol = DefaultProtocol(),
                                  Color mover = Color::kFirst);

// "setoption name <name> [value <value>]", or "setoption <name> [<value>]"
struct OptionCommand {
  std::string name;
  std::string value;
};
// `words` are those after "setoption", views of one line. The value is the rest of this line as it
// stands. InvalidArgument "bad_setoption".
absl::StatusOr<OptionCommand> ParseOption(const std::vector<std::string_view>& words,
                                          const Protocol& protocol = DefaultProtocol());

// Formats a value as "cp 123", "mate 5" or "mate -4", or as a plain number. Mates count plies, or
// the winner's moves.
std::string FormatScore(Value value, const Protocol& protocol);
// Shifts a move's ranks by `by`: "h9e9" becomes "h10e10".
std::string WithRanks(std::string_view move, int by);

// Converts a move to text.
using MoveText = std::function<std::string(Move)>;
// "info depth ... pv ..."; two lines if the protocol separates the score.
std::string FormatInfo(const SearchInfo& info, const Protocol& protocol, const MoveText& move_text);
// "checkmate ..." with the line of a mate, "nomate", or "timeout" if the answer is unknown.
std::string FormatCheckmate(const MateResult& result, const MoveText& move_text);
// "bestmove ...": "win" for a declaration; the protocol's own answer if there is no move.
std::string FormatBestMove(const SearchResult& result, bool with_ponder, const Protocol& protocol,
                           const MoveText& move_text);

}  // namespace joseki::usi
