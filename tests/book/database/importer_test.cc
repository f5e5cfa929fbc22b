#include "book/database/importer.h"

#include <SQLiteCpp/Column.h>
#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/rng.h"
#include "book/database/book_store.h"
#include "book/database/store.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Shogi;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr char kCsaGame[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n";
constexpr char kCsaIllegal[] = "V2.2\nPI\n+\n+7776FU\n-3335FU\n%TORYO\n";
constexpr char kCsaHandicap[] = "V2.2\nPI82HI22KA\n-\n-3334FU\n+7776FU\n%TORYO\n";
constexpr char kUsiGames[] =
    "startpos moves 7g7f 8c8d\nstartpos moves 2g2f 8c8d 2f2e\nstartpos moves 7g7f 3c3d 3d3e\n";
constexpr char kBook[] =
    "#YANEURAOU-DB2016 1.00\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
    "7g7f 3c3d 68 24 1203\n2g2f none 55 24 980\n";

class ImporterTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

  // Imports `paths` into the test's book, which must go well.
  ImportReport Import(const std::vector<std::string>& paths, ImportOptions options = {}) {
    const auto files = ListImportFiles(paths);
    EXPECT_TRUE(files.ok()) << files.status();
    Importer importer(Shogi(), std::move(options));
    EXPECT_TRUE(importer.AddFiles(*files).ok());
    const auto report = importer.Commit(*store_, "test");
    EXPECT_TRUE(report.ok()) << report.status();
    return *report;
  }

  std::optional<BookPosition> Start() {
    const auto state = *Shogi().Start("startpos", MatchRules{});
    return *BookStore(*store_).Find(state->packed());
  }
  const BookMove* StartMove(const char* text) {
    start_ = Start();
    for (const BookMove& move : start_->moves) {
      if (move.move == *Shogi().MoveOf(text)) return &move;
    }
    return nullptr;
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<Store> store_ = *Store::Open(folder_ / "book.sqlite", OpenMode::kCreate);
  std::optional<BookPosition> start_;
};

TEST_F(ImporterTest, LeavesOutGamesThatAreNotWanted) {
  const std::string won = Write("won.csa", kCsaGame);
  const std::string open = Write("open.csa", "V2.2\nPI\n+\n+2726FU\n-8384FU\n%CHUDAN\n");
  ImportOptions options;
  options.games.decided = true;
  const ImportReport report = Import({won, open}, options);
  EXPECT_EQ(report.games, 1);
  EXPECT_EQ(report.filtered, 1);
  ASSERT_NE(StartMove("7g7f"), nullptr);
  EXPECT_EQ(StartMove("2g2f"), nullptr);
  EXPECT_NE(BookStore(*store_).Sources()->back().options.find("\"result\":\"decided\""),
            std::string::npos);
}

TEST_F(ImporterTest, ImportsWhatIsSoundAndRejectsTheRest) {
  const std::string good = Write("games/b.csa", kCsaGame);
  const std::string illegal = Write("games/a.csa", kCsaIllegal);
  Write("games/deeper/handicap.csa", kCsaHandicap);
  Write("games/notes.bin", "nothing that anybody knows\n");
  Write("games/.hidden", "not looked at");
  std::vector<absl::Status> heard;
  ImportOptions options;
  options.on_reject = [&](const absl::Status& problem) { heard.push_back(problem); };
  const ImportReport report = Import({folder_ / "games"}, options);
  EXPECT_EQ(report.games, 1);
  EXPECT_EQ(report.rejected, 3);
  EXPECT_EQ(report.positions, 4);
  EXPECT_EQ(report.moves, 4);
  EXPECT_THAT(heard, SizeIs(3));
  ASSERT_THAT(report.first_problems, SizeIs(3));
  EXPECT_EQ(ProblemOf(report.first_problems[0]).file, illegal);
  EXPECT_EQ(ProblemOf(report.first_problems[0]).code, "illegal_move");
  EXPECT_EQ(ProblemOf(report.first_problems[0]).line, 5);
  EXPECT_THAT(ProblemOf(report.first_problems[1]).file, EndsWith("handicap.csa"));
  EXPECT_EQ(ProblemOf(report.first_problems[1]).code, "handicap");
  EXPECT_THAT(ProblemOf(report.first_problems[2]).file, EndsWith("notes.bin"));
  int64_t by_reason = 0;
  for (const auto& [reason, count] : report.rejects_by_reason) by_reason += count;
  EXPECT_EQ(by_reason, report.rejected);
  EXPECT_EQ(StartMove("7g7f")->counts[0].games, 1);
  // Four plies were played, then the side to move gave up: Black.
  EXPECT_EQ(StartMove("7g7f")->counts[0].losses, 1);
}

