#include "book/formats/json_book.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/formats/book_file.h"
#include "book/formats/yaneuraou_db.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/book/read_book.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kDb[] =
    "#YANEURAOU-DB2016 1.00\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2\n"
    "3c3d none -20 10 5\n"
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n"
    "7g7f 3c3d 60 24 9007199254740991\n"
    "2g2f none 55 24 980\n";
constexpr char kStart[] = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

Read ReadAs(BookFormat format, const std::string& bytes) {
  return ReadWith([&](const DbSink& sink) { return ReadBook(format, bytes, "book", sink); });
}
Read FromJson(const std::string& bytes) { return ReadAs(BookFormat::kJson, bytes); }

// An object with one position, of these moves.
std::string WithMoves(const std::string& moves) {
  return absl::StrCat("{\"positions\": [\n{\"position\": \"", kStart, "\", \"moves\": [", moves,
                      "]}]}");
}

TEST(JsonBook, GivesBackWhatWasWritten) {
  const Read db = ReadAs(BookFormat::kYaneuraouDb, kDb);
  const std::string json = WriteJsonBook(db.positions);
  ASSERT_EQ(BookFormatOf(json), BookFormat::kJson);
  const Read again = FromJson(json);
  ASSERT_TRUE(again.status.ok()) << again.status;
  EXPECT_THAT(again.problems, IsEmpty());
  EXPECT_EQ(WriteYaneuraouDb(again.positions), kDb);
  EXPECT_EQ(WriteJsonBook(again.positions), json);
  // Parsed by a general JSON reader.
  const nlohmann::json parsed = nlohmann::json::parse(json);
  ASSERT_EQ(parsed["positions"].size(), 2u);
  EXPECT_EQ(parsed["positions"][0]["moves"][0]["value"], 60);
  EXPECT_TRUE(parsed["positions"][0]["moves"][1]["ponder"].is_null());
  // Another formatting of the same object gives the same book.
  EXPECT_EQ(WriteJsonBook(FromJson("\xef\xbb\xbf" + parsed.dump(4)).positions), json);
  EXPECT_EQ(WriteJsonBook({}), "{\"schema\":1,\"game\":\"shogi\",\"positions\":[\n]}\n");
  EXPECT_TRUE(FromJson(WriteJsonBook({})).status.ok());
}

TEST(JsonBook, IsToldFromRecordsAndOtherObjects) {
  EXPECT_TRUE(IsJsonBook("{\"schema\":1,\"run\":{\"a\":[\"}\",\"\\\"\"]},\"positions\":["));
  EXPECT_FALSE(IsJsonBook("{\"header\":{},\"moves\":[{}],\"positions\":[]}"));
  EXPECT_FALSE(IsJsonBook("{}"));
  EXPECT_FALSE(IsJsonBook("[1]"));
  EXPECT_FALSE(IsJsonBook("{\"position\":"));
  EXPECT_FALSE(IsJsonBook(""));
}

TEST(JsonBook, ReadsWhatAnExportSays) {
  // A book's move has counts, a run's has games; unknown fields are omitted.
  const Read read = FromJson(
      WithMoves("{\"move\":\"7g7f\",\"count\":3,\"games\":4,\"n\":9,\"value\":-5,\"depth\":null},"
                "{\"move\":\"2g2f\",\"n\":12,\"weight\":0.5,\"answer\":true},"
                "{\"move\":\"9g9f\"},{\"move\":\"1g1f\",\"n\":2,\"mark\":\"bad\"}"));
  ASSERT_TRUE(read.status.ok()) << read.status;
  EXPECT_THAT(read.problems, ElementsAre("2 marked_bad '1g1f'"));
  ASSERT_THAT(read.positions, SizeIs(1));
  const std::vector<DbMove>& moves = read.positions[0].moves;
  ASSERT_THAT(moves, SizeIs(3));
  EXPECT_EQ(moves[0].count, 7u);
  EXPECT_EQ(moves[0].value, -5);
  EXPECT_TRUE(moves[0].has_value && !moves[0].has_depth);
  EXPECT_EQ(moves[1].count, 12u);
  EXPECT_FALSE(moves[1].has_value);
  EXPECT_EQ(moves[2].count, 1u);
  EXPECT_EQ(read.positions[0].line, 2);
}

