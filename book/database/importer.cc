#include "book/database/importer.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/database/import_source.h"
#include "book/database/parallel_read.h"
#include "book/database/record_lines.h"
#include "nlohmann/json.hpp"

namespace joseki::book {
namespace {

constexpr size_t kFirstProblems = 100;
constexpr uint64_t kProgressEvery = 4096;  // games or positions between two calls of on_progress

bool IsHidden(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return !name.empty() && name[0] == '.';
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
  if (error) return FileProblem(error.value(), folder, "a file or folder that can be read");
  std::sort(found.begin(), found.end());
  std::move(found.begin(), found.end(), std::back_inserter(files));
  return absl::OkStatus();
}

std::string FolderOf(const ImportOptions& options) {
  if (!options.spill_folder.empty()) return options.spill_folder;
  std::error_code error;
  return std::filesystem::temp_directory_path(error).string();
}

int ThreadsOf(const ImportOptions& options) {
  if (options.threads > 0) return options.threads;
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ListImportFiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (path == ImportSource::kStandardInput) {
      files.push_back(path);
      continue;
    }
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
      return FileProblem(ENOENT, path, "a file or folder that can be read");
    }
    if (std::filesystem::is_directory(status)) {
      RETURN_IF_ERROR(ListFolder(path, files));
    } else {
      files.push_back(path);
    }
  }
  return files;
}

void ImportReport::Add(const ImportReport& other) {
  games += other.games;
  book_positions += other.book_positions;
  files_known += other.files_known;
  filtered += other.filtered;
  rejected += other.rejected;
  positions += other.positions;
  moves += other.moves;
  for (const auto& [reason, count] : other.rejects_by_reason) rejects_by_reason[reason] += count;
  for (const absl::Status& problem : other.first_problems) {
    if (first_problems.size() < kFirstProblems) first_problems.push_back(problem);
  }
}

Importer::Importer(const Rules& rules, ImportOptions options)
    : rules_(rules),
      options_(std::move(options)),
      reading_{.from = options_.from,
               .game = rules.game(),
               .plies = options_.plies,
               .variations = options_.variations,
               .evaluations = options_.evaluations,
               .positions = true,
               .spill_folder = FolderOf(options_)},
      // Games and books get half of the memory each.
      played_(FolderOf(options_), options_.memory / 2, ThreadsOf(options_)),
      book_spill_(FolderOf(options_)) {}

void Importer::Reject(const absl::Status& problem, std::string_view file) {
  const absl::Status placed = At(problem, file);
  ++report_.rejected;
  ++report_.rejects_by_reason[ProblemOf(placed).code];
  if (report_.first_problems.size() < kFirstProblems) report_.first_problems.push_back(placed);
  if (options_.on_reject) options_.on_reject(placed);
}

void Importer::Progress(int line) {
  if (!options_.on_progress) return;
  uint64_t done = bytes_before_;
  if (!file_.packed) {
    const auto lines = static_cast<uint64_t>(std::max(0, line - file_.first_line));
    done += std::min(file_.bytes, file_.bytes * lines / file_.lines);
  }
  options_.on_progress({.done = done,
                        .total = std::max(bytes_total_, done),
                        .games = report_.games,
                        .rejected = report_.rejected});
}

void Importer::Counted() {
  if (std::exchange(counted_file_, true)) return;
  files_.push_back(content_);
}

void Importer::Extra(const absl::Status& appended, int line) {
  if (!appended.ok()) Reject(At(appended, file_.name, line), file_.name);
  report_.book_positions += static_cast<int64_t>(book_.size() - counted_);
  for (; counted_ < book_.size(); ++counted_) {
    book_bytes_ += sizeof book_[counted_] + book_[counted_].moves.capacity() * sizeof(book::DbMove);
  }
}

void Importer::SpillIfLarge() {
  if (!spilled_.ok()) return;
  if (book_bytes_ > options_.memory / 2) {
    spilled_.Update(book_spill_.Add(std::exchange(book_, {})));
    counted_ = 0;
    book_bytes_ = 0;
  }
}

void Importer::TakeFile(const FileBegins& file) {
  file_ = file;
  if (file.goes_on) return;
  counted_file_ = false;
  content_ = file.content;
  known_ = (options_.imported.contains(file.content) || !seen_.insert(file.content).second) &&
           !options_.again;
  if (known_) ++report_.files_known;
}

void Importer::TakeGame(const book::GameRecord& game) {
  if (spilled_.ok()) spilled_ = played_.Add(game.positions, game.moves, game.result);
  ++report_.games;
  Counted();
  if (options_.evaluations) Extra(AppendOpinions(rules_, game, options_.plies, book_), game.line);
  SpillIfLarge();
  if (report_.games % kProgressEvery == 0) Progress(game.line);
}