TEST_F(ImporterTest, CountsFromTheSideThatMoved) {
  Write("g.csa", kCsaGame);
  Import({folder_ / "g.csa"});
  auto state = *Shogi().Start("startpos", MatchRules{});
  state->Play(*Shogi().MoveOf("7g7f"));
  const auto reply = *BookStore(*store_).Find(state->packed());
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->moves[0].counts[0].wins, 1);
  EXPECT_EQ(reply->ply, 2);
}

TEST_F(ImporterTest, ImportsUsiGamesAndRejectsOneOfThem) {
  const ImportReport report = Import({Write("g.usi", kUsiGames)});
  EXPECT_EQ(report.games, 2);
  EXPECT_EQ(report.rejected, 1);
  EXPECT_EQ(ProblemOf(report.first_problems[0]).line, 3);
  EXPECT_EQ(StartMove("7g7f")->counts[0].games, 1);
  EXPECT_EQ(StartMove("7g7f")->counts[0].wins, 0);  // no result is known
}

TEST_F(ImporterTest, TakesOnlyTheFirstPlies) {
  ImportOptions options;
  options.plies = 2;
  const ImportReport report = Import({Write("g.csa", kCsaGame)}, options);
  EXPECT_EQ(report.games, 1);
  EXPECT_EQ(report.positions, 2);
  EXPECT_EQ(report.moves, 2);
}

TEST_F(ImporterTest, KeepsProfessionalsApart) {
  ImportOptions options;
  options.professional = true;
  Import({Write("pro.csa", kCsaGame)}, options);
  Import({Write("other.usi", kUsiGames)});
  EXPECT_EQ(StartMove("7g7f")->counts[1].games, 1);
  EXPECT_EQ(StartMove("7g7f")->counts[0].games, 1);
}

TEST_F(ImporterTest, ImportsABookByContentAndByName) {
  ImportOptions named;
  named.from.book = BookFormat::kYaneuraouDb;
  const std::string path = Write("book.txt", kBook);
  for (const ImportOptions& options : {ImportOptions(), named}) {
    const ImportReport report = Import({path}, options);
    EXPECT_EQ(report.book_positions, 1);
    EXPECT_EQ(report.games, 0);
    EXPECT_EQ(StartMove("7g7f")->value, 68);
    EXPECT_EQ(StartMove("7g7f")->depth, 24);
    EXPECT_EQ(StartMove("7g7f")->counts[0].games, 0);
  }
  EXPECT_EQ(StartMove("2g2f")->book_count, 2 * 980);
}

TEST_F(ImporterTest, TheFilterDropsSlipsOfGamesAndNeverTouchesBooks) {
  // The counts of the thesis's start position, a hundredth of the large ones.
  const std::vector<std::pair<std::string, int>> kPlayed = {
      {"7g7f", 255}, {"2g2f", 35}, {"5g5f", 182}, {"2h5h", 105}, {"1g1f", 39},
      {"9g9f", 26},  {"2h6h", 14}, {"3i4h", 4},   {"8g8f", 1},   {"6g6f", 9}};
  std::string games;
  for (const auto& [move, count] : kPlayed) {
    for (int i = 0; i < count; ++i) absl::StrAppend(&games, "startpos moves ", move, "\n");
  }
  games += "startpos moves 7g7f 3c3d\n";  // a position that is seen once keeps its only move
  ImportOptions options;
  options.filter = book::NoiseFilter{.position_over = 100, .move_under = 10};
  const std::string book =
      "#YANEURAOU-DB2016 1.00\n"
      "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
      "8g8f none 0 0 1\n";
  const ImportReport report = Import({Write("games.usi", games), Write("slip.db", book)}, options);
  EXPECT_EQ(report.positions, 2);
  EXPECT_EQ(report.moves, 7 + 1 + 1);
  EXPECT_EQ(StartMove("3i4h"), nullptr);
  EXPECT_EQ(StartMove("6g6f"), nullptr);
  EXPECT_NE(StartMove("2h6h"), nullptr);
  ASSERT_NE(StartMove("8g8f"), nullptr);
  EXPECT_EQ(StartMove("8g8f")->counts[0].games, 0);
}

