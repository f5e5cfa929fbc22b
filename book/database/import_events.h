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

// Events from reading files, in order; the importer consumes them.

// The begin of a file, of a file in a bundle, or of a later part of one.
struct FileBegins {
  std::string name;
  Sha256 content{};      // SHA-256 of the whole file; set for its first part only
  bool goes_on = false;  // true for each part but the first
  uint64_t bytes = 0;    // size of this part
  uint64_t lines = 1;    // lines in this part
  int first_line = 1;    // number of its first line in the file
  bool packed = false;   // the file is in a bundle
};
// Progress: this many bytes of a file on disk have been read.
struct BytesDone {
  uint64_t bytes = 0;
};

using ImportEvent = std::variant<FileBegins, book::GameRecord, book::Variation, book::DbPosition,
                                 absl::Status, BytesDone>;

struct ReadOptions {
  ImportFormat from;
  std::string_view game = {};  // game that books and records must be of; empty: any
  int plies = 45;              // number of plies read of each game
  bool variations = false;     // read variations
  bool evaluations = false;    // keep engines' evaluations
  bool positions = false;      // give the positions in which a game's moves were played
  // Folder for copies of input that can be read only once; empty: the system's temporary folder.
  std::string spill_folder = {};
};

// A part of a file, read independently. Lines of problems count from the begin of the file.
struct FilePart {
  std::string_view name;
  std::string_view bytes;
  ImportFormat format;  // of the file; by_content(): detect
  Sha256 content{};     // SHA-256 of the whole file; needed for its first part only
  int first_line = 1;
  bool packed = false;
};

using EventSink = std::function<void(ImportEvent)>;

// Reads one part. Thread-safe.
void ReadPart(const FilePart& part, const ReadOptions& options, const EventSink& sink);
// Reads a whole file, or each file in it if it is a bundle (bundle.h). Gives every event except
// BytesDone.
void ReadWhole(std::string_view name, std::string_view bytes, const ReadOptions& options,
               const EventSink& sink);

}  // namespace joseki::book
