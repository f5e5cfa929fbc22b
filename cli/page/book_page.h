#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "coordinator/coordinator.h"
#include "coordinator/page/book_file.h"
#include "coordinator/page/page_server.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// Where a page is served unless another address is named.
inline constexpr char kPageAddress[] = "127.0.0.1:7462";

// The page of a book that nobody plays for, served by this process to browsers of this machine. It
// shows the book as it is when the page begins; nothing is written to it. No coordinator can take
// the book as long as this lives.
class BookPage {
 public:
  // `listen` is HOST:PORT on loopback, port 0 takes a free one; `option` names it in errors. As
  // Coordinator::Start and PageServer::Start; FailedPrecondition "book_in_use", which says where
  // its page is, if a coordinator has the book. `with` is a book of the same game to compare it
  // with; a coordinator may have that one. `rules` must outlive it.
  static absl::StatusOr<std::unique_ptr<BookPage>> Start(
      const coordinator::BookFile& book, const std::optional<coordinator::BookFile>& with,
      const std::string& listen, const std::string& option, const Rules& rules);

  std::string url() const { return UrlOf(page_->address()); }
  // Of a page on loopback.
  static std::string UrlOf(const std::string& address) { return "http://" + address + "/"; }

 private:
  BookPage(std::unique_ptr<coordinator::Coordinator> book,
           std::unique_ptr<coordinator::PageServer> page)
      : book_(std::move(book)), page_(std::move(page)) {}

  std::unique_ptr<coordinator::Coordinator> book_;
  std::unique_ptr<coordinator::PageServer> page_;  // ends first, for it asks the other
};

}  // namespace joseki::cli
