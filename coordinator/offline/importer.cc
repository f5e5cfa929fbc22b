#include "coordinator/offline/importer.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/records/record.h"
#include "nlohmann/json.hpp"

namespace joseki::coordinator {
namespace {

constexpr size_t kFirstProblems = 100;
constexpr uint64_t kProgressEvery = 4096;  // games or positions between two calls

// Nullopt for what is no book.
std::optional<book::BookFormat> BookFormatOf(ImportFormat format) {
  switch (format) {
    case ImportFormat::kYaneuraouDb:
      return book::BookFormat::kYaneuraouDb;
    case ImportFormat::kYbb:
      return book::BookFormat::kYbb;
    case ImportFormat::kApery:
      return book::BookFormat::kApery;
    case ImportFormat::kByContent:
    case ImportFormat::kCsa:
    case ImportFormat::kKif:
    case ImportFormat::kUsi:
      break;
  }
  return std::nullopt;
}

bool IsHidden(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name[0] == '.';
}

absl::Status FileProblem(const std::string& path, const std::error_code& error) {
  return MakeProblem({.code = "file_error",
                      .file = path,
                      .found = error.message(),
                      .expected = "a file or folder that can be read"},
                     absl::ErrnoToStatusCode(error.value()));
}

absl::Status ListFolder(const std::string& folder, std::vector<std::string>& files) {
  std::error_code error;
  std::vector<std::string> found;
  for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (IsHidden(at->path())) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file()) {
      found.push_back(at->path().string());
    }
  }
  if (error) return FileProblem(folder, error);
  std::sort(found.begin(), found.end());
  std::move(found.begin(), found.end(), std::back_inserter(files));
  return absl::OkStatus();
}

// How far a reader is in its file, from the line it stands at.
class LineShare {
 public:
  explicit LineShare(std::string_view bytes)
      : bytes_(bytes.size()),
        lines_(std::max<uint64_t>(1, std::count(bytes.begin(), bytes.end(), '\n'))) {}
  uint64_t BytesAt(int line) const {
    return std::min(bytes_, bytes_ * static_cast<uint64_t>(std::max(line, 0)) / lines_);
  }

 private:
  uint64_t bytes_;
  uint64_t lines_;
};

}  // namespace

std::optional<ImportFormat> ImportFormatOf(std::string_view name) {
  if (name == "auto") return ImportFormat::kByContent;
  if (name == "csa") return ImportFormat::kCsa;
  if (name == "kif") return ImportFormat::kKif;
  if (name == "usi") return ImportFormat::kUsi;
  if (name == "yaneuraou-db") return ImportFormat::kYaneuraouDb;
  if (name == "ybb") return ImportFormat::kYbb;
  if (name == "apery") return ImportFormat::kApery;
  return std::nullopt;
}

absl::StatusOr<std::vector<std::string>> ListImportFiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
      return FileProblem(path, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    if (std::filesystem::is_directory(status)) {
      RETURN_IF_ERROR(ListFolder(path, files));
    } else {
      files.push_back(path);
    }
  }
  return files;
}

Importer::Importer(const Rules& rules, ImportOptions options)
    : rules_(rules), options_(std::move(options)), played_(rules, options_.plies) {}

void Importer::Reject(const absl::Status& problem, std::string_view file) {
  const absl::Status placed = At(problem, file);
  ++report_.rejected;
  ++report_.rejects_by_reason[ProblemOf(placed).code];
  if (report_.first_problems.size() < kFirstProblems) report_.first_problems.push_back(placed);
  if (options_.on_reject) options_.on_reject(placed);
}

void Importer::Progress(uint64_t done_in_file) {
  if (!options_.on_progress) return;
  options_.on_progress({.done = bytes_before_ + done_in_file,
                        .total = std::max(bytes_total_, bytes_before_ + done_in_file),
                        .games = report_.games,
                        .rejected = report_.rejected});
}

void Importer::AddRecords(std::string_view name, std::string_view bytes) {
  const LineShare share(bytes);
  book::RecordSink sink;
  sink.accept = [&](book::GameRecord game) {
    if (const absl::Status added = played_.Add(game.moves, game.result); !added.ok()) {
      Reject(At(added, name, game.line), name);
      return;
    }
    ++report_.games;
    if (report_.games % kProgressEvery == 0) Progress(share.BytesAt(game.line));
  };
  sink.reject = [&](absl::Status problem) { Reject(problem, name); };
  switch (options_.from) {
    case ImportFormat::kCsa:
      return book::ReadCsa(bytes, name, sink);
    case ImportFormat::kKif:
      return book::ReadKif(bytes, name, sink);
    case ImportFormat::kUsi:
      return book::ReadUsi(bytes, name, sink);
    case ImportFormat::kByContent:
    case ImportFormat::kYaneuraouDb:
    case ImportFormat::kYbb:
    case ImportFormat::kApery:
      return book::ReadRecords(bytes, name, sink);
  }
}

