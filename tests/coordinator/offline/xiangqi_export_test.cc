// Export of a book of xiangqi.

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/formats/book_file.h"
#include "book/formats/obk.h"
#include "coordinator/offline/converter.h"
#include "coordinator/offline/export_file.h"
#include "coordinator/offline/export_style.h"
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
using ::testing::Not;

class XiangqiExportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    book::Importer importer(xiangqi::XiangqiRules(), {});
    importer.AddBytes("f", "startpos moves h2e2 h9g7 1-0\nstartpos moves g3g4 0-1\n");
    ASSERT_TRUE(importer.Commit(*store_, "f").ok());
  }
  std::string Written(book::BookFormat format) {
    const auto file = ExportFile(*store_, xiangqi::XiangqiRules(), {.format = format});
    EXPECT_TRUE(file.ok()) << file.status();
    return file.ok() ? file->bytes : "";
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
    EXPECT_EQ(
        ProblemOf(ExportFile(*store_, xiangqi::XiangqiRules(), {.format = format}).status()).code,
        "other_game");
  }
}

// Of two mirror images a .obk has one answer, of which an export of a run tells.
TEST_F(XiangqiExportTest, TheBetterKnownOfMirrorImagesAnswersForBoth) {
  const Rules& rules = xiangqi::XiangqiRules();
  ExportBook book;
  book.run = ExportBook::Run();
  const auto add = [&](const char* line, int64_t games, const char* answer, const char* other) {
    const auto state = *rules.Start("startpos", MatchRules{});
    EXPECT_TRUE(state->Play(*rules.MoveOf(line)));
    ExportBook::Position& position = book.positions.emplace_back();
    position.packed = state->packed();
    position.ply = 2;
    for (const char* const move : {answer, other}) {
      ExportBook::Move& added = position.moves.emplace_back();
      added.move = *rules.MoveOf(move);
      added.answer = move == answer;
    }
    // Fewer of the games with the answer.
    position.moves[0].games = 1;
    position.moves[1].games = games - 1;
  };
  add("h2e2", 50, "h9g7", "b9c7");
  add("b2e2", 40, "h9g7", "b9c7");
  add("g3g4", 60, "h9g7", "b9c7");  // without its image
  std::sort(book.positions.begin(), book.positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  const std::vector<book::DbPosition> positions = PositionsOf(book, book::BookFormat::kObk);
  EXPECT_THAT(
      NotesOn(book, positions, book::BookFormat::kObk),
      ::testing::Contains(HasSubstr("at 1 position the answer is that of the mirror image")));
  EXPECT_THAT(
      NotesOn(book, PositionsOf(book, book::BookFormat::kEleeye), book::BookFormat::kEleeye),
      Not(::testing::Contains(HasSubstr("mirror image"))));
  for (const book::DbPosition& position : book::AsWrittenToObk(positions)) {
    const auto answer =
        std::max_element(position.moves.begin(), position.moves.end(),
                         [](const auto& a, const auto& b) { return a.count < b.count; });
    const auto state = *rules.Start("startpos", MatchRules{});
    EXPECT_TRUE(state->Play(*rules.MoveOf("b2e2")));
    EXPECT_EQ(rules.Text(answer->move), position.packed == state->packed() ? "b9c7" : "h9g7");
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
