#include "book/database/import_source.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "book/database/ordered_pipe.h"
#include "book/database/store.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class ImportSourceTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }
  // The files' events in words; `parts` receives the number of parts.
  std::vector<std::string> Events(const std::vector<std::string>& files, size_t part,
                                  int* parts = nullptr) {
    ImportSource source(files, {.variations = true}, part);
    std::vector<std::string> words;
    int works = 0;
    while (const auto work = source.Next()) {
      ++works;
      (*work)([&](ImportEvent event) {
        if (const auto* file = std::get_if<FileBegins>(&event)) {
          if (!file->goes_on) words.push_back("file " + Hex(file->content));
        } else if (const auto* game = std::get_if<book::GameRecord>(&event)) {
          words.push_back(absl::StrCat("game ", game->line, " of ", game->moves.size()));
        } else if (const auto* position = std::get_if<book::DbPosition>(&event)) {
          words.push_back(absl::StrCat("position ", position->line));
        } else if (const auto* problem = std::get_if<absl::Status>(&event)) {
          words.push_back(std::string(problem->message()));
        }
      });
    }
    EXPECT_TRUE(source.status().ok()) << source.status();
    if (parts != nullptr) *parts = works;
    return words;
  }

  joseki::testing::TempFolder folder_;
};

std::string Csa(int games) {
  std::string text = "V2.2\n";
  for (int i = 0; i < games; ++i) {
    absl::StrAppend(&text, "PI\n+\n+7776FU\n", i % 7 == 3 ? "-3335FU\n" : "-3334FU\n",
                    "%TORYO\n/\n");
  }
  return text + "\n";
}
std::string Usi(int games) {
  std::string text = "# games\n";
  for (int i = 0; i < games; ++i)
    absl::StrAppend(&text, "7g7f 3c3d", i % 5 == 1 ? " 7g7f\n" : "\r\n");
  return text;
}
std::string Db(int times) {
  std::string text = "#YANEURAOU-DB2016 1.00\n";
  for (int i = 0; i < times; ++i) {
    absl::StrAppend(&text, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - ",
                    i + 1, "\n7g7f none 0 32 1\n2g2e none 0 32 1\n");
  }
  return text;
}

// Valid and broken games, games without an end word, headers in several orders, comments and
// variations. Some contain a word that would open a game if it came before moves.
std::string Kif(int games) {
  std::string text = "# ---- a file of games\n";
  for (int i = 0; i < games; ++i) {
    constexpr const char* kHeaders[] = {
        "#KIF version=2.0\n手合割：平手\n先手：甲\n後手：乙\n",
        "# a game\n棋戦：戦\n開始日時：2026/11/22\n先手：甲\n",
        "先手：甲\r\n手合割：平手\r\n手数----指手---------消費時間--\r\n",
        "手合割：香落ち\n",
    };
    constexpr const char* kGames[] = {
        "   1 ７六歩(77)\n*手合割：comment\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 投了\n",
        "1 ７六歩(77)\n&bookmark\n2 ３三歩(33)\n\n変化：2手\n   2 ８四歩(83)\n",
        "   1 ２六歩(27)\r\n　 2 ８四歩(83)\r\nまで2手で中断\r\n\r\n",
        "   1 投了\n",
        ("   1 ７六歩(77)\n   2 ３四歩(33)\n変化：1手\n   1 ２六歩(27)\n\n変化：1手\n"
         "   1 ８六歩(87)\n"),
        "",
    };
    absl::StrAppend(&text, kHeaders[i % 4], kGames[i % 6]);
  }
  return text;
}
std::string Ki2(int games) {
  std::string text;
  for (int i = 0; i < games; ++i) {
    absl::StrAppend(&text, i % 3 == 0 ? "#KI2 version=2.0\n" : "",
                    "開始日時：2026/11/22\n先手：甲\n",
                    i % 5 == 2 ? "" : "▲７六歩 △３四歩\n  ▲２六歩\n",
                    i % 2 == 0 ? "まで3手で先手の勝ち\n\n" : "変化：2手\n△８四歩\n");
  }
  return text;
}
// The content of a file of the test data, `times` times.
std::string Repeated(const std::string& name, int times) {
  const std::string one = *ReadFile(joseki::testing::TestData("records/good/" + name).string());
  std::string text;
  while (times-- > 0) text += one;
  return text;
}

