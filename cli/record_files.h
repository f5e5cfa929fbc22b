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

// Games written as records of other programs: into one file, a file each, or to stdout.
namespace joseki::cli {

// Adds a command's --format option: any record format that some game has.
CLI::Option* AddRecordFormatOption(CLI::App& command, std::string& format);

// The writer of a format, the game's usual one if `format` is empty. InvalidArgument "usage" where
// the game has no such records.
absl::StatusOr<const book::GameWriter*> RecordWriterOf(const Rules& rules,
                                                       const std::string& format);

class RecordFiles {
 public:
  // `format` empty: the game's usual one. `out` is one of:
  // - a folder (an existing one, or a name with / at its end, which is made): a file per game;
  // - a file: all games, written all or nothing;
  // - empty: stdout.
  // Errors as RecordWriterOf; else "file_error".
  static absl::StatusOr<RecordFiles> Open(Context& context, const std::string& format,
                                          const std::string& out);

  // `name`: the game's file in a folder, without suffix.
  absl::Status Add(const std::string& name, const book::WrittenGame& game);
  // To be called once, at the end.
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
