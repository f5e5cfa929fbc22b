#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "absl/status/status.h"
#include "base/hash.h"
#include "book/database/import_format.h"
#include "book/formats/position.h"
#include "book/records/record.h"

namespace joseki::book {

// Events of reading files, one after the other; the importer takes them in.

// A file, or a file in a bundle, begins, or goes on in another part.
struct FileBegins {
  std::string name;
  Sha256 content{};      // of the whole file; only with its first part
  bool goes_on = false;  // with a part that is not its first
  uint64_t bytes = 0;    // of this part
  uint64_t lines = 1;    // in it
  int first_line = 1;    // the number of its first one
  bool packed = false;   // in a bundle
};
// Progress: this many bytes of a file on the disk are done.
struct BytesDone {
  uint64_t bytes = 0;
};

using ImportEvent = std::variant<FileBegins, book::GameRecord, book::Variation, book::DbPosition,
                                 absl::Status, BytesDone>;

struct ReadOptions {
  ImportFormat from;
  std::string_view game = {};  // whose books and records these must be; empty: any
  int plies = 45;              // of a game are enough
  bool variations = false;     // read them
  bool evaluations = false;    // keep them
  bool positions = false;      // give those that a game's moves were played at
  // Folder for input that can be read only once; empty: that of temporary files.
  std::string spill_folder = {};
};

// A part of a file that is read by itself. `first_line` is the number of its first line, 1 for the
// first part. A problem's line counts from the file's begin.
struct FilePart {
  std::string_view name;
  std::string_view bytes;
  ImportFormat format;  // of the file; by_content(): look
  Sha256 content{};     // of the whole file; needed with its first part only
  int first_line = 1;
  bool packed = false;
};

using EventSink = std::function<void(ImportEvent)>;

// Reads one part. Thread-safe.
void ReadPart(const FilePart& part, const ReadOptions& options, const EventSink& sink);
// Reads a whole file's bytes, or each file in it if it is a bundle (bundle.h), but for
// BytesDone.
void ReadWhole(std::string_view name, std::string_view bytes, const ReadOptions& options,
               const EventSink& sink);

}  // namespace joseki::book