void Importer::AddBook(book::BookFormat format, std::string_view name, std::string_view bytes) {
  const LineShare share(bytes);
  book::DbSink sink;
  sink.accept = [&](book::DbPosition position) {
    ++report_.book_positions;
    if (report_.book_positions % kProgressEvery == 0) Progress(share.BytesAt(position.line));
    book_.push_back(std::move(position));
  };
  sink.reject = [&](absl::Status problem) { Reject(problem, name); };
  const absl::Status read = book::ReadBook(format, bytes, name, sink);
  if (!read.ok()) Reject(read, name);
}

void Importer::AddBytes(std::string_view name, std::string_view bytes) {
  const Sha256 content = Sha256Of(bytes);
  const bool known = options_.imported.contains(content) || !seen_.insert(content).second;
  if (known && !options_.again) {
    ++report_.files_known;
    Progress(bytes.size());
    bytes_before_ += bytes.size();
    return;
  }
  const int64_t before = report_.games + report_.book_positions;
  const std::optional<book::BookFormat> format = options_.from == ImportFormat::kByContent
                                                     ? book::BookFormatOf(bytes)
                                                     : BookFormatOf(options_.from);
  if (format) {
    AddBook(*format, name, bytes);
  } else {
    AddRecords(name, bytes);
  }
  if (report_.games + report_.book_positions > before) files_.push_back(content);
  Progress(bytes.size());
  bytes_before_ += bytes.size();
}

absl::Status Importer::AddFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(file, error);
    if (!error) bytes_total_ += size;
  }
  for (const std::string& file : files) {
    ASSIGN_OR_RETURN(const std::string bytes, ReadFile(file));
    AddBytes(file, bytes);
  }
  return absl::OkStatus();
}

std::string Importer::OptionsJson() const {
  nlohmann::ordered_json json;
  json["plies"] = options_.plies;
  if (options_.filter.has_value()) {
    json["filter"] = absl::StrCat(options_.filter->position_over, "/", options_.filter->move_under);
  }
  json["professional"] = options_.professional;
  return json.dump();
}

absl::Status Importer::WriteGames(BookImport& import, ImportProgress& progress) {
  return played_.ForEach([&](const PackedPosition& position, int ply,
                             std::vector<PlayedMoves::Played>& moves) -> absl::Status {
    if (options_.filter.has_value()) {
      int64_t seen = 0;
      for (const PlayedMoves::Played& move : moves) seen += move.counts.games;
      std::erase_if(moves, [&](const PlayedMoves::Played& move) {
        return !options_.filter->Keeps(seen, move.counts.games);
      });
    }
    for (const PlayedMoves::Played& move : moves) {
      RETURN_IF_ERROR(
          import.AddPlayed(position, ply, move.move, options_.professional, move.counts));
    }
    if (++progress.done % kProgressEvery == 0 && options_.on_progress) {
      options_.on_progress(progress);
    }
    return absl::OkStatus();
  });
}

absl::StatusOr<ImportReport> Importer::Commit(Store& store, const std::string& name) {
  if (!report_.anything()) return report_;
  ImportProgress progress{.writing = true,
                          .total = played_.positions() + book_.size(),
                          .games = report_.games,
                          .rejected = report_.rejected};
  BookImport import(store, report_.games > 0 ? "games" : "book", name, OptionsJson());
  RETURN_IF_ERROR(WriteGames(import, progress));
  std::stable_sort(
      book_.begin(), book_.end(),
      [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
  for (const book::DbPosition& position : book_) {
    RETURN_IF_ERROR(import.AddBook(position));
    if (++progress.done % kProgressEvery == 0 && options_.on_progress) {
      options_.on_progress(progress);
    }
  }
  for (const Sha256& file : files_) RETURN_IF_ERROR(import.AddFile(file));
  ASSIGN_OR_RETURN(const BookImport::Totals totals, import.Commit(report_.games, report_.rejected));
  report_.positions = totals.new_positions;
  report_.moves = totals.new_moves;
  return report_;
}

}  // namespace joseki::coordinator
