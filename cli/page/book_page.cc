#include "cli/page/book_page.h"

#include <utility>

#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki::cli {
namespace {

// The error for a book that a coordinator holds, worded for somebody who wants to look at it.
absl::Status InUse(const absl::Status& status) {
  Problem problem = ProblemOf(status);
  if (problem.code != "coordinator_running") return status;
  problem.code = "book_in_use";
  problem.expected =
      "a book that nobody plays for: look at the page of the other one (`--page` of tune and of "
      "joseki-coordinator), or let it end";
  return MakeProblem(std::move(problem), status.code());
}

}  // namespace

absl::StatusOr<std::unique_ptr<BookPage>> BookPage::Start(
    const coordinator::BookFile& book, const std::optional<coordinator::BookFile>& with,
    const std::string& listen, const std::string& option, const Rules& rules) {
  coordinator::PageOptions page{.listen = listen,
                                .option = option,
                                .only_loopback = true,
                                .db_path = book.db_path,
                                .name = book.name,
                                .with = with,
                                .nobody_plays = true};
  RETURN_IF_ERROR(coordinator::PageServer::Check(page));
  absl::StatusOr<std::unique_ptr<coordinator::Coordinator>> coordinator =
      coordinator::Coordinator::Open({.db_path = book.db_path,
                                      .page = coordinator::PageServer::UrlOf(page),
                                      .allow_network_file_system = true,
                                      .only_looks = true},
                                     rules);
  if (!coordinator.ok()) return InUse(coordinator.status());
  ASSIGN_OR_RETURN(
      std::unique_ptr<coordinator::PageServer> server,
      coordinator::PageServer::Start(std::move(page), (*coordinator)->readers(), rules));
  return std::unique_ptr<BookPage>(new BookPage(*std::move(coordinator), std::move(server)));
}

}  // namespace joseki::cli
