// Feeds bytes to the parsers of an engine's output lines, and of an engines file.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "worker/play/usi/engine_line.h"
#include "worker/play/usi/engines_file.h"
#include "worker/play/usi/line_buffer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace joseki::worker;  // NOLINT: the whole of this file is about it
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  LineBuffer lines(200);
  // The first byte says in how large pieces they come.
  const size_t piece = size == 0 ? 1 : 1 + data[0] % 64;
  for (size_t at = 0; at < size; at += piece) {
    lines.Add(bytes.substr(at, piece));
    while (const std::optional<std::string> line = lines.Next()) {
      const EngineLine parsed = ParseEngineLine(*line);
      const bool bounded =
          line->size() <= 200 && parsed.text.size() <= 200 && parsed.info.move.size() <= 200 &&
          (!parsed.info.score || (*parsed.info.score >= -32767 && *parsed.info.score <= 32767));
      if (!bounded) __builtin_trap();
    }
  }
  ParseEnginesFile(bytes, "/", "").status().IgnoreError();
  return 0;
}
