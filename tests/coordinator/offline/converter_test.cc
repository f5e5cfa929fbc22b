#include "coordinator/offline/converter.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/rng.h"
#include "book/formats/apery.h"
#include "book/formats/json_book.h"
#include "book/formats/probe_file.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kText[] =
    "#YANEURAOU-DB2016 1.00\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
    "3c3d none 20 10 5\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
    "7g7f 3c3d 60 24 1203\n"
    "2g2f none 55 24 980\n";

class ConverterTest : public ::testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& bytes) {
    EXPECT_TRUE(WriteFileAtomically(folder_ / name, bytes).ok());
    return folder_ / name;
  }
  struct Converted : ConvertReport {
    std::string bytes;  // of the file
  };
  Converted Convert(const std::string& path, ConvertOptions options) {
    options.out = folder_ / "converted";
    auto report = ConvertBook(path, options);
    EXPECT_TRUE(report.ok()) << report.status();
    Converted converted{*std::move(report), ""};
    if (options.to.has_value()) {
      converted.bytes = *ReadFile(options.out);
      EXPECT_EQ(converted.ConvertReport::bytes, converted.bytes.size());
      EXPECT_EQ(converted.sha256, Hex(Sha256Of(converted.bytes)));
    }
    return converted;
  }

  testing::TempFolder folder_;
};