TEST_F(ImporterTest, CountsAFileOnceHoweverOftenItComes) {
  const std::vector<std::string> files = {Write("a.csa", kCsaGame), Write("b.usi", kUsiGames),
                                          Write("book.db", kBook)};
  EXPECT_THAT(BookStore(*store_).ImportedFiles().value(), IsEmpty());
  Import({files[0]});
  const int64_t once = StartMove("7g7f")->counts[0].games;
  EXPECT_EQ(once, 1);

  // The file comes under another name, twice, and together with new content.
  ImportOptions options;
  options.imported = BookStore(*store_).ImportedFiles().value();
  EXPECT_THAT(options.imported, SizeIs(1));
  const std::string copy = Write("copy.csa", kCsaGame);
  const ImportReport report = Import({files[0], copy, files[1], files[2], files[2]}, options);
  EXPECT_EQ(report.files_known, 3);
  EXPECT_EQ(report.games, 2);
  EXPECT_EQ(report.book_positions, 1);
  EXPECT_EQ(StartMove("7g7f")->counts[0].games, once + 1);
  EXPECT_THAT(BookStore(*store_).ImportedFiles().value(), SizeIs(3));

  options.imported = BookStore(*store_).ImportedFiles().value();
  const BookTotals before = BookStore(*store_).Totals().value();
  const ImportReport nothing = Import(files, options);
  EXPECT_EQ(nothing.files_known, 3);
  EXPECT_FALSE(nothing.anything());
  EXPECT_EQ(BookStore(*store_).Totals()->sources, before.sources) << "no source of nothing";

  options.again = true;
  const ImportReport again = Import({files[0], copy}, options);
  EXPECT_EQ(again.files_known, 0);
  EXPECT_EQ(again.games, 2);
  EXPECT_EQ(StartMove("7g7f")->counts[0].games, once + 3);
}

TEST_F(ImporterTest, AFileThatGaveNothingMayComeAgain) {
  Import({Write("bad.csa", kCsaIllegal), Write("good.csa", kCsaGame)});
  EXPECT_THAT(BookStore(*store_).ImportedFiles().value(), SizeIs(1));
}

TEST_F(ImporterTest, WritesNothingWhereThereIsNothing) {
  const ImportReport report = Import({Write("bad.csa", kCsaIllegal)});
  EXPECT_FALSE(report.anything());
  EXPECT_EQ(BookStore(*store_).Totals()->sources, 0);
}

TEST_F(ImporterTest, FailsAsAWholeForAPathThatIsNotThere) {
  const auto files = ListImportFiles({Write("g.csa", kCsaGame), folder_ / "none.csa"});
  EXPECT_EQ(files.status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ProblemOf(files.status()).file, folder_ / "none.csa");
}

TEST_F(ImporterTest, TakesBytesAsItTakesFiles) {
  Importer importer(Shogi(), {});
  importer.AddBytes("one.csa", kCsaGame);
  importer.AddBytes("two.usi", kUsiGames);
  importer.AddBytes("book.db", kBook);
  const auto report = importer.Commit(*store_, "upload");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->games, 3);
  EXPECT_EQ(report->book_positions, 1);
  EXPECT_THAT(report->rejects_by_reason, ElementsAre(Pair("illegal_move", 1)));
}

TEST_F(ImporterTest, SurvivesWhatIsNoRecordAtAll) {
  Importer importer(Shogi(), {});
  importer.AddBytes("empty", "");
  importer.AddBytes("zeros", std::string(10000, '\0'));
  importer.AddBytes("no newline", "sfen");
  importer.AddBytes("bad magic", "#YANEURAOU-DB2016 2.00\nsfen x\n");
  EXPECT_FALSE(importer.report().anything());
  EXPECT_GE(importer.report().rejected, 4);
}

