#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/records/encoding.h"
#include "book/records/record.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/tsv.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Bytes;
using ::joseki::testing::ReadTsv;
using ::joseki::testing::SharedData;
using ::joseki::testing::TestData;
using ::testing::ElementsAre;

struct Read {
  std::vector<GameRecord> games;
  std::vector<Problem> problems;
};

Read ReadGames(std::string_view bytes, const std::string& name = "f") {
  Read read;
  RecordSink sink;
  sink.accept = [&](GameRecord game) { read.games.push_back(std::move(game)); };
  sink.reject = [&](absl::Status problem) { read.problems.push_back(ProblemOf(problem)); };
  ReadRecords(bytes, name, sink);
  return read;
}

std::string Moves(const GameRecord& game) {
  std::string text;
  for (const Move move : game.moves) {
    if (!text.empty()) text += ' ';
    text += shogi::ToUsi(move);
  }
  return text;
}

std::string OrDash(const std::string& text) { return text.empty() ? "-" : text; }

TEST(Records, ReadsEveryGoodFixture) {
  std::map<std::string, std::vector<std::vector<std::string>>> expected;
  for (auto& row : ReadTsv(TestData("records/good.tsv"))) expected[row[0]].push_back(row);
  ASSERT_EQ(expected.size(), 25u);
  for (const auto& [file, rows] : expected) {
    SCOPED_TRACE(file);
    const Read read = ReadGames(Bytes(TestData("records/good/" + file)), file);
    for (const Problem& problem : read.problems) ADD_FAILURE() << problem.line << problem.code;
    ASSERT_EQ(read.games.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      const GameRecord& game = read.games[i];
      EXPECT_EQ(std::to_string(game.line), rows[i][1]);
      EXPECT_EQ(Moves(game), rows[i][2]);
      EXPECT_EQ(Name(game.result), rows[i][3]);
      EXPECT_EQ(OrDash(game.end), rows[i][4]);
      EXPECT_EQ(OrDash(game.players[0]), rows[i][5]);
      EXPECT_EQ(OrDash(game.players[1]), rows[i][6]);
    }
  }
}

TEST(Records, RejectsEveryBrokenFixtureWithItsLineAndReason) {
  const auto rows = ReadTsv(TestData("records/broken.tsv"));
  ASSERT_EQ(rows.size(), 47u);
  for (const auto& row : rows) {
    SCOPED_TRACE(row[0]);
    const Read read = ReadGames(Bytes(TestData("records/broken/" + row[0])), row[0]);
    EXPECT_TRUE(read.games.empty());
    ASSERT_EQ(read.problems.size(), 1u);
    const Problem& problem = read.problems[0];
    EXPECT_EQ(problem.code, row[2]);
    EXPECT_EQ(std::to_string(problem.line), row[1]);
    EXPECT_EQ(problem.file, row[0]);
    EXPECT_FALSE(problem.found.empty());
    EXPECT_FALSE(problem.expected.empty());
  }
}

TEST(Records, ReadsOnAfterABrokenGame) {
  const Read csa = ReadGames(
      "PI\n+\n+7776FU\n/\nPI\n+\n+7775FU\n-3334FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n/\n");
  ASSERT_EQ(csa.games.size(), 2u);
  EXPECT_EQ(Moves(csa.games[0]), "7g7f");
  EXPECT_EQ(Moves(csa.games[1]), "2g2f");
  EXPECT_EQ(csa.games[1].line, 11);
  ASSERT_EQ(csa.problems.size(), 1u);
  EXPECT_EQ(csa.problems[0].line, 7);

  const Read usi = ReadGames("startpos moves 7g7f\nstartpos moves 7g7a\nstartpos moves 2g2f\n");
  ASSERT_EQ(usi.games.size(), 2u);
  EXPECT_EQ(usi.games[1].line, 3);
  ASSERT_EQ(usi.problems.size(), 1u);
  EXPECT_EQ(usi.problems[0].line, 2);
}