TEST(JsonBook, SaysWhatIsWrongWithAMoveOrAPosition) {
  const Read read = FromJson(
      WithMoves("{\"move\":\"7g7e\"},{\"move\":7},5,{\"move\":\"2g2f\",\"value\":\"high\"},"
                "{\"move\":\"2g2f\",\"count\":-1},{\"move\":\"7g7f\",\"ponder\":\"7g7f\"}"));
  ASSERT_TRUE(read.status.ok()) << read.status;
  EXPECT_THAT(read.problems,
              ElementsAre("2 illegal_move '7g7e'", "2 malformed_move ''", "2 bad_json no object",
                          "2 bad_json '2g2f'", "2 bad_json '2g2f'", "2 illegal_ponder '7g7f'"));
  ASSERT_THAT(read.positions, SizeIs(1));
  EXPECT_THAT(read.positions[0].moves, SizeIs(1));

  const Read others = FromJson(
      "{\"positions\": [3,\n{\"position\":\"x\",\"moves\":[]},\n\n{\"moves\":[1]},\n"
      "{\"position\":\"startpos\",\"moves\":[]},\n"
      "{\"position\":\"4k4/9/9/9/9/9/9/9/9 b - 1\",\"moves\":[1]},\n{\"position\" 5}]}");
  ASSERT_TRUE(others.status.ok()) << others.status;
  EXPECT_THAT(others.positions, IsEmpty());
  ASSERT_THAT(others.problems, SizeIs(6));
  EXPECT_EQ(others.problems[0], "1 bad_json no object");
  EXPECT_EQ(others.problems[1].substr(0, 12), "2 bad_board ");
  EXPECT_EQ(others.problems[2].substr(0, 12), "4 bad_board ");
  EXPECT_EQ(others.problems[3], "5 no_moves a position without moves");
  EXPECT_EQ(others.problems[4].substr(0, 10), "6 no_king ");
  EXPECT_EQ(others.problems[5], "7 bad_json no object");
}

TEST(JsonBook, RefusesWhatIsNoBook) {
  const auto code = [](const std::string& text) {
    const absl::Status status = FromJson(text).status;
    if (status.ok()) return std::string();
    const Problem problem = ProblemOf(status);
    EXPECT_EQ(problem.file, "book");
    EXPECT_FALSE(problem.found.empty());
    return absl::StrCat(problem.line, " ", problem.code);
  };
  EXPECT_EQ(ProblemOf(FromJson("{\"positions\":[}").status).found, "'}'");
  EXPECT_EQ(ProblemOf(FromJson("{\"positions\":[").status).found, "the end");
  const std::string whole = WithMoves("{\"move\":\"7g7f\"}");
  EXPECT_EQ(code(whole), "");
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_NE(code(whole.substr(0, size)), "") << whole.substr(0, size);
  }
  EXPECT_EQ(code(""), "1 bad_json");
  EXPECT_EQ(code("{}"), "1 bad_json");
  EXPECT_EQ(code(whole + "\n,"), "3 bad_json");
  EXPECT_EQ(code("{\"positions\":[],\"positions\":[]}"), "1 bad_json");
  EXPECT_EQ(code("{\"positions\":[]\n\"game\":\"shogi\"}"), "2 bad_json");
  EXPECT_EQ(code("{\"positions\":{}}"), "1 bad_json");
  EXPECT_EQ(code("{\"positions\":[" + std::string(100'000, '[')), "1 bad_json");
  EXPECT_EQ(code("{\"schema\":2,\"positions\":[]}"), "1 unknown_version");
  EXPECT_EQ(code("{\"game\":\"go\",\"positions\":[]}"), "1 unknown_version");
}

}  // namespace
}  // namespace joseki::book
