// Import of xiangqi's records and books, and refusal of another game's.

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "book/database/store.h"
#include "book/formats/json_book.h"
#include "book/formats/probe_file.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::SharedData;
using ::joseki::testing::TestData;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr char kPgnGame[] =
    "[Game \"Chinese Chess\"]\n[Result \"1-0\"]\n\n1. C2=5 N8+7 2. N2+3 1-0\n";
constexpr char kUcciGames[] = "startpos moves h2e2 h9g7 0-1\n";
constexpr char kUsiGame[] = "startpos moves 7g7f 8c8d\n";

// The start position with one move, counted so often.
std::vector<DbPosition> OneMove(const Rules& rules, const char* move, uint64_t count) {
  DbPosition entry;
  entry.packed = (*rules.Start("startpos", MatchRules{}))->packed();
  entry.moves.push_back({.move = *rules.MoveOf(move), .count = count});
  return {entry};
}

class XiangqiImportTest : public ::testing::Test {
 protected:
  static ImportReport Read(const Rules& rules, std::string_view bytes, Store& store,
                           ImportOptions options = {}) {
    Importer importer(rules, std::move(options));
    importer.AddBytes("f", bytes);
    const auto report = importer.Commit(store, "test");
    EXPECT_TRUE(report.ok()) << report.status();
    return *report;
  }
  ImportReport Import(std::string_view bytes, ImportOptions options = {}) {
    return Read(xiangqi::XiangqiRules(), bytes, *xiangqi_, std::move(options));
  }

  const BookMove* StartMove(const char* text) {
    const auto state = *xiangqi::XiangqiRules().Start("startpos", MatchRules{});
    start_ = *BookStore(*xiangqi_).Find(state->packed());
    if (!start_) return nullptr;
    for (const BookMove& move : start_->moves) {
      if (move.move == *xiangqi::XiangqiRules().MoveOf(text)) return &move;
    }
    return nullptr;
  }

  static int64_t Rows(Store& store) {
    int64_t rows = 0;
    EXPECT_TRUE(BookStore(store)
                    .ForEach([&](const BookPosition&) {
                      ++rows;
                      return absl::OkStatus();
                    })
                    .ok());
    return rows;
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<Store> xiangqi_ =
      *Store::Open(folder_ / "xiangqi.sqlite", OpenMode::kCreate, "xiangqi");
  std::unique_ptr<Store> shogi_ = *Store::Open(folder_ / "shogi.sqlite", OpenMode::kCreate);
  std::optional<BookPosition> start_;
};

TEST_F(XiangqiImportTest, TellsRecordsAndBooksByContent) {
  EXPECT_EQ(Import(kPgnGame).games, 1);
  EXPECT_EQ(Import(kUcciGames).games, 1);
  EXPECT_EQ(Import(Bytes(TestData("xqf/tree_v18.xqf"))).games, 1);
  const Rules& rules = xiangqi::XiangqiRules();
  EXPECT_EQ(Import(WriteJsonBook(OneMove(rules, "h2e2", 5))).book_positions, 1);
  EXPECT_EQ(Import(WriteProbeFile(OneMove(rules, "g3g4", 7))).book_positions, 1);
  const BookMove* const cannon = StartMove("h2e2");
  ASSERT_NE(cannon, nullptr);
  int64_t games = 0;
  for (const MoveCounts& counts : cannon->counts) games += counts.games;
  EXPECT_EQ(games, 3);
  EXPECT_EQ(cannon->book_count, 5);
  ASSERT_NE(StartMove("g3g4"), nullptr);
  EXPECT_EQ(StartMove("g3g4")->book_count, 7);
}

TEST_F(XiangqiImportTest, ReadsATreeAsABook) {
  const ImportReport report = Import(Bytes(TestData("xqf/tree_v10.xqf")), {.variations = true});
  EXPECT_EQ(report.games, 1);
  // From h2e2 b9c7 h0g2 the branch's own moves, and b2e2.
  ASSERT_NE(StartMove("b2e2"), nullptr);
  EXPECT_EQ(StartMove("b2e2")->book_count, 1);
}

TEST_F(XiangqiImportTest, RefusesFilesOfAnotherGameAndWritesNothing) {
  const auto refused = [](const ImportReport& report) {
    EXPECT_FALSE(report.anything());
    EXPECT_THAT(report.rejects_by_reason, ElementsAre(Pair("other_game", 1)));
  };
  const Rules& shogi = joseki::testing::Shogi();
  refused(Import(kUsiGame));
  refused(Import(WriteJsonBook(OneMove(shogi, "7g7f", 5))));
  refused(Import(WriteProbeFile(OneMove(shogi, "7g7f", 5))));
  refused(Import("[Game \"Chess\"]\n\n1. e4 e5 *\n"));
  EXPECT_EQ(Rows(*xiangqi_), 0);
  for (const std::string& bytes :
       {std::string(kPgnGame), std::string(kUcciGames), Bytes(TestData("xqf/tree_v10.xqf")),
        WriteJsonBook(OneMove(xiangqi::XiangqiRules(), "h2e2", 5)),
        WriteProbeFile(OneMove(xiangqi::XiangqiRules(), "h2e2", 5))}) {
    refused(Read(shogi, bytes, *shogi_));
  }
  EXPECT_EQ(Rows(*shogi_), 0);
}

// Five trees: 403,068 positions with 415,049 moves, as an independent converter counted them.
TEST_F(XiangqiImportTest, ReadsEveryEdgeOfTheSharedTrees) {
  const std::filesystem::path trees = SharedData("books/xiangqi_opening_trees_xqf");
  JOSEKI_REQUIRE_SHARED_DATA(trees);
  Importer importer(xiangqi::XiangqiRules(), {.plies = 1000, .variations = true});
  ASSERT_TRUE(importer.AddFiles(*ListImportFiles({trees.string()})).ok());
  const auto report = importer.Commit(*xiangqi_, "trees");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->rejected, 24);  // lines that break, read up to there
  EXPECT_EQ(report->positions, 403'068);
  EXPECT_EQ(report->moves, 415'049);
}

}  // namespace
}  // namespace joseki::book