void Importer::Take(ImportEvent event) {
  if (const auto* done = std::get_if<BytesDone>(&event)) {
    file_ = {};
    bytes_before_ += done->bytes;
    Progress(0);
  } else if (const auto* file = std::get_if<FileBegins>(&event)) {
    TakeFile(*file);
  } else if (known_) {
    return;
  } else if (const auto* game = std::get_if<book::GameRecord>(&event)) {
    unwanted_ = !options_.games.Keeps(*game);
    if (unwanted_) {
      ++report_.filtered;
    } else {
      TakeGame(*game);
    }
  } else if (const auto* variation = std::get_if<book::Variation>(&event)) {
    if (unwanted_) return;
    Extra(AppendVariation(rules_, *variation, options_.plies, book_), variation->line);
    SpillIfLarge();
    Counted();
  } else if (auto* position = std::get_if<book::DbPosition>(&event)) {
    const int line = position->line;
    book_.push_back(std::move(*position));
    Extra(absl::OkStatus(), line);
    SpillIfLarge();
    Counted();
    if (report_.book_positions % kProgressEvery == 0) Progress(line);
  } else if (const auto* problem = std::get_if<absl::Status>(&event)) {
    Reject(*problem, file_.name);
  }
}

void Importer::AddBytes(std::string_view name, std::string_view bytes) {
  ReadWhole(name, bytes, reading_, [this](ImportEvent event) { Take(std::move(event)); });
  Take(BytesDone{bytes.size()});
}

absl::Status Importer::AddFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code error;
    const uintmax_t size = std::filesystem::file_size(file, error);
    if (!error) bytes_total_ += size;
  }
  const absl::Status read = ReadInOrder(files, reading_, options_.threads,
                                        [this](ImportEvent event) { Take(std::move(event)); });
  RETURN_IF_ERROR(spilled_);
  return read;
}

std::string Importer::OptionsJson() const {
  nlohmann::ordered_json json;
  json["plies"] = options_.plies;
  if (options_.filter.has_value()) {
    json["filter"] = absl::StrCat(options_.filter->position_over, "/", options_.filter->move_under);
  }
  json["professional"] = options_.professional;
  const book::GameFilter& games = options_.games;
  if (games.min_rating) json["min_rating"] = *games.min_rating;
  if (games.since) json["since"] = *games.since;
  if (games.until) json["until"] = *games.until;
  if (games.result) json["result"] = Name(*games.result);
  if (games.decided) json["result"] = "decided";
  if (!games.players.empty()) json["players"] = games.players;
  if (options_.variations) json["variations"] = true;
  if (options_.evaluations) json["evaluations"] = true;
  return json.dump();
}

absl::Status Importer::WriteGames(BookImport& import, ImportProgress& progress) {
  PlayedChunks::Keep keep;
  if (options_.filter.has_value()) {
    keep = [filter = *options_.filter](PlayedPosition& position) {
      int64_t seen = 0;
      for (const PlayedMove& move : position.moves) seen += move.counts.games;
      std::erase_if(position.moves,
                    [&](const PlayedMove& move) { return !filter.Keeps(seen, move.counts.games); });
    };
  }
  uint64_t told = 0;
  return played_.ForEachBlock(keep, [&](const PlayedBlock& block) -> absl::Status {
    RETURN_IF_ERROR(import.AddBlock(block, options_.professional));
    progress.done += static_cast<uint64_t>(block.positions);
    if (progress.done >= told + kProgressEvery && options_.on_progress) {
      options_.on_progress(progress);
      told = progress.done;
    }
    return absl::OkStatus();
  });
}

absl::Status Importer::WriteBook(BookImport& import, ImportProgress& progress) {
  const auto write = [&](const book::DbPosition& position) -> absl::Status {
    RETURN_IF_ERROR(import.AddBook(position));
    if (++progress.done % kProgressEvery == 0 && options_.on_progress) {
      options_.on_progress(progress);
    }
    return absl::OkStatus();
  };
  if (!book_spill_.empty()) {
    RETURN_IF_ERROR(book_spill_.Add(std::exchange(book_, {})));
    return book_spill_.ForEach(write);
  }
  std::stable_sort(
      book_.begin(), book_.end(),
      [](const book::DbPosition& a, const book::DbPosition& b) { return a.packed < b.packed; });
  for (const book::DbPosition& position : book_) RETURN_IF_ERROR(write(position));
  return absl::OkStatus();
}

absl::StatusOr<ImportReport> Importer::Commit(Store& store, const std::string& name) {
  RETURN_IF_ERROR(spilled_);
  if (!report_.anything()) return report_;
  ImportProgress progress{.writing = true,
                          .total = played_.size() + book_.size() + book_spill_.positions(),
                          .games = report_.games,
                          .rejected = report_.rejected};
  BookImport import(store, report_.games > 0 ? "games" : "book", name, OptionsJson());
  RETURN_IF_ERROR(WriteGames(import, progress));
  RETURN_IF_ERROR(WriteBook(import, progress));
  for (const Sha256& file : files_) RETURN_IF_ERROR(import.AddFile(file));
  ASSIGN_OR_RETURN(const BookImport::Totals totals, import.Commit(report_.games, report_.rejected));
  report_.positions = totals.new_positions;
  report_.moves = totals.new_moves;
  return report_;
}

}  // namespace joseki::book
