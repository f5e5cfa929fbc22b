#include "cli/record_files.h"

#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/option_choice.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

std::string NamesOfGame(std::string_view game) {
  std::vector<std::string> names;
  for (const std::string& name : book::GameWriterNames()) {
    if (book::GameWriterNamed(game, name) != nullptr) names.push_back(name);
  }
  return absl::StrJoin(names, " or ");
}

}  // namespace

CLI::Option* AddRecordFormatOption(CLI::App& command, std::string& format) {
  return command
      .add_option("--format", format,
                  "records of other programs: of shogi csa, kif or usi, of xiangqi pgn or ucci")
      ->check(OneOf(book::GameWriterNames()));
}

absl::StatusOr<const book::GameWriter*> RecordWriterOf(const Rules& rules,
                                                       const std::string& format) {
  const std::string_view game = rules.game();
  const book::GameWriter* const writer =
      format.empty() ? book::GameWriterOf(game) : book::GameWriterNamed(game, format);
  if (writer != nullptr) return writer;
  return MakeProblem(
      {.code = "usage",
       .file = "--format",
       .found = format,
       .expected = absl::StrCat(NamesOfGame(game), ", as the game is ", std::string(game))});
}

absl::StatusOr<RecordFiles> RecordFiles::Open(Context& context, const std::string& format,
                                              const std::string& out) {
  ASSIGN_OR_RETURN(const book::GameWriter* const writer, RecordWriterOf(context.rules(), format));
  RecordFiles files(*writer, context);
  std::error_code error;
  if (out.empty()) return files;
  if (out.back() == '/' || std::filesystem::is_directory(out, error)) {
    std::filesystem::create_directories(out, error);
    if (error) return FileProblem(error.value(), out, "a folder that can be written to");
    files.folder_ = out;
    return files;
  }
  ASSIGN_OR_RETURN(AtomicFile file, AtomicFile::Create(out));
  files.file_ = std::make_unique<AtomicFile>(std::move(file));
  return files;
}

absl::Status RecordFiles::Add(const std::string& name, const book::WrittenGame& game) {
  ASSIGN_OR_RETURN(const std::string record, writer_->write(game));
  const bool first = games_++ == 0;
  if (!folder_.empty()) {
    const std::filesystem::path path =
        std::filesystem::path(folder_) / absl::StrCat(name, std::string(writer_->suffix));
    return WriteFileAtomically(path.string(), record);
  }
  const std::string text = first ? record : std::string(writer_->separator) + record;
  if (file_ != nullptr) return file_->Write(text);
  context_->out() << text;
  return absl::OkStatus();
}

absl::Status RecordFiles::Finish() { return file_ != nullptr ? file_->Commit() : absl::OkStatus(); }

}  // namespace joseki::cli