TEST_F(ImporterTest, TheSameInputGivesTheSameBookInAnyOrder) {
  const std::string a = Write("a.csa", kCsaGame);
  const std::string b = Write("b.usi", kUsiGames);
  Import({a, b});
  const auto other = *Store::Open(folder_ / "other.sqlite", OpenMode::kCreate);
  Importer importer(Shogi(), {});
  ASSERT_TRUE(importer.AddFiles({b, a}).ok());
  ASSERT_TRUE(importer.Commit(*other, "test").ok());
  EXPECT_EQ(BookStore(*store_).LoadGraph(Shogi())->Serialize(),
            BookStore(*other).LoadGraph(Shogi())->Serialize());
}

// Every row of the book's tables, in their order.
std::vector<std::string> RowsOf(Store& store) {
  std::vector<std::string> rows;
  for (const char* table :
       {"positions", "moves", "move_counts", "move_values", "imported_files", "played"}) {
    SQLite::Statement row(store.db(), absl::StrCat("SELECT * FROM ", table));
    while (row.executeStep()) {
      std::string text = table;
      for (int i = 0; i < row.getColumnCount(); ++i) {
        absl::StrAppend(&text, " ", row.getColumn(i).getString());
      }
      rows.push_back(text);
    }
  }
  return rows;
}