TEST(Records, SaysWhatWasFoundAndWhichRuleIsBroken) {
  const Read csa = ReadGames(Bytes(TestData("records/broken/nifu.csa")), "nifu.csa");
  ASSERT_EQ(csa.problems.size(), 1u);
  EXPECT_EQ(csa.problems[0].found, "'+0055FU'");
  EXPECT_EQ(csa.problems[0].expected, "no second pawn on a file");

  const Read kif = ReadGames(Bytes(TestData("records/broken/illegal.kif")), "illegal.kif");
  ASSERT_EQ(kif.problems.size(), 1u);
  EXPECT_EQ(kif.problems[0].found, "'2 ８六歩(83)'");
  EXPECT_EQ(kif.problems[0].expected, "a square the piece can reach");
}

TEST(Records, ReadsWhatFloodgateAdds) {
  const Read read = ReadGames(Bytes(TestData("records/good/floodgate.csa")));
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(read.games[0].ratings[0], 2775);
  EXPECT_EQ(read.games[0].ratings[1], 2802);
}

TEST(Records, ReadsEventAndDateInBothEncodings) {
  for (const char* file : {"v22.csa", "v3_utf8_bom.csa", "utf8.kif", "shift_jis.kif"}) {
    SCOPED_TRACE(file);
    const Read read = ReadGames(Bytes(TestData(std::string("records/good/") + file)));
    ASSERT_EQ(read.games.size(), 1u);
    const bool ascii = file == std::string_view("v22.csa");
    EXPECT_EQ(read.games[0].event, ascii ? "Fixture cup" : "試験");
    if (file != std::string_view("v3_utf8_bom.csa")) {
      EXPECT_EQ(read.games[0].date, "2024/01/02 03:04:05");
    }
  }
}

TEST(Records, AnIllegalLastMoveNeedsTheRecordsOwnWord) {
  const std::string start = "PI\n+\n+7776FU\n-3334FU\n+2824HI\n";
  for (const char* word : {"%ILLEGAL_MOVE", "%+ILLEGAL_ACTION", "#ILLEGAL_MOVE"}) {
    const Read read = ReadGames(start + word + "\n");
    ASSERT_EQ(read.games.size(), 1u) << word;
    EXPECT_EQ(read.games[0].moves.size(), 2u);
    EXPECT_EQ(read.games[0].result, Result::kSecondWins);
  }
  for (const char* word : {"", "%TORYO", "%-ILLEGAL_ACTION", "-8384FU\n%ILLEGAL_MOVE"}) {
    const Read read = ReadGames(start + word + "\n");
    EXPECT_TRUE(read.games.empty()) << word;
    ASSERT_EQ(read.problems.size(), 1u) << word;
    EXPECT_EQ(read.problems[0].code, "illegal_move");
    EXPECT_EQ(read.problems[0].line, 5);
  }
}

TEST(Records, EveryCsaEndGivesItsResult) {
  const std::pair<const char*, Result> ends[] = {
      {"%TORYO", Result::kFirstWins},    {"%TIME_UP", Result::kFirstWins},
      {"%TSUMI", Result::kFirstWins},    {"%ILLEGAL_MOVE", Result::kFirstWins},
      {"%KACHI", Result::kSecondWins},   {"%+ILLEGAL_ACTION", Result::kSecondWins},
      {"%SENNICHITE", Result::kDraw},    {"%-ILLEGAL_ACTION", Result::kFirstWins},
      {"%JISHOGI", Result::kDraw},       {"%HIKIWAKE", Result::kDraw},
      {"%MAX_MOVES", Result::kDraw},     {"%CHUDAN", Result::kNone},
      {"%FUZUMI", Result::kNone},        {"%ERROR", Result::kNone},
      {"%SOMETHING_NEW", Result::kNone}, {"%OUTE_SENNICHITE", Result::kNone},
  };
  for (const auto& [word, result] : ends) {
    const Read read = ReadGames(std::string("PI\n+\n+7776FU\n") + word + "\n");
    ASSERT_EQ(read.games.size(), 1u) << word;
    EXPECT_EQ(read.games[0].result, result) << word;
    EXPECT_EQ(read.games[0].end, word);
  }
}

