#include "coordinator/services/export_pages.h"

#include <filesystem>
#include <memory>
#include <string>

#include "base/problem.h"
#include "base/retry_after.h"
#include "book/database/store.h"
#include "coordinator/offline/export_file.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_run.h"

namespace joseki::coordinator {
namespace {

TEST(ExportPermitsTest, AreTwo) {
  const auto permits = ExportPermits();
  auto first = Permits::Take(permits);
  const auto second = Permits::Take(permits);
  ASSERT_TRUE(first.ok() && second.ok());
  const auto third = Permits::Take(permits);
  ASSERT_FALSE(third.ok());
  EXPECT_EQ(third.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(ProblemOf(third.status()).code, "too_many_exports");
  EXPECT_TRUE(RetryAfterOf(third.status()).has_value());
  *first = nullptr;
  EXPECT_TRUE(Permits::Take(permits).ok());
}

TEST(PermitsTest, AreEachCallersOwn) {
  const auto permits = std::make_shared<Permits>(Permits::Options{.most = 1, .code = "full"});
  const auto mine = Permits::Take(permits, "me");
  EXPECT_FALSE(Permits::Take(permits, "me").ok());
  EXPECT_TRUE(Permits::Take(permits, "you").ok());
  EXPECT_TRUE(Permits::Take(permits, "you").ok()) << "it was given back at once";
}

TEST(ExportPagesTest, AreTheBookAndLeaveNothing) {
  const testing::TempFolder folder;
  const std::string path = folder / "book.sqlite";
  testing::WriteToyBook(path, 5);
  const testing::ToyRules rules;
  const std::string whole = [&] {
    const auto store = book::Store::Open(path, book::OpenMode::kReadOnly).value();
    return ExportFile(*store, rules, {.format = book::BookFormat::kJson}).value().bytes;
  }();
  const auto permits = ExportPermits();
  ExportPages pages(path, rules, /*run=*/0, book::BookFormat::kJson,
                    Permits::Take(permits).value());
  std::string sent;
  for (;;) {
    const auto page = pages.Next();
    ASSERT_TRUE(page.ok()) << page.status();
    if (page->empty()) break;
    for (const v1::ExportBookChunk& chunk : *page) sent += chunk.data();
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      EXPECT_EQ(file.path().filename().string().rfind("book.sqlite", 0), 0U) << file.path();
    }
  }
  EXPECT_EQ(sent, whole);
}

}  // namespace
}  // namespace joseki::coordinator
