#include "coordinator/offline/converter.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/problem.h"
#include "book/formats/apery.h"
#include "book/formats/probe_file.h"
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
  ConvertReport Convert(const std::string& path, const ConvertOptions& options) {
    auto report = ConvertBook(path, options);
    EXPECT_TRUE(report.ok()) << report.status();
    return *std::move(report);
  }

  testing::TempFolder folder_;
};

TEST_F(ConverterTest, OnlyReadsWhereNothingIsToBeWritten) {
  const ConvertReport report = Convert(Write("a.db", kText), {});
  EXPECT_EQ(report.positions, 2);
  EXPECT_EQ(report.moves, 3);
  EXPECT_EQ(report.bytes, "");
  EXPECT_EQ(ProblemOf(ConvertBook(Write("x", "nothing\n"), {}).status()).code, "unknown_format");
  EXPECT_EQ(ConvertBook(folder_ / "none", {}).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ConverterTest, SaysWhatIsLost) {
  const std::string text = Write("a.db", kText);
  const ConvertReport same = Convert(text, {.to = ExportFormat::kYaneuraouDb});
  EXPECT_THAT(same.losses, IsEmpty());
  EXPECT_EQ(Convert(Write("b.db", same.bytes), {.to = ExportFormat::kYaneuraouDb}).bytes,
            same.bytes);
  EXPECT_THAT(Convert(text, {.to = ExportFormat::kYbb}).losses,
              ElementsAre("1 expected replies", "3 counts"));
  EXPECT_THAT(Convert(text, {.to = ExportFormat::kProbe}).losses, IsEmpty());
  const ConvertReport probe = Convert(text, {.to = ExportFormat::kProbe});
  EXPECT_EQ(Convert(Write("a.probe", probe.bytes), {.to = ExportFormat::kYaneuraouDb}).bytes,
            same.bytes);
}

TEST_F(ConverterTest, KeepsASideOrFoldsBoth) {
  const std::string text = Write("a.db", kText);
  EXPECT_EQ(Convert(text, {.to = ExportFormat::kYaneuraouDb, .side = Color::kSecond}).written, 1);
  const ConvertReport folded = Convert(text, {.to = ExportFormat::kYaneuraouDb, .fold = true});
  EXPECT_EQ(folded.written, 2);
  EXPECT_THAT(folded.bytes, Not(HasSubstr(" w - ")));
  EXPECT_THAT(folded.bytes, HasSubstr("7g7f"));
  // The start position and the same with colours exchanged become one: counts add up.
  const std::string both =
      absl::StrCat(kText, "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n",
                   "3c3d none 60 24 7\n");
  const ConvertReport one =
      Convert(Write("both.db", both), {.to = ExportFormat::kYaneuraouDb, .fold = true});
  EXPECT_EQ(one.written, 2);
  EXPECT_THAT(one.bytes, HasSubstr("60 24 1210\n"));
}

TEST_F(ConverterTest, KeepsRecordsOfAperyThatNoWalkComesTo) {
  std::vector<book::AperyRecord> lost = {{.key = 5, .move = 77, .count = 3, .score = -9},
                                         {.key = ~uint64_t{0}, .move = 78, .count = 4, .score = 8}};
  const ConvertReport made = Convert(Write("a.db", kText), {.to = ExportFormat::kApery});
  const std::string opaque = book::WriteApery({}, lost);
  // Records stand in the order of their keys: these are the first and the last.
  const std::string bytes = opaque.substr(0, 16) + made.bytes + opaque.substr(16);
  const std::string path = Write("a.bin", bytes);
  const ConvertReport again = Convert(path, {.to = ExportFormat::kApery});
  EXPECT_EQ(again.unreached, 2);
  EXPECT_TRUE(again.kept_unreached);
  EXPECT_THAT(again.losses, Not(::testing::Contains(HasSubstr("walk"))));
  EXPECT_EQ(again.bytes, bytes);
  const ConvertReport text = Convert(path, {.to = ExportFormat::kYaneuraouDb});
  EXPECT_FALSE(text.kept_unreached);
  EXPECT_THAT(text.losses, ElementsAre("2 records that no walk comes to"));
}

}  // namespace
}  // namespace joseki::coordinator