TEST(Records, RefusesJsonThatIsTooDeep) {
  const auto read = [](const std::string& text) {
    std::vector<std::string> codes;
    RecordSink sink;
    sink.accept = [&](GameRecord) { codes.push_back("game"); };
    sink.reject = [&](const absl::Status& problem) { codes.push_back(ProblemOf(problem).code); };
    ReadJkf(text, "deep.jkf", sink);
    return codes;
  };
  std::string objects;
  for (int i = 0; i < 50'000; ++i) objects += R"({"a":)";
  const std::string deep = objects + "1" + std::string(50'000, '}');
  EXPECT_THAT(read(deep), ElementsAre("bad_json"));
  EXPECT_THAT(read(R"({"header":{},"moves":[)" + deep + "]}"), ElementsAre("bad_json"));
  std::string forks = R"({"header":{},"moves":[{}])";
  for (int i = 0; i < 20'000; ++i) forks += R"(,"forks":[[{"a":[])";
  EXPECT_THAT(read(forks), ElementsAre("bad_json"));
}

TEST(Records, ReadsMoveListsOfXiangqi) {
  const Read read = ReadGames(
      "# masters\n"
      "startpos moves h2e2 h9g7 h0g2 1-0\n"
      "position startpos moves c3c4\n"
      "h2e2 b9c7 1/2-1/2\n"
      "h2e2 h9h7\n"
      "h2e2 0-1 h9g7\n"
      "startpos moves\n"
      "fen 3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1 moves i0i1\n");
  ASSERT_EQ(read.games.size(), 3u);
  EXPECT_EQ(read.games[0].moves.size(), 3u);
  EXPECT_EQ(read.games[0].line, 2);
  EXPECT_EQ(read.games[0].result, Result::kFirstWins);
  EXPECT_EQ(read.games[1].result, Result::kNone);
  EXPECT_EQ(read.games[2].result, Result::kDraw);
  std::vector<std::string> codes;
  for (const Problem& problem : read.problems) codes.push_back(problem.code);
  EXPECT_THAT(codes, ElementsAre("illegal_move", "malformed_move", "no_moves", "not_even_start"));
}

TEST(Records, TellsFormatsByContent) {
  EXPECT_EQ(DetectRecordFormat(""), RecordFormat::kUnknown);
  EXPECT_EQ(DetectRecordFormat("'a comment\n'another\nV2.2\n"), RecordFormat::kCsa);
  EXPECT_EQ(DetectRecordFormat("+7776FU\n"), RecordFormat::kCsa);
  EXPECT_EQ(DetectRecordFormat("\xef\xbb\xbfN+name\r\n"), RecordFormat::kCsa);
  EXPECT_EQ(DetectRecordFormat("# c\nstartpos moves 7g7f\n"), RecordFormat::kUsi);
  EXPECT_EQ(DetectRecordFormat("P*5e\n"), RecordFormat::kUsi);
  EXPECT_EQ(DetectRecordFormat("startpos moves h2e2 h9g7\n"), RecordFormat::kUcci);
  EXPECT_EQ(DetectRecordFormat("# c\nh2e2 h9g7 1-0\n"), RecordFormat::kUcci);
  EXPECT_EQ(DetectRecordFormat("\n[Game \"Chinese Chess\"]\n"), RecordFormat::kPgn);
  EXPECT_EQ(DetectRecordFormat("XQ\x12"), RecordFormat::kXqf);
  EXPECT_EQ(DetectRecordFormat("XQF\n"), RecordFormat::kUnknown);
  EXPECT_EQ(DetectRecordFormat("先手：青葉\n   1 ７六歩(77)\n"), RecordFormat::kKif);
  EXPECT_EQ(DetectRecordFormat("先手：青葉\n▲７六歩\n"), RecordFormat::kKi2);
  EXPECT_EQ(DetectRecordFormat("#KI2 version=2.0\n"), RecordFormat::kKi2);
  EXPECT_EQ(DetectRecordFormat("\xef\xbb\xbf {\"header\":{}}\n"), RecordFormat::kJkf);
  EXPECT_EQ(DetectRecordFormat("<kifu>\n{\n"), RecordFormat::kUnknown);
}

TEST(Encoding, TellsUtf8FromOtherBytes) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("plain text that is longer than eight bytes"));
  EXPECT_TRUE(IsUtf8("将棋 \xf0\x9f\x98\x80"));
  for (const char* bad : {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x80\x80", "\xed\xa0\x80",
                          "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "abcdefgh\xe5\xb0",
                          "\xe5\xb0"
                          "a"}) {
    EXPECT_FALSE(IsUtf8(bad)) << Quote(bad);
  }
}

