#include "coordinator/services/export_pages.h"

#include <algorithm>
#include <filesystem>

#include "base/status_macros.h"
#include "book/database/store.h"

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
  ASSIGN_OR_RETURN(const std::string book, Export(*store, rules_, run_, format_));
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
    page.emplace_back().set_data(std::move(bytes));
  }
  return page;
}

}  // namespace joseki::coordinator
