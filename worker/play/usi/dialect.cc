#include "worker/play/usi/dialect.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/problem.h"

namespace joseki::worker {
namespace {

constexpr char kNodes[] = "{nodes}";
// The limit for an engine whose command line ends its searches; never reached.
constexpr int kEndlessByoyomiMs = 600'000;

using Exclusion = Dialect::Exclusion;

const std::vector<Dialect>& BuiltIn() {
  static const auto* const kDialects = new std::vector<Dialect>{
      {.name = "generic",
       .options = {{"USI_OwnBook", "false"}, {"OwnBook", "false"}, {"USI_Ponder", "false"}}},
      // Takes any limit, and searchmoves, like its chess family; has no book of its own.
      {.name = "fairy-stockfish",
       .exclusion = Exclusion::kSearchMoves,
       .options = {{"Ponder", "false"}}},
      // Aborts at every limit but a clock, and at searchmoves. Takes seconds to start and keeps
      // results of the previous game, so that one line gives many games without jitter.
      {.name = "gpsshogi",
       .go_nodes = false,
       .go_movetime = false,
       .arguments = {"--memory-use-percent", "5", "--node-count-hard-limit", kNodes},
       .restart_for_nodes = false,
       .exclusion = Exclusion::kEach,
       .options = {{"BookDepth", "0"}}},
      // Takes "go nodes" as no limit, and moves at once under a clock; writes drops as "P@5e".
      {.name = "sjaak",
       .go_nodes = false,
       .go_byoyomi = false,
       .arguments = {"-usi", "-variant", "shogi"},
       .drop_sign = '@',
       .options = {{"Ponder", "false"}}},
      {.name = "yaneuraou",
       .exclusion = Exclusion::kSearchMoves,
       .options = {{"USI_OwnBook", "false"},
                   {"BookFile", "no_book"},
                   {"USI_Ponder", "false"},
                   {"NetworkDelay", "0"},
                   {"NetworkDelay2", "0"},
                   {"MinimumThinkingTime", "0"},
                   {"RoundUpToFullSecond", "false"},
                   {"ResignValue", "99999"}}},
      {.name = "joseki",
       .exclusion = Exclusion::kSearchMoves,
       .options = {{"USI_Ponder", "false"}}},
      {.name = "fairy-stockfish-xiangqi",
       .game = "xiangqi",
       .protocol = ProtocolNamed("uci"),
       .ranks_from_one = true,
       .go_byoyomi = false,
       .exclusion = Exclusion::kSearchMoves,
       .options = {{"Ponder", "false"}, {"UCI_Variant", "xiangqi"}}},
      {.name = "pikafish",
       .game = "xiangqi",
       .protocol = ProtocolNamed("uci"),
       .go_byoyomi = false,
       .exclusion = Exclusion::kSearchMoves,
       .options = {{"Ponder", "false"}}},
      {.name = "elephanteye",
       .game = "xiangqi",
       .protocol = ProtocolNamed("ucci"),
       .go_movetime = false,
       .go_byoyomi = false,
       .go_time = true,
       .exclusion = Exclusion::kBanMoves,
       .hash_options = {"hashsize"},
       .options = {{"ponder", "false"}, {"usebook", "false"}}},
  };
  return *kDialects;
}

}  // namespace

bool Dialect::nodes_by_command_line() const {
  return !go_nodes && std::any_of(arguments.begin(), arguments.end(), [](const std::string& text) {
    return text.find(kNodes) != std::string::npos;
  });
}

const Dialect* BuiltInDialect(std::string_view name) {
  for (const Dialect& dialect : BuiltIn()) {
    if (dialect.name == name) return &dialect;
  }
  return nullptr;
}

std::vector<std::string> BuiltInDialectNames() {
  std::vector<std::string> names;
  for (const Dialect& dialect : BuiltIn()) names.push_back(dialect.name);
  return names;
}

absl::StatusOr<std::string> GoLine(const Dialect& dialect, const Limits& limits,
                                   bool clock_in_seconds) {
  const auto byoyomi = [](uint64_t ms) { return absl::StrCat("go btime 0 wtime 0 byoyomi ", ms); };
  if (limits.move_ms > 0) {
    if (dialect.go_movetime) return absl::StrCat("go movetime ", limits.move_ms);
    if (dialect.go_byoyomi) return byoyomi(limits.move_ms);
    if (dialect.go_time) {
      const uint64_t time = clock_in_seconds ? (limits.move_ms + 999) / 1000 : limits.move_ms;
      return absl::StrCat("go time ", time, " movestogo 1");
    }
  } else if (limits.nodes > 0) {
    if (dialect.go_nodes) return absl::StrCat("go nodes ", limits.nodes);
    if (dialect.nodes_by_command_line()) return byoyomi(kEndlessByoyomiMs);
  }
  return MakeProblem({.code = "unsupported_limit",
                      .file = dialect.name,
                      .found = limits.move_ms > 0 ? "milliseconds a move"
                               : limits.nodes > 0 ? "nodes a move"
                                                  : "no limit",
                      .expected = "a limit that the engine's profile knows how to ask for"});
}

std::vector<std::string> ArgumentsFor(const Dialect& dialect, uint64_t nodes) {
  std::vector<std::string> arguments;
  for (const std::string& argument : dialect.arguments) {
    arguments.push_back(absl::StrReplaceAll(argument, {{kNodes, absl::StrCat(nodes)}}));
  }
  return arguments;
}

}  // namespace joseki::worker