TEST(Encoding, DecodesShiftJis) {
  // 表, whose second byte is a backslash, a half-width kana and a circled digit of page 932.
  const absl::StatusOr<std::string> text = ShiftJisToUtf8("\x95\x5c\xb1\x87\x40");
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, "表ｱ①");
  EXPECT_EQ(ProblemOf(ShiftJisToUtf8("ab\xff").status()).code, "bad_encoding");
  EXPECT_EQ(ProblemOf(ShiftJisToUtf8("\x95").status()).code, "bad_encoding");
}

TEST(Encoding, QuotesJapaneseAndEscapesTheRest) {
  EXPECT_EQ(QuoteText("７六歩\x1b[2J"), "'７六歩\\x1b[2J'");
  EXPECT_EQ(QuoteText("\xc2\x9b"), "'\\xc2\\x9b'");  // a control character of two bytes
  EXPECT_EQ(QuoteText("将棋", 4), "'将'...");
  EXPECT_EQ(QuoteText("\xe5\xb0"), "'\\xe5\\xb0'");
}

TEST(Samples, AreWholeAndKnowTheirResults) {
  const std::filesystem::path folder = std::filesystem::path(JOSEKI_SOURCE_DIR) / "deploy/samples";
  auto plies = [](const Read& read) {
    size_t sum = 0;
    for (const GameRecord& game : read.games) sum += game.moves.size();
    return sum;
  };
  const Read complete = ReadGames(Bytes(folder / "tacos.csa"));
  EXPECT_TRUE(complete.problems.empty());
  EXPECT_EQ(complete.games.size(), 29u);
  EXPECT_EQ(plies(complete), 3555u);
  EXPECT_EQ(std::count_if(complete.games.begin(), complete.games.end(),
                          [](const GameRecord& g) { return g.result == Result::kFirstWins; }),
            15);
  EXPECT_EQ(std::count_if(complete.games.begin(), complete.games.end(),
                          [](const GameRecord& g) { return g.result == Result::kSecondWins; }),
            14);
  const Read openings = ReadGames(Bytes(folder / "tacos-openings.usi"));
  EXPECT_TRUE(openings.problems.empty());
  EXPECT_EQ(openings.games.size(), 22u);
  EXPECT_EQ(plies(openings), 884u);
}

// The set of real files: what an independent converter made of each.

std::string Result3(Result result) {
  switch (result) {
    case Result::kFirstWins:
      return "b";
    case Result::kSecondWins:
      return "w";
    case Result::kDraw:
      return "d";
    case Result::kNone:
      return "?";
  }
  return "";
}

bool IsXiangqi(const std::string& file) { return file.rfind("xiangqi", 0) == 0; }

TEST(SharedRecords, MovesAreThoseOfAnotherConverter) {
  const std::filesystem::path raw = SharedData("games/raw");
  JOSEKI_REQUIRE_SHARED_DATA(raw);
  std::map<std::string, std::string> results;
  for (const auto& row : ReadTsv(raw / "manifest.tsv")) results[row[0]] = row[6];
  int files = 0;
  for (const auto& row : ReadTsv(raw / "expected_moves.tsv")) {
    if (IsXiangqi(row[0])) continue;
    SCOPED_TRACE(row[0]);
    ++files;
    const Read read = ReadGames(Bytes(raw / row[0]), row[0]);
    for (const Problem& p : read.problems) ADD_FAILURE() << p.line << " " << p.code << p.found;
    ASSERT_EQ(read.games.size(), 1u);
    EXPECT_EQ("startpos moves " + Moves(read.games[0]), row[1]);
    // A result that the converter knows is read here too, and is the same.
    if (results[row[0]] != "?") {
      EXPECT_EQ(Result3(read.games[0].result), results[row[0]]);
    }
  }
  EXPECT_EQ(files, 282);
}

