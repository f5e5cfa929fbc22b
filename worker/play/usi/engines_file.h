#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "worker/play/usi/dialect.h"

namespace joseki::worker {

// An engine as the worker's own file describes it. None of this ever comes over the wire.
struct EngineEntry {
  std::string id;                      // 1..64 of a-z 0-9 . _ -
  std::vector<std::string> arguments;  // [0] is the program's path
  std::string folder;                  // working directory; empty: the worker's
  Dialect dialect;
  std::map<std::string, std::string> options;  // set after the dialect's
  std::string weights;  // path of its weight file, whose hash is part of the identity
  int hash_mb = 16;
  int threads = 1;
  bool deterministic = false;           // equal limits give equal games; verified at every start
  bool strict_options = false;          // an option that the engine does not offer is an error
  bool pin = false;                     // each seat has `cores` cores of its own
  uint32_t cores = 1;                   // per seat
  uint32_t memory_mb = 0;               // limit per seat; allocations beyond it fail; 0: no limit
  std::set<std::string> allow_options;  // that a run may set
  absl::Duration start_limit = absl::Seconds(60);  // until usiok, and until readyok
  absl::Duration reply_limit = absl::Seconds(60);  // added to a move's own limit
};

using EngineEntries = std::map<std::string, EngineEntry>;

// The entries of an engines file (docs/reference/engines.md). It is JSON with known keys alone and
// values within their bounds; relative paths start at `folder`. A command without a slash is looked
// up in `search_path` ("/usr/bin:/usr/games"). InvalidArgument "bad_engines_file" with the key.
absl::StatusOr<EngineEntries> ParseEnginesFile(std::string_view json, const std::string& folder,
                                               std::string_view search_path);

// Reads a file, with PATH as the search path.
absl::StatusOr<EngineEntries> ReadEnginesFile(const std::string& path);

}  // namespace joseki::worker