TEST_F(ImportSourceTest, WhereAFileIsCutDoesNotShow) {
  for (const auto& [name, bytes] : {std::pair<const char*, std::string>{"g.csa", Csa(40)},
                                    {"g.usi", Usi(40)},
                                    {"g.kif", Kif(48)},
                                    {"sjis.kif", Repeated("shift_jis.kif", 42)},
                                    {"bom.kif", "\xef\xbb\xbf" + Kif(48)},
                                    {"g.ki2", Ki2(60)},
                                    {"sjis.ki2", Repeated("shift_jis.ki2", 42)},
                                    {"b.db", Db(40)}}) {
    SCOPED_TRACE(name);
    const std::string file = Write(name, bytes);
    const std::vector<std::string> whole = Events({file}, 1 << 20);
    EXPECT_THAT(whole, SizeIs(::testing::Gt(40)));
    int most = 0;
    for (const size_t part : {90, 150, 333, 1200}) {
      int parts = 0;
      EXPECT_EQ(Events({file}, part, &parts), whole) << part;
      most = std::max(most, parts);
    }
    EXPECT_GT(most, 4);
  }
}

TEST_F(ImportSourceTest, WhatCannotBeCutIsReadWhole) {
  const std::string kif = Write("g.kif", "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n");
  int parts = 0;
  EXPECT_THAT(Events({kif}, 16, &parts), SizeIs(2));
  EXPECT_EQ(parts, 1);
  // Another game only begins after moves.
  const std::string headers = Write("h.kif", "先手：甲\n手合割：平手\n先手：乙\n   1 ７六歩(77)\n");
  EXPECT_THAT(Events({headers}, 16, &parts), SizeIs(2));
  EXPECT_EQ(parts, 1);
  // Games without a '/' between them.
  const std::string csa = Write("g.csa", "PI\n+\n+7776FU\n%TORYO\nPI\n+\n+2726FU\n%TORYO\n");
  EXPECT_THAT(Events({csa}, 16, &parts), SizeIs(3));
  EXPECT_EQ(parts, 1);
}

// A piece that is no text costs the games in it, not those of the pieces around it.
TEST_F(ImportSourceTest, ReadsAroundWhatCannotBeDecoded) {
  const std::string game = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
  const std::string broken = "手合割：平手\n   1 ７六歩(77)\n*\x8e\n   2 投了\n";
  const std::string file = Write("g.kif", game + game + broken + game + game);
  int parts = 0;
  const std::vector<std::string> words = Events({file}, game.size() + 20, &parts);
  EXPECT_EQ(parts, 5);
  ASSERT_THAT(words, SizeIs(6));
  EXPECT_EQ(words[1], "game 1 of 2");
  EXPECT_EQ(words[2], "game 5 of 2");
  EXPECT_THAT(words[3], ::testing::HasSubstr(":9"));
  EXPECT_THAT(words[3], ::testing::HasSubstr("bad_encoding"));
  EXPECT_EQ(words[4], "game 13 of 2");
  EXPECT_EQ(words[5], "game 17 of 2");
}

// A pipe that gives `bytes` once, by the name that a shell gives it.
class FullPipe {
 public:
  explicit FullPipe(const std::string& bytes) {
    if (pipe(ends_) != 0) throw std::runtime_error("no pipe");
    writer_ = std::thread([this, bytes] {
      for (std::string_view left = bytes; !left.empty();) {
        const ssize_t n = write(ends_[1], left.data(), left.size());
        if (n <= 0) break;
        left.remove_prefix(static_cast<size_t>(n));
      }
      close(ends_[1]);
    });
  }
  ~FullPipe() {
    close(ends_[0]);
    writer_.join();
  }
  std::string name() const { return absl::StrCat("/dev/fd/", ends_[0]); }

 private:
  int ends_[2] = {};
  std::thread writer_;
};

TEST_F(ImportSourceTest, APipeGivesWhatTheFileGives) {
  // The events without file names, which problems contain.
  const auto events = [this](const std::string& name, int* parts) {
    std::vector<std::string> words = Events({name}, 1000, parts);
    for (std::string& word : words) absl::StrReplaceAll({{name, "F"}}, &word);
    return words;
  };
  for (const std::string& bytes : {Csa(500), Usi(500), Db(500), Csa(1), std::string()}) {
    const auto whole = events(Write("file", bytes), nullptr);
    const FullPipe pipe(bytes);
    int parts = 0;
    EXPECT_EQ(events(pipe.name(), &parts), whole);
    EXPECT_TRUE(bytes.size() < 1000 || parts > 5) << parts;
  }
}

TEST_F(ImportSourceTest, RefusesADevice) {
  const std::vector<std::string> files = {"/dev/zero"};
  ImportSource source(files, {});
  EXPECT_FALSE(source.Next().has_value());
  EXPECT_EQ(ProblemOf(source.status()).code, "file_error");
}

