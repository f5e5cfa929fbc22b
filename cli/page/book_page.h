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

// The default address of a page.
inline constexpr char kPageAddress[] = "127.0.0.1:7462";

// A page of a book at rest, served by this process to browsers of this machine. The page shows the
// book as it was at the start, and writes nothing to it. No coordinator can take the book during
// the lifetime of this object.
class BookPage {
 public:
  // `listen` is HOST:PORT on loopback, port 0 takes a free one; `option` names it in errors. `with`
  // is a book of the same game to compare it with, which a coordinator may hold. `rules` must
  // outlive it.
  // Errors as Coordinator::Open and PageServer::Start. FailedPrecondition "book_in_use" if a
  // coordinator holds the book; the error says where its page is.
  static absl::StatusOr<std::unique_ptr<BookPage>> Start(
      const coordinator::BookFile& book, const std::optional<coordinator::BookFile>& with,
      const std::string& listen, const std::string& option, const Rules& rules);

  std::string url() const { return UrlOf(page_->address()); }
  // The URL of a page on loopback.
  static std::string UrlOf(const std::string& address) { return "http://" + address + "/"; }

 private:
  BookPage(std::unique_ptr<coordinator::Coordinator> book,
           std::unique_ptr<coordinator::PageServer> page)
      : book_(std::move(book)), page_(std::move(page)) {}

  std::unique_ptr<coordinator::Coordinator> book_;
  std::unique_ptr<coordinator::PageServer> page_;  // ends first: it queries coordinator_
};

}  // namespace joseki::cli
