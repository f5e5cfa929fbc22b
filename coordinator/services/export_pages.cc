#include "coordinator/services/export_pages.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/status_macros.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kChunkBytes = 64 << 10;
constexpr size_t kChunksPerPage = 16;

}  // namespace

std::shared_ptr<Permits> ExportPermits() {
  return std::make_shared<Permits>(
      Permits::Options{.most = 2, .code = "too_many_exports", .what = "books on their way"});
}

absl::Status ExportPages::Make() {
  ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                   book::Store::Open(db_path_, book::OpenMode::kReadOnly));
  ASSIGN_OR_RETURN(file_, ExportFile(*store, rules_, {.run = run_, .format = format_}));
  const std::string book = std::exchange(file_.bytes, {});
  const std::string folder = std::filesystem::path(db_path_).parent_path().string();
  ASSIGN_OR_RETURN(book_, book::SpillFile::Create(folder.empty() ? "." : folder));
  RETURN_IF_ERROR(book_->Write(book.data(), book.size()));
  left_ = book.size();
  return book_->Rewind();
}

absl::StatusOr<std::vector<v1::ExportBookChunk>> ExportPages::Next() {
  if (!book_) RETURN_IF_ERROR(Make());
  std::vector<v1::ExportBookChunk> page;
  while (left_ > 0 && page.size() < kChunksPerPage) {
    std::string bytes(std::min(left_, kChunkBytes), '\0');
    RETURN_IF_ERROR(book_->Read(bytes.data(), bytes.size()).status());
    left_ -= bytes.size();
    v1::ExportBookChunk& chunk = page.emplace_back();
    chunk.set_data(std::move(bytes));
    for (std::string& line : std::exchange(file_.warnings, {})) chunk.add_warnings(std::move(line));
    for (std::string& line : std::exchange(file_.notes, {})) chunk.add_notes(std::move(line));
    chunk.set_positions(std::exchange(file_.positions, 0));
    chunk.set_moves(std::exchange(file_.moves, 0));
  }
  return page;
}

}  // namespace joseki::coordinator