TEST_F(ImportSourceTest, StopsAtAFileThatCannotBeRead) {
  const std::vector<std::string> files = {Write("a.usi", "7g7f\n"), folder_ / "none"};
  ImportSource source(files, {});
  EXPECT_TRUE(source.Next().has_value());
  EXPECT_FALSE(source.Next().has_value());
  EXPECT_EQ(ProblemOf(source.status()).file, folder_ / "none");
}

TEST_F(ImportSourceTest, TheBookIsTheSameWithAnyNumberOfThreads) {
  std::vector<std::string> files;
  for (int i = 0; i < 30; ++i) {
    files.push_back(Write(absl::StrCat(i, ".csa"), Csa(i)));
    files.push_back(Write(absl::StrCat(i, ".usi"), Usi(i % 4)));
    files.push_back(Write(absl::StrCat(i, ".kif"), Kif(i)));
    files.push_back(Write(absl::StrCat(i, ".db"), Db(i)));
  }
  std::string first;
  for (const int threads : {1, 2, 7}) {
    const std::string path = folder_ / absl::StrCat("book", threads, ".sqlite");
    const auto store = *Store::Open(path, OpenMode::kCreate);
    std::vector<std::string> rejects;
    ImportOptions options;
    options.threads = threads;
    options.on_reject = [&](const absl::Status& problem) {
      rejects.emplace_back(problem.message());
    };
    Importer importer(shogi::ShogiRules(), std::move(options));
    ASSERT_TRUE(importer.AddFiles(files).ok());
    const auto report = importer.Commit(*store, "test");
    ASSERT_TRUE(report.ok()) << report.status();
    std::string all = absl::StrCat(report->games, " ", report->book_positions, " ",
                                   report->files_known, " ", report->rejected, "\n");
    for (const std::string& reject : rejects) absl::StrAppend(&all, reject, "\n");
    EXPECT_TRUE(BookStore(*store)
                    .ForEach([&](const BookPosition& position) {
                      absl::StrAppend(&all, position.ply, " ");
                      for (const BookMove& move : position.moves) {
                        absl::StrAppend(&all, move.move.raw(), " ", move.counts[0].games, " ",
                                        move.counts[0].losses, " ", move.book_count, ",");
                      }
                      return absl::OkStatus();
                    })
                    .ok());
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << threads;
  }
  EXPECT_GT(first.size(), 1000u);
}

TEST(OrderedPipe, GivesItemsInTheOrderOfTheirTasks) {
  using Pipe = OrderedPipe<int>;
  int next = 0;
  // Every third task gives nothing; the total far exceeds the bound.
  Pipe pipe(5, 10, [&]() -> std::optional<Pipe::Task> {
    if (next == 300) return std::nullopt;
    return [task = next++](Pipe::Output& out) {
      for (int i = 0; i < 8 && task % 3 != 0; ++i) out.Give(task * 8 + i, 3);
    };
  });
  int taken = 0;
  int last = -1;
  while (const std::optional<int> item = pipe.Take()) {
    EXPECT_GT(*item, last);
    last = *item;
    ++taken;
  }
  EXPECT_EQ(taken, 200 * 8);
}

TEST(OrderedPipe, EndsWhileItsTasksWait) {
  using Pipe = OrderedPipe<int>;
  std::atomic<int> ended = 0;
  {
    int next = 0;
    Pipe pipe(3, 1, [&]() -> std::optional<Pipe::Task> {
      if (next++ == 100) return std::nullopt;
      return [&ended](Pipe::Output& out) {
        for (int i = 0; i < 100; ++i) out.Give(i, 1);
        ++ended;
      };
    });
    EXPECT_EQ(pipe.Take(), 0);
  }
  EXPECT_LE(ended, 100);
}

// A sole task may not run ahead of its consumer either.
TEST(OrderedPipe, BoundsTheOldestTaskToo) {
  constexpr int kItems = 1000;
  constexpr size_t kBound = 8;
  std::atomic<int> given = 0;
  bool planned = false;
  using Pipe = OrderedPipe<int>;
  Pipe pipe(1, kBound, [&]() -> std::optional<Pipe::Task> {
    if (std::exchange(planned, true)) return std::nullopt;
    return [&](Pipe::Output& out) {
      for (int i = 0; i < kItems; ++i) {
        out.Give(i, 1);
        ++given;
      }
    };
  });
  for (int taken = 0; taken < kItems; ++taken) {
    // All that fit are given soon; nothing more comes until one is taken.
    const int room = std::min<int>(kItems, taken + static_cast<int>(kBound));
    while (given < room) std::this_thread::yield();
    for (int i = 0; i < 20; ++i) std::this_thread::yield();
    EXPECT_LE(given, room);
    EXPECT_EQ(pipe.Take(), taken);
  }
  EXPECT_EQ(pipe.Take(), std::nullopt);
}

}  // namespace
}  // namespace joseki::book
