#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/usi/protocol.h"
#include "worker/play/player.h"

namespace joseki::worker {

using usi::Protocol;
using usi::ProtocolNamed;
using usi::ProtocolNames;

// The dialect of an engine: its game and protocol, and its departures from the common form of that
// protocol.
struct Dialect {
  std::string name;
  std::string game = "shogi";
  const Protocol* protocol = ProtocolNamed("usi");
  // Whether numbered ranks begin with 1; in this project they begin with 0.
  bool ranks_from_one = false;

  // Limits that "go" accepts; an engine may abort at another one.
  bool go_nodes = true;
  bool go_movetime = true;
  bool go_byoyomi = true;
  bool go_time = false;  // UCCI's clock, for one move
  // Appended to the command line. One that holds "{nodes}" fixes the nodes of every move where
  // `go_nodes` is false.
  std::vector<std::string> arguments;
  // Whether the fixed nodes are drawn for each game and the engine restarted for it; otherwise they
  // are the run's, without jitter.
  bool restart_for_nodes = true;

  // The way to exclude moves where a game leaves the book:
  //   kSearchMoves  "go ... searchmoves" with all other moves
  //   kBanMoves     "banmoves" with the excluded moves, after the position
  //   kMultiPv      as many lines as necessary: the best one that begins with another move
  //   kEach         every other move is tried in turn, with its share of the limit
  enum class Exclusion { kSearchMoves, kBanMoves, kMultiPv, kEach };
  Exclusion exclusion = Exclusion::kEach;

  // Names of each option; the first that the engine offers is set.
  std::vector<std::string> hash_options = {"USI_Hash", "Hash"};           // megabytes
  std::vector<std::string> thread_options = {"Threads", "Thread"};        // number
  std::vector<std::string> multipv_options = {"MultiPV", "USI_MultiPV"};  // lines
  // The character for a drop, in place of USI's "*" as in "P*5e".
  char drop_sign = '*';
  // Set where the engine offers them, above all to play without a book of its own.
  std::map<std::string, std::string> options;

  // Whether the arguments fix the nodes.
  bool nodes_by_command_line() const;
};

// "generic", "fairy-stockfish", "gpsshogi", "sjaak", "yaneuraou", "joseki" for shogi,
// "fairy-stockfish-xiangqi", "pikafish", "elephanteye" for xiangqi; null for another name.
const Dialect* BuiltInDialect(std::string_view name);
std::vector<std::string> BuiltInDialectNames();

// The line that starts a search under the limit. InvalidArgument "unsupported_limit" if the engine
// accepts no limit of that kind. `clock_in_seconds`: for an engine of UCCI whose clock knows no
// milliseconds; parts of a second count as one.
absl::StatusOr<std::string> GoLine(const Dialect& dialect, const Limits& limits,
                                   bool clock_in_seconds = false);

// The dialect's arguments, with the nodes filled in.
std::vector<std::string> ArgumentsFor(const Dialect& dialect, uint64_t nodes);

}  // namespace joseki::worker
