#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace joseki::worker {

// An engine's report of its search. Missing and malformed parts are left out.
struct EngineInfo {
  int multipv = 1;
  std::optional<int> score;  // centipawns, mates as engine/core/value.h has them: -32767 .. 32767
  std::optional<uint64_t> nodes;
  std::optional<uint32_t> depth;
  std::string move;  // the first of its line; may be empty
};

// One line of an engine, as far as USI, UCI or UCCI give it a meaning.
struct EngineLine {
  enum class Kind {
    kOther,   // anything else, or malformed: to be ignored, as USI says
    kName,    // "id name ...": `text`
    kOption,  // "option name ... type ...": `text` is its name
    kOk,      // the list of options is over: "usiok", "uciok", "ucciok"
    kReadyOk,
    kInfo,      // `info`
    kBestMove,  // `text` is the word after it: a move, "resign", "win", anything; may be empty. Of
                // UCCI's "nobestmove" it is "resign"
  };
  Kind kind = Kind::kOther;
  std::string text;
  EngineInfo info;
};

// Any bytes may be given. `mates_in_moves`: the number of a mate is of the winner's moves.
EngineLine ParseEngineLine(std::string_view line, bool mates_in_moves = false);

}  // namespace joseki::worker
