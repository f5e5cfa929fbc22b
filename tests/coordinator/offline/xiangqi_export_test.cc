// Export of a book of xiangqi.

#include <memory>
#include <string>

#include "base/file.h"
#include "base/problem.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "coordinator/offline/converter.h"
#include "coordinator/offline/exporter.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::testing::HasSubstr;

class XiangqiExportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    book::Importer importer(xiangqi::XiangqiRules(), {});
    importer.AddBytes("f", "startpos moves h2e2 h9g7 1-0\nstartpos moves g3g4 0-1\n");
    ASSERT_TRUE(importer.Commit(*store_, "f").ok());
  }
  std::string Written(book::BookFormat format) {
    const auto bytes = Export(*store_, xiangqi::XiangqiRules(), 0, format);
    EXPECT_TRUE(bytes.ok()) << bytes.status();
    return bytes.value_or("");
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<book::Store> store_ =
      *book::Store::Open(folder_ / "x.sqlite", book::OpenMode::kCreate, "xiangqi");
};

TEST_F(XiangqiExportTest, JsonNamesTheGameAndItsOpenings) {
  const auto json = nlohmann::json::parse(Written(book::BookFormat::kJson));
  EXPECT_EQ(json["game"], "xiangqi");
  ASSERT_EQ(json["positions"].size(), 2u);
  int named = 0;
  for (const auto& position : json["positions"]) {
    if (!position.contains("opening")) continue;
    ++named;
    EXPECT_EQ(position["opening"]["code"], "B00");
    EXPECT_EQ(position["opening"]["name"], "中炮局");
  }
  EXPECT_EQ(named, 1);  // the start position has no name
}

TEST_F(XiangqiExportTest, WritesEveryFormatOfItsGameAndNoOther) {
  for (const book::BookFormat format : {book::BookFormat::kEleeye, book::BookFormat::kObk,
                                        book::BookFormat::kProbe, book::BookFormat::kJson}) {
    const std::string bytes = Written(format);
    EXPECT_EQ(book::BookFormatOf(bytes), format);
    EXPECT_EQ(book::GameOfBook(format, bytes), "xiangqi");
    EXPECT_TRUE(book::CheckGame(format, bytes, "f", "xiangqi").ok());
    EXPECT_EQ(ProblemOf(book::CheckGame(format, bytes, "f", "shogi")).code, "other_game");
  }
  EXPECT_THAT(Written(book::BookFormat::kUcciLines), HasSubstr("startpos moves h2e2 h9g7\n"));
  EXPECT_EQ(UsualFormat(xiangqi::XiangqiRules()), "eleeye");
  EXPECT_EQ(UsualFormat(joseki::testing::Shogi()), "yaneuraou-db");
  for (const book::BookFormat format :
       {book::BookFormat::kYaneuraouDb, book::BookFormat::kApery, book::BookFormat::kUsiLines}) {
    EXPECT_EQ(ProblemOf(Export(*store_, xiangqi::XiangqiRules(), 0, format).status()).code,
              "other_game");
  }
}

TEST_F(XiangqiExportTest, ConvertsIntoFormatsOfItsGameAlone) {
  const std::string from = folder_ / "book.json";
  ASSERT_TRUE(WriteFileAtomically(from, Written(book::BookFormat::kJson)).ok());
  const std::string out = folder_ / "out";
  EXPECT_EQ(ProblemOf(ConvertBook(from, {.to = book::BookFormat::kYbb, .out = out}).status()).code,
            "other_game");
  EXPECT_FALSE(ReadFile(out).ok());  // nothing was written
  for (const book::BookFormat format :
       {book::BookFormat::kEleeye, book::BookFormat::kObk, book::BookFormat::kProbe}) {
    const auto report = ConvertBook(from, {.to = format, .out = out});
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_EQ(report->written, 2);
    EXPECT_EQ(book::GameOfBook(format, *ReadFile(out)), "xiangqi");
  }
}

}  // namespace
}  // namespace joseki::coordinator