// Games that go their own ways soon, and a book with positions of theirs, some twice.
TEST_F(ImporterTest, TheBookIsTheSameHoweverLittleMemoryThereIs) {
  Rng rng(3);
  std::string games;
  for (int i = 0; i < 60; ++i) {
    const auto state = *Shogi().Start("startpos", MatchRules{});
    games += "startpos moves";
    for (int ply = 0; ply < 30 && !state->LegalMoves().empty(); ++ply) {
      const std::vector<Move> legal = state->LegalMoves();
      const Move move = legal[rng.Below(ply < 3 ? 2 : legal.size())];
      state->Play(move);
      absl::StrAppend(&games, " ", Shogi().Text(move));
    }
    games += "\n";
  }
  Write("in/games.usi", games);
  Write("in/b1.db", kBook);
  Write("in/b2.db", absl::StrCat(kBook, "7g7f 8c8d 70 30 5\n"));
  Import({folder_ / "in"});
  const std::vector<std::string> expected = RowsOf(*store_);
  ASSERT_GT(expected.size(), 12u);
  for (const size_t memory : {size_t{1}, size_t{20'000}}) {
    for (const int threads : {1, 3}) {
      const std::string path = absl::StrCat(folder_ / "spilled", memory, "-", threads);
      const auto store = *Store::Open(path, OpenMode::kCreate);
      ImportOptions options;
      options.memory = memory;
      options.threads = threads;
      options.spill_folder = folder_.path().string();
      Importer importer(Shogi(), options);
      ASSERT_TRUE(importer.AddFiles(*ListImportFiles({folder_ / "in"})).ok());
      const auto report = importer.Commit(*store, "test");
      ASSERT_TRUE(report.ok()) << report.status();
      EXPECT_EQ(report->games, 60);
      EXPECT_EQ(RowsOf(*store), expected);
    }
  }
}

TEST_F(ImporterTest, SaysWhereThereIsNoRoom) {
  ImportOptions options;
  options.memory = 1;
  options.spill_folder = folder_ / "none";
  Importer importer(Shogi(), options);
  const absl::Status added = importer.AddFiles({Write("g.usi", kUsiGames)});
  EXPECT_EQ(ProblemOf(added).code, "file_error");
  EXPECT_EQ(ProblemOf(added).file, std::string(folder_ / "none"));
  EXPECT_FALSE(importer.Commit(*store_, "test").ok());
  EXPECT_EQ(BookStore(*store_).Totals()->positions, 0);
}

TEST_F(ImporterTest, ReportsProgressToTheEnd) {
  std::string games;
  for (int i = 0; i < 10000; ++i) games += "startpos moves 7g7f 3c3d\n";
  std::vector<ImportProgress> calls;
  ImportOptions options;
  options.on_progress = [&](const ImportProgress& now) { calls.push_back(now); };
  Import({Write("g.usi", games)}, options);
  ASSERT_GE(calls.size(), 3u);
  for (size_t i = 1; i < calls.size(); ++i) {
    EXPECT_TRUE(calls[i].writing || calls[i].done >= calls[i - 1].done);
    EXPECT_LE(calls[i].done, calls[i].total);
  }
  EXPECT_EQ(calls.back().done, games.size());
}

constexpr char kTree[] =
    "手合割：平手\n   1 ７六歩(77)\n**対局 候補1 深さ 9 評価値 40\n   2 ３四歩(33)\n**評価値=-30\n"
    "変化：1手\n   1 ２六歩(27)\n   2 ８四歩(83)\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(77)\n";

TEST_F(ImporterTest, VariationsAndEvaluationsAreTakenInWhereAskedFor) {
  Write("tree.kif", kTree);
  const ImportReport plain = Import({folder_ / "tree.kif"});
  EXPECT_EQ(plain.games, 1);
  EXPECT_EQ(plain.book_positions, 0);
  EXPECT_EQ(plain.rejected, 0);
  EXPECT_EQ(StartMove("2g2f"), nullptr);
  const ImportReport all = Import(
      {folder_ / "tree.kif"}, {.plies = 2, .variations = true, .evaluations = true, .again = true});
  EXPECT_EQ(all.games, 1);
  EXPECT_EQ(all.book_positions, 2 + 3);
  EXPECT_THAT(all.rejects_by_reason, ElementsAre(Pair("illegal_move", 1)));
  ASSERT_NE(StartMove("2g2f"), nullptr);
  EXPECT_EQ(StartMove("2g2f")->counts[0].games, 0);
  EXPECT_EQ(StartMove("2g2f")->book_count, 1);
  EXPECT_EQ(StartMove("7g7f")->value, 40);
  EXPECT_EQ(StartMove("7g7f")->depth, 9);
  EXPECT_EQ(StartMove("7g7f")->book_count, 0);
}

// 7g7f, 3c3d and a resignation, as `gzip -n` writes it.
constexpr unsigned char kGzip[] = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0x0b, 0xf0, 0xe4, 0xd2, 0xe6, 0xd2,
    0x36, 0x37, 0x37, 0x37, 0x73, 0x0b, 0xe5, 0xd2, 0x35, 0x36, 0x36, 0x36, 0x01, 0xd2, 0xaa, 0x21,
    0xfe, 0x41, 0x91, 0xfe, 0x5c, 0x00, 0x4c, 0xc2, 0x32, 0x4f, 0x1c, 0x00, 0x00, 0x00};

TEST_F(ImporterTest, OpensArchives) {
  const std::string bytes(reinterpret_cast<const char*>(kGzip), sizeof kGzip);
  Write("a/game.csa.gz", bytes);
  Write("a/torn.gz", bytes.substr(0, bytes.size() - 12));
  const ImportReport report = Import({folder_ / "a"});
  EXPECT_EQ(report.games, 1);
  EXPECT_THAT(report.rejects_by_reason, ElementsAre(Pair("bad_archive", 1)));
  EXPECT_EQ(StartMove("7g7f")->counts[0].losses, 1);
  // The content of a file counts, not its packing.
  Write("game.csa", "PI\n+\n+7776FU\n-3334FU\n%TORYO\n");
  EXPECT_EQ(
      Import({folder_ / "game.csa"}, {.imported = *BookStore(*store_).ImportedFiles()}).files_known,
      1);
}

TEST_F(ImporterTest, ImportsTheDataSet) {
  const auto csa = joseki::testing::SharedData("games/raw/shogi_csa");
  const auto db = joseki::testing::SharedData("books/gps_master_joseki.db");
  JOSEKI_REQUIRE_SHARED_DATA(csa);
  JOSEKI_REQUIRE_SHARED_DATA(db);
  const ImportReport report = Import({csa.string(), db.string()});
  EXPECT_GT(report.games, 100);
  EXPECT_GT(report.book_positions, 10000);
  EXPECT_GT(report.rejects_by_reason.at("handicap"), 0);
  EXPECT_THAT(*BookStore(*store_).Check(), IsEmpty());
}

}  // namespace
}  // namespace joseki::book
