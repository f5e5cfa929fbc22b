#pragma once

#include <string>
#include <vector>

#include "worker/play/usi/engines_file.h"

namespace joseki::worker {

// An entry of tests/worker/play/mock_engine.cc with a fault. Its timeouts are reached only if the
// engine shows the fault under test.
inline EngineEntry MockEntry(const std::string& fault = "", int ply = 0) {
  EngineEntry entry;
  entry.id = "mock";
  entry.arguments = {JOSEKI_BINARY_DIR "/tests/mock_engine", fault, std::to_string(ply)};
  entry.dialect = *BuiltInDialect("generic");
  entry.dialect.exclusion = Dialect::Exclusion::kSearchMoves;
  entry.start_limit = absl::Minutes(2);
  entry.reply_limit = absl::Minutes(2);
  return entry;
}

}  // namespace joseki::worker
