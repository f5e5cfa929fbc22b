#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace joseki::worker {

// An engine's report of its search. Missing and malformed parts are left out.
struct EngineInfo {
  int multipv = 1;
  std::optional<int> score;  // centipawns; mates as in engine/core/value.h: -32767 .. 32767
  std::optional<uint64_t> nodes;
  std::optional<uint32_t> depth;
  std::string move;  // first move of its line; may be empty
};

// One line of an engine, as far as USI, UCI or UCCI define it.
struct EngineLine {
  enum class Kind {
    kOther,   // anything else, or malformed: to be ignored, as USI says
    kName,    // "id name ...", the name in `text`
    kOption,  // "option name ... type ...", the option's name in `text`
    kOk,      // end of the options: "usiok", "uciok", "ucciok"
    kReadyOk,
    kInfo,      // `info`
    kBestMove,  // `text` is the word after it: a move, "resign", "win", or anything else; may be
                // empty. For UCCI's "nobestmove" it is "resign"
  };
  Kind kind = Kind::kOther;
  std::string text;
  EngineInfo info;
};

// Parses any bytes. `mates_in_moves`: whether a mate's number counts the winner's moves.
EngineLine ParseEngineLine(std::string_view line, bool mates_in_moves = false);

}  // namespace joseki::worker
