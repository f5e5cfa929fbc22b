#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace joseki::worker {

// What an engine says of its search. What it does not say, or says wrongly, is left out.
struct EngineInfo {
  int multipv = 1;
  std::optional<int> score;  // centipawns, mates as engine/core/value.h has them: -32767 .. 32767
  std::optional<uint64_t> nodes;
  std::optional<uint32_t> depth;
  std::string move;  // the first of its line; may be empty
};

// One line of an engine, as far as USI gives it a meaning.
struct EngineLine {
  enum class Kind {
    kOther,   // anything else, or malformed: to be ignored, as USI says
    kName,    // "id name ...": `text`
    kOption,  // "option name ... type ...": `text` is its name
    kUsiOk,
    kReadyOk,
    kInfo,      // `info`
    kBestMove,  // `text` is the word after it: a move, "resign", "win", anything; may be empty
  };
  Kind kind = Kind::kOther;
  std::string text;
  EngineInfo info;
};

// Any bytes may be given.
EngineLine ParseEngineLine(std::string_view line);

}  // namespace joseki::worker
