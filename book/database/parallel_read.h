#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "book/database/import_events.h"

namespace joseki::book {

// Reads files by many threads (0: as many as there are processors) and gives their contents to
// `take`, on the calling thread, in the order of files and lines, whichever thread is faster.
// Reading ahead is bounded. A file that cannot be read ends it.
absl::Status ReadInOrder(const std::vector<std::string>& files, const ReadOptions& options,
                         int threads, const EventSink& take);

}  // namespace joseki::book