// Files that this converter did not read and this project does, with the plies read. The reasons
// are in docs/laboratory/books.md.
const std::map<std::string, size_t>& ReadByUsAlone() {
  static const std::map<std::string, size_t> plies = {
      {"shogi_kif/shogihome_002_record.kifu", 6},      // ends by a foul
      {"shogi_kif/shogihome_035_record.kifu", 6},      // ends by a foul
      {"shogi_ki2/shogihome_046_ki2u-utf8.ki2u", 15},  // has a variation
      {"shogi_jkf/shogihome_022_record.jkf", 6},      {"shogi_jkf/shogihome_085_sample01.jkf", 2},
      {"shogi_jkf/shogihome_087_sample03.jkf", 31},   {"shogi_jkf/shogihome_088_sample04.jkf", 79},
      {"shogi_jkf/shogihome_089_sample05.jkf", 6},
  };
  return plies;
}

TEST(SharedRecords, EveryOtherFileIsRejectedForItsReason) {
  const std::filesystem::path raw = SharedData("games/raw");
  JOSEKI_REQUIRE_SHARED_DATA(raw);
  int files = 0;
  size_t read_by_us = 0;
  for (const auto& row : ReadTsv(raw / "manifest.tsv")) {
    if (IsXiangqi(row[0]) || row[3] == "ok") continue;
    SCOPED_TRACE(row[0]);
    ++files;
    const Read read = ReadGames(Bytes(raw / row[0]), row[0]);
    ASSERT_EQ(read.games.size() + read.problems.size(), 1u);
    const std::string code = read.problems.empty() ? "accepted" : read.problems[0].code;
    const std::string& end = row[5];
    if (const auto ours = ReadByUsAlone().find(row[0]); ours != ReadByUsAlone().end()) {
      ++read_by_us;
      EXPECT_EQ(code, "accepted");
      if (read.games.empty()) continue;
      EXPECT_EQ(read.games[0].moves.size(), ours->second);
      if (end == "illegal_win") {
        EXPECT_EQ(read.games[0].result, Result::kFirstWins);
      } else if (end == "illegal_loss") {
        EXPECT_EQ(read.games[0].result, Result::kSecondWins);
      }
    } else if (end.rfind("illegal:1:", 0) == 0) {
      EXPECT_EQ(code, "handicap");  // White moves first
    } else if (end.rfind("illegal:", 0) == 0) {
      EXPECT_EQ(code, "illegal_move");
    } else if (end == "nonstandard_start" || end.rfind("parse_error:", 0) == 0 ||
               end == "not_parsed") {
      EXPECT_EQ(code, "not_even_start");
    } else if (row[3] == "empty") {
      EXPECT_THAT((std::set<std::string>{"handicap", "no_moves", "not_even_start"}),
                  ::testing::Contains(code));
    } else {
      ADD_FAILURE() << code << " for " << end;
    }
  }
  EXPECT_EQ(files, 53);
  EXPECT_EQ(read_by_us, ReadByUsAlone().size());
}

TEST(SharedRecords, ForeignFormatsAreRefused) {
  const std::filesystem::path raw = SharedData("games/raw");
  JOSEKI_REQUIRE_SHARED_DATA(raw);
  int files = 0;
  for (const auto& row : ReadTsv(raw / "manifest.tsv")) {
    if (row[0].rfind("xiangqi_cbl", 0) != 0) continue;
    const Read read = ReadGames(Bytes(raw / row[0]), row[0]);
    EXPECT_TRUE(read.games.empty()) << row[0];
    ASSERT_EQ(read.problems.size(), 1u) << row[0];
    EXPECT_EQ(read.problems[0].code, "unknown_format") << row[0];
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST(SharedRecords, ReadsEveryUsiCollection) {
  int games = 0;
  for (const char* file :
       {"shogi_engine_tournaments_gps.usi", "shogi_engine_matches_2017.usi",
        "shogi_misc_pro_and_classic.usi", "shogi_lishogi_fixture_mixed_strength.usi"}) {
    const std::filesystem::path path = SharedData(std::string("games/") + file);
    JOSEKI_REQUIRE_SHARED_DATA(path);
    const Read read = ReadGames(Bytes(path), file);
    for (const Problem& p : read.problems) ADD_FAILURE() << file << ":" << p.line << " " << p.code;
    games += static_cast<int>(read.games.size());
  }
  EXPECT_EQ(games, 115 + 28 + 26 + 453);
}

}  // namespace
}  // namespace joseki::book
