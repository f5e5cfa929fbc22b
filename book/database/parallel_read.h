#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "book/database/import_events.h"

namespace joseki::book {

// Reads files with `threads` threads (0: one per processor). Calls `take` on the calling thread, in
// the order of files and lines. Reading ahead is bounded. A file that cannot be read ends the call
// with its error.
absl::Status ReadInOrder(const std::vector<std::string>& files, const ReadOptions& options,
                         int threads, const EventSink& take);

}  // namespace joseki::book