TEST_F(ConverterTest, OnlyReadsWhereNothingIsToBeWritten) {
  const Converted report = Convert(Write("a.db", kText), {});
  EXPECT_EQ(report.positions, 2);
  EXPECT_EQ(report.moves, 3);
  EXPECT_EQ(report.sha256, "");
  EXPECT_EQ(ProblemOf(ConvertBook(Write("x", "nothing\n"), {}).status()).code, "unknown_format");
  EXPECT_EQ(ProblemOf(ConvertBook(Write("g", "startpos moves 7g7f\nno game\n"), {}).status()).found,
            "records of games");
  EXPECT_EQ(ConvertBook(folder_ / "none", {}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ConverterTest, SaysWhatIsLost) {
  const std::string text = Write("a.db", kText);
  const Converted same = Convert(text, {.to = book::BookFormat::kYaneuraouDb});
  EXPECT_THAT(same.losses, IsEmpty());
  EXPECT_EQ(Convert(Write("b.db", same.bytes), {.to = book::BookFormat::kYaneuraouDb}).bytes,
            same.bytes);
  EXPECT_THAT(Convert(text, {.to = book::BookFormat::kYbb}).losses,
              ElementsAre("1 expected replies", "3 counts"));
  EXPECT_THAT(Convert(text, {.to = book::BookFormat::kProbe}).losses, IsEmpty());
  const Converted probe = Convert(text, {.to = book::BookFormat::kProbe});
  EXPECT_EQ(Convert(Write("a.probe", probe.bytes), {.to = book::BookFormat::kYaneuraouDb}).bytes,
            same.bytes);
}

TEST_F(ConverterTest, LosesNothingAsJson) {
  const std::string text = Write("a.db", kText);
  const Converted same = Convert(text, {.to = book::BookFormat::kYaneuraouDb});
  const Converted json = Convert(text, {.to = book::BookFormat::kJson});
  EXPECT_THAT(json.losses, IsEmpty());
  const std::string path = Write("a.json", json.bytes);
  const Converted back = Convert(path, {.to = book::BookFormat::kYaneuraouDb});
  EXPECT_EQ(back.bytes, same.bytes);
  EXPECT_EQ(back.positions, 2);
  EXPECT_EQ(
      Convert(path, {.from = {.book = book::BookFormat::kJson}, .to = book::BookFormat::kJson})
          .bytes,
      json.bytes);
}

// Spilling to disk and merging gives the same files as the formats' own writers.
TEST_F(ConverterTest, GivesTheSameFileWithAnyBoundOnMemory) {
  // Positions of random games, some of them twice, at another ply and with other moves.
  std::vector<book::DbPosition> positions;
  Rng rng(5);
  for (int game = 0; game < 40; ++game) {
    shogi::Position position;
    for (int ply = 1; ply < 30; ++ply) {
      shogi::MoveList legal;
      position.Generate<GenType::kAll>(legal);
      if (legal.size() == 0) break;
      book::DbPosition& entry = positions.emplace_back();
      entry.packed = shogi::Pack(position);
      entry.ply = ply + static_cast<int>(rng.Below(12));
      for (int i = 0; i < 3; ++i) {
        book::DbMove move;
        move.move = legal[rng.Below(legal.size())];
        move.value = static_cast<int>(rng.Below(200)) - 100;
        move.has_value = true;
        move.depth = static_cast<int>(rng.Below(3));
        move.has_depth = true;
        move.count = rng.Below(5);
        book::AddMove(entry.moves, move);
      }
      // Few ways: lines meet.
      shogi::Undo undo;
      position.Do(legal[rng.Below(std::min<size_t>(legal.size(), 3))], undo);
    }
  }
  std::string text = book::YaneuraouDbHead();
  for (const book::DbPosition& position : positions) {
    book::AppendYaneuraouDb(text, book::YaneuraouDbKey(position.packed), position);
  }
  const std::string path = Write("many.db", text);
  const struct {
    book::BookFormat format;
    std::string bytes;
  } kinds[] = {{book::BookFormat::kYaneuraouDb, book::WriteYaneuraouDb(positions)},
               {book::BookFormat::kYbb, book::WriteYbb(positions)},
               {book::BookFormat::kProbe, book::WriteProbeFile(positions)},
               {book::BookFormat::kJson, book::WriteJsonBook(positions)}};
  for (const auto& kind : kinds) {
    for (const size_t memory : {size_t{1} << 12, size_t{1} << 16, size_t{1} << 26}) {
      EXPECT_EQ(Convert(path, {.to = kind.format, .memory = memory}).bytes, kind.bytes)
          << Name(kind.format) << " in " << memory;
    }
  }
}

TEST_F(ConverterTest, LeavesNothingWhereTheFileCannotBe) {
  ConvertOptions options{.to = book::BookFormat::kYbb};
  options.out = folder_ / "none/a.ybb";
  EXPECT_FALSE(ConvertBook(Write("a.db", kText), options).ok());
  options.out = folder_ / "a.ybb";
  EXPECT_FALSE(ConvertBook(Write("x", "nothing\n"), options).ok());
  EXPECT_EQ(ReadFile(options.out).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ConverterTest, KeepsASideOrFoldsBoth) {
  const std::string text = Write("a.db", kText);
  EXPECT_EQ(Convert(text, {.to = book::BookFormat::kYaneuraouDb, .side = Color::kSecond}).written,
            1);
  const Converted folded = Convert(text, {.to = book::BookFormat::kYaneuraouDb, .fold = true});
  EXPECT_EQ(folded.written, 2);
  EXPECT_THAT(folded.bytes, Not(HasSubstr(" w - ")));
  EXPECT_THAT(folded.bytes, HasSubstr("7g7f"));
  // The start position and the same with colours exchanged become one: counts add up.
  const std::string both =
      absl::StrCat(kText, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n",
                   "3c3d none 60 24 7\n");
  const Converted one =
      Convert(Write("both.db", both), {.to = book::BookFormat::kYaneuraouDb, .fold = true});
  EXPECT_EQ(one.written, 2);
  EXPECT_THAT(one.bytes, HasSubstr("60 24 1210\n"));
}

TEST_F(ConverterTest, RecordsOfAperyAloneThatNoWalkComesToAreNoBook) {
  const std::string path = Write("junk.bin", std::string(160, 'j'));
  ConvertOptions options;
  options.from.book = book::BookFormat::kApery;
  EXPECT_EQ(ProblemOf(ConvertBook(path, options).status()).code, "not_a_book");
}

TEST_F(ConverterTest, KeepsRecordsOfAperyThatNoWalkComesTo) {
  std::vector<book::AperyRecord> lost = {{.key = 5, .move = 77, .count = 3, .score = -9},
                                         {.key = ~uint64_t{0}, .move = 78, .count = 4, .score = 8}};
  const Converted made = Convert(Write("a.db", kText), {.to = book::BookFormat::kApery});
  const std::string opaque = book::WriteApery({}, lost);
  // Records stand in the order of their keys: these are the first and the last.
  const std::string bytes = opaque.substr(0, 16) + made.bytes + opaque.substr(16);
  const std::string path = Write("a.bin", bytes);
  const Converted again = Convert(path, {.to = book::BookFormat::kApery});
  EXPECT_EQ(again.unreached, 2);
  EXPECT_TRUE(again.kept_unreached);
  EXPECT_THAT(again.losses, Not(::testing::Contains(HasSubstr("walk"))));
  EXPECT_EQ(again.bytes, bytes);
  const Converted text = Convert(path, {.to = book::BookFormat::kYaneuraouDb});
  EXPECT_FALSE(text.kept_unreached);
  EXPECT_THAT(text.losses, ElementsAre("2 records that no walk comes to"));
}

}  // namespace
}  // namespace joseki::coordinator
