#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/atomic_file.h"
#include "book/records/game_writer.h"
#include "cli/context.h"

// Games written as records of other programs, into one file, a file each, or on stdout.
namespace joseki::cli {

// A command's --format option: a record that some game has.
CLI::Option* AddRecordFormatOption(CLI::App& command, std::string& format);

// InvalidArgument "usage" where the game has no such records; any game has its usual ones (empty).
absl::StatusOr<const book::GameWriter*> RecordWriterOf(const Rules& rules,
                                                       const std::string& format);

class RecordFiles {
 public:
  // `format` empty: the game's usual one. `out`: a folder (one that is there, or a name with / at
  // its end, which is made) gets a file for each game; a file gets them all, all or nothing; empty:
  // stdout. As RecordWriterOf; else "file_error".
  static absl::StatusOr<RecordFiles> Open(Context& context, const std::string& format,
                                          const std::string& out);

  // `name`: of the file in a folder, without its suffix.
  absl::Status Add(const std::string& name, const book::WrittenGame& game);
  // Once, at the end.
  absl::Status Finish();

  int games() const { return games_; }

 private:
  RecordFiles(const book::GameWriter& writer, Context& context)
      : writer_(&writer), context_(&context) {}

  const book::GameWriter* writer_;
  Context* context_;
  std::string folder_;                // empty: none
  std::unique_ptr<AtomicFile> file_;  // null: none
  int games_ = 0;
};

}  // namespace joseki::cli
