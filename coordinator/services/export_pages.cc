#include "coordinator/services/export_pages.h"

#include <algorithm>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "base/problem.h"
#include "base/retry_after.h"
#include "base/status_macros.h"
#include "book/database/store.h"

namespace joseki::coordinator {
namespace {

constexpr size_t kChunkBytes = 64 << 10;
constexpr size_t kChunksPerPage = 16;
constexpr absl::Duration kRetryAfter = absl::Seconds(5);

}  // namespace

absl::StatusOr<ExportSeats::Seat> ExportSeats::Take(const std::shared_ptr<ExportSeats>& seats) {
  if (seats->taken_.fetch_add(1) < kSeats) {
    // The deleter holds the seats: a call may outlive the service.
    return Seat(seats.get(), [seats](ExportSeats*) { --seats->taken_; });
  }
  --seats->taken_;
  return WithRetryAfter(MakeProblem({.code = "too_many_exports",
                                     .found = absl::StrCat(kSeats, " books on their way"),
                                     .expected = "the same call again when one of them is done"},
                                    absl::StatusCode::kResourceExhausted),
                        kRetryAfter);
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
