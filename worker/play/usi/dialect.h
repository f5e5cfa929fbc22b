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

// The dialect of an engine: its game and language, and its departures from the common form of the
// latter.
struct Dialect {
  std::string name;
  std::string game = "shogi";
  const Protocol* protocol = ProtocolNamed("usi");
  // In a game whose ranks are numbers: they begin with 1, where this project's begin with 0.
  bool ranks_from_one = false;

  // Limits that "go" takes; an engine may abort at another one.
  bool go_nodes = true;
  bool go_movetime = true;
  bool go_byoyomi = true;
  bool go_time = false;  // UCCI's clock, for one move
  // Added to the command line; one that holds "{nodes}" fixes the nodes of every move where
  // `go_nodes` is false.
  std::vector<std::string> arguments;
  // The fixed nodes are drawn once a game, and the engine is restarted for it; otherwise they are
  // the run's, without jitter.
  bool restart_for_nodes = true;

  // The way to exclude moves where a game leaves the book:
  //   kSearchMoves  "go ... searchmoves" with all others
  //   kBanMoves     "banmoves" with those excluded, after the position
  //   kMultiPv      the best of as many lines as it takes that begins with another one
  //   kEach         every other move is tried in turn, with its share of the limit
  enum class Exclusion { kSearchMoves, kBanMoves, kMultiPv, kEach };
  Exclusion exclusion = Exclusion::kEach;

  // The first of the names that the engine offers is set.
  std::vector<std::string> hash_options = {"USI_Hash", "Hash"};           // megabytes
  std::vector<std::string> thread_options = {"Threads", "Thread"};        // number
  std::vector<std::string> multipv_options = {"MultiPV", "USI_MultiPV"};  // lines
  // The character of a drop in place of USI's "*", as in "P*5e".
  char drop_sign = '*';
  // Set where the engine offers them: above all that it plays without a book of its own.
  std::map<std::string, std::string> options;

  // True if the arguments fix the nodes.
  bool nodes_by_command_line() const;
};

// "generic", "fairy-stockfish", "gpsshogi", "sjaak", "yaneuraou", "joseki" for shogi,
// "fairy-stockfish-xiangqi", "pikafish", "elephanteye" for xiangqi; null for another name.
const Dialect* BuiltInDialect(std::string_view name);
std::vector<std::string> BuiltInDialectNames();

// The line that starts a search under the limit. InvalidArgument "unsupported_limit" if the engine
// takes none of that kind.
absl::StatusOr<std::string> GoLine(const Dialect& dialect, const Limits& limits);

// The dialect's arguments with the nodes filled in.
std::vector<std::string> ArgumentsFor(const Dialect& dialect, uint64_t nodes);

}  // namespace joseki::worker
