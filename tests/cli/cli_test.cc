// The program as a whole: errors, wrong files, imports, exports, audits, simulations.

#include <SQLiteCpp/Database.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/database_file.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/cli_fixture.h"

namespace joseki::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(CliTest, HelpAndVersionAreNoErrors) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"--version"},
                                             {"import", "--help"},
                                             {"export", "--help"},
                                             {"audit", "--help"},
                                             {"book", "--help"},
                                             {"book", "expand", "--help"}}) {
    const Outcome outcome = Joseki(arguments);
    EXPECT_EQ(outcome.status, 0) << arguments[0];
    EXPECT_THAT(outcome.out, Not(IsEmpty())) << arguments[0];
  }
}

TEST_F(CliTest, BadUsageNamesTheFlag) {
  ExpectError({}, 2, "usage", "needs a command");
  ExpectError({"frobnicate"}, 2, "usage", "frobnicate");
  ExpectError({"book", "frobnicate"}, 2, "usage", "frobnicate");
  ExpectError({"import", "x.csa"}, 2, "usage", "--book");
  ExpectError({"import", "--book", book_}, 2, "usage", "paths");
  ExpectError({"import", "--book", book_, "--frob", "x.csa"}, 2, "usage", "--frob");
  ExpectError({"import", "--book", book_, "--plies", "many", "x.csa"}, 2, "usage", "--plies");
  ExpectError({"import", "--book", book_, "--plies", "0", "x.csa"}, 2, "usage", "--plies");
  ExpectError({"import", "--book", book_, "--filter", "100", "x.csa"}, 2, "usage", "--filter");
  ExpectError({"import", "--book", book_, "--from", "cbl", "x.csa"}, 2, "usage", "--from");
  ExpectError({"export", "--book", book_, "--format", "doc", "--out", "x"}, 2, "usage", "--format");
  ExpectError({"book", "weigh", "--book", book_, "--type", "type9"}, 2, "usage", "--type");
  ExpectError({"book", "edit", "--book", book_, "--move", "7g7f"}, 2, "usage", "--mark");
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(CliTest, RefusesASetOfInstructionsThatThereIsNot) {
  as_ = "JOSEKI_ISA=sse9 ";
  ExpectError({"audit", "--book", book_}, 2, "bad_isa", "JOSEKI_ISA");
}

TEST_F(CliTest, AFileThatIsNotThereFails) {
  const std::string none = folder_ / "none";
  ExpectError({"import", "--book", book_, none}, 1, "file_error", none);
  ExpectError({"import", "--book", none + "/book.sqlite", Write("g.usi", kUsiGames)}, 1,
              "file_error", none);
  ExpectError({"export", "--book", none, "--format", "json", "--out", folder_ / "x"}, 1,
              "file_error", none);
  for (const std::string command : {"stats", "show", "verify", "expand"}) {
    ExpectError({"book", command, "--book", none}, 1, "file_error", none);
  }
  ExpectError({"audit", "--book", none}, 1, "file_error", none);
  EXPECT_THAT(Files(), ElementsAre("g.usi"));
}

TEST_F(CliTest, ABookIsNotWrittenOver) {
  MakeBook();
  const std::string db = folder_ / "book.db";
  const std::vector<std::string> to_text = {"export", "--book", book_, "--format", "yaneuraou-db"};
  const auto out = [](std::vector<std::string> arguments, const std::string& path) {
    arguments.insert(arguments.end(), {"--out", path});
    return arguments;
  };
  ASSERT_EQ(Joseki(out(to_text, db)).status, 0);
  const std::string before = *ReadFile(book_);
  ExpectError(out(to_text, book_), 1, "file_exists", book_);
  ExpectError(out({"book", "convert", db, "--format", "ybb"}, book_), 1, "file_exists", book_);
  EXPECT_EQ(*ReadFile(book_), before);
  EXPECT_EQ(Joseki({"book", "stats", "--book", book_}).status, 0);
}

TEST_F(CliTest, ABrokenRecordIsNamedAndNothingIsMade) {
  const std::string bad = Write("bad.csa", kCsaIllegal);
  const Outcome outcome = Joseki({"import", "--book", book_, bad});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr(bad + ":5: illegal_move: found"));
  EXPECT_THAT(outcome.err, HasSubstr("nothing_imported"));
  EXPECT_THAT(Files(), ElementsAre("bad.csa"));
}

TEST_F(CliTest, TheRestOfABrokenSetIsImported) {
  const std::string bad = Write("bad.csa", kCsaIllegal);
  const std::string good = Write("good.csa", kCsaGame);
  const Outcome outcome = Joseki({"import", "--book", book_, "--json", bad, good});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr(bad + ":5: illegal_move"));
  const Json json = outcome.json();
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["games"], 1);
  EXPECT_EQ(json["rejected"], 1);
  EXPECT_EQ(json["positions"], 4);
  EXPECT_EQ(json["moves"], 4);
  EXPECT_TRUE(json["seconds"].is_number());
  EXPECT_TRUE(json["games_per_second"].is_number());
  EXPECT_EQ(json["rejects"]["illegal_move"], 1);
  const Outcome strict = Joseki({"import", "--book", folder_ / "b2", "--strict", bad, good});
  EXPECT_EQ(strict.status, 1);
  EXPECT_THAT(strict.err, HasSubstr("joseki: rejected: found 1 rejected"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b2"));
  const Outcome plain = Joseki({"import", "--book", folder_ / "b3", bad, good});
  EXPECT_THAT(plain.out, HasSubstr("1 games"));
  EXPECT_THAT(plain.out, HasSubstr("1  illegal_move"));
}

TEST_F(CliTest, ManyRejectsAreCapped) {
  std::string games = "startpos moves 7g7f\n";
  for (int i = 0; i < 200; ++i) games += "startpos moves 7g7e\n";
  const Outcome outcome = Joseki({"import", "--book", book_, Write("g.usi", games), "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.json()["rejected"], 200);
  EXPECT_LE(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 60);
  EXPECT_THAT(outcome.err, HasSubstr("only counted"));
}

TEST_F(CliTest, ADatabaseThatIsNotOursOrNewerIsRefusedUntouched) {
  {
    SQLite::Database db(book_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec("PRAGMA journal_mode = WAL");
    db.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
    db.exec("PRAGMA user_version = 99");
    db.exec("CREATE TABLE future (x)");
  }
  const std::string text = Write("notes.txt", std::string(1000, 'n'));
  const std::string games = Write("g.usi", kUsiGames);
  const std::string before = *ReadFile(book_);
  const std::vector<std::string> files = Files();
  ExpectError({"import", "--book", book_, games}, 1, "newer_schema", book_);
  ExpectError({"book", "stats", "--book", book_}, 1, "newer_schema", book_);
  ExpectError({"book", "weigh", "--type", "type1", "--book", book_}, 1, "newer_schema", book_);
  ExpectError({"import", "--book", text, games}, 1, "not_a_book", text);
  ExpectError({"book", "show", "--book", text}, 1, "not_a_book", text);
  EXPECT_EQ(*ReadFile(book_), before);
  EXPECT_EQ(*ReadFile(text), std::string(1000, 'n'));
  EXPECT_EQ(Files(), files);
}

TEST_F(CliTest, AFolderThatCannotBeWrittenIsNamed) {
  // No user may make files here, not even root.
  const std::string games = Write("g.usi", kUsiGames);
  ExpectError({"import", "--book", "/proc/book.sqlite", games}, 1, "read_only",
              "/proc/book.sqlite");
  MakeBook();
  ExpectError({"export", "--book", book_, "--format", "json", "--out", "/proc/x.json"}, 1,
              "file_error", "/proc/x.json");
}

TEST_F(CliTest, ABookInAReadOnlyFolderCanBeReadAndNotWritten) {
  MakeBook();
  // Root can write everywhere, so the test becomes nobody, to whom the folder is closed.
  as_ = geteuid() == 0 ? "setpriv --reuid 65534 --regid 65534 --clear-groups " : "";
  if (as_.empty()) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::remove);
  }
  output_ =
      std::filesystem::path(::testing::TempDir()) / ("joseki_out_" + std::to_string(getpid()));
  if (Joseki({"--version"}).status != 0) GTEST_SKIP() << "nobody may not run the program here";
  const std::vector<std::string> before = Files();
  const Outcome stats = Joseki({"book", "stats", "--book", book_, "--json"});
  const Outcome weigh = Joseki({"book", "weigh", "--type", "type2", "--book", book_});
  EXPECT_EQ(Files(), before);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(stats.status, 0) << stats.out;
  EXPECT_EQ(stats.json()["positions"], 4);
  EXPECT_EQ(weigh.status, 1);
  EXPECT_THAT(weigh.err, HasSubstr("read_only"));
}

TEST_F(CliTest, ImportingAFileOnceMoreChangesNothingUnlessAskedTo) {
  MakeBook();
  const std::string games = folder_ / "sample.usi";
  ExpectError({"import", "--book", book_, games}, 1, "already_imported", "");
  EXPECT_EQ(Joseki({"book", "stats", "--book", book_, "--json"}).json()["games"], 3);
  const std::string more = folder_ / "more.usi";
  std::ofstream(more) << "startpos moves 7g7f 3c3d 2g2f\n";
  const Outcome both = Joseki({"import", "--book", book_, games, more, "--json"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(both.json()["games"], 1);
  EXPECT_EQ(both.json()["files_known"], 1);
  const Outcome again = Joseki({"import", "--again", "--book", book_, games, "--json"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.json()["games"], 3);
}

TEST_F(CliTest, ADatabaseIsNoFileOfGames) {
  MakeBook();
  const std::string other = folder_ / "other.sqlite";
  const Outcome imported = Joseki({"import", "--book", other, book_});
  EXPECT_EQ(imported.status, 1);
  EXPECT_EQ(std::count(imported.err.begin(), imported.err.end(), '\n'), 2) << imported.err;
  EXPECT_THAT(imported.err, HasSubstr("a_database"));
  EXPECT_THAT(imported.err, HasSubstr("`joseki book merge`"));
}

// The books say which game a match is of: a file of another program, too.
TEST_F(CliTest, AMatchIsOfTheGameOfItsBooks) {
  const std::string game = Write("game.ucci", "startpos moves h2e2 h9g7 h0g2 i9h9\n");
  const std::string xiangqi = folder_ / "xiangqi.sqlite";
  ASSERT_EQ(Joseki({"import", "--game", "xiangqi", "--book", xiangqi, game}).status, 0);
  for (const char* const format : {"eleeye", "obk"}) {
    const std::string out = folder_ / format;
    ASSERT_EQ(Joseki({"export", "--book", xiangqi, "--format", format, "--out", out}).status, 0);
    const Outcome match = Joseki({"match", "--json", "--a", out, "--b", "none", "--nodes", "20",
                                  "--max-plies", "8", "--pairs", "1", "--out", out + ".games"});
    EXPECT_EQ(match.status, 0) << match.err << match.out;
    EXPECT_GT(match.json()["a"]["book_moves_per_game"], 0) << match.out;
    EXPECT_EQ(Joseki({"book", "diff", out, xiangqi}).status, 0) << format;
  }
  ExpectError({"match", "--a", "missing.db", "--b", "none", "--pairs", "1"}, 2, "usage",
              "'missing.db', neither a file that can be read nor an engine");
  ExpectError(
      {"match", "--a", "none", "--b", "none", "--pairs", "1", "--nodes", "9", "--move-ms", "9"}, 2,
      "usage", "--move-ms excludes --nodes");
}

TEST_F(CliTest, ExportsTheSameBytesForTheSameBook) {
  MakeBook();
  for (const std::string format : {"yaneuraou-db", "json"}) {
    std::vector<std::string> bytes;
    for (const std::string name : {"a", "b"}) {
      const std::string out = folder_ / (format + name);
      const Outcome outcome =
          Joseki({"export", "--book", book_, "--format", format, "--out", out, "--json"});
      EXPECT_EQ(outcome.status, 0) << outcome.err;
      EXPECT_EQ(outcome.json()["out"], out);
      bytes.push_back(*ReadFile(out));
      EXPECT_EQ(outcome.json()["bytes"], bytes.back().size());
      const std::string before_position = format == "json" ? "{\"position\":" : "\nsfen ";
      const std::string before_move = format == "json" ? "{\"move\":" : " 32 ";
      EXPECT_EQ(outcome.json()["positions"], Count(bytes.back(), before_position));
      EXPECT_EQ(outcome.json()["moves"], Count(bytes.back(), before_move));
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_GT(Count(bytes[0], "7g7f"), 0u);
  }
}

TEST_F(CliTest, ExportsForAnEngineAndExplainsWhatItDoes) {
  MakeBook();
  const std::string out = folder_ / "tuned.db";
  const Outcome exported =
      Joseki({"export", "--book", book_, "--profile", "yo-single", "--out", out, "--json"});
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_THAT(exported.json()["warnings"], SizeIs(0));
  EXPECT_THAT(*ReadFile(out), HasSubstr("\n7g7f 3c3d 0 32 2\n"));
  EXPECT_THAT(*ReadFile(out), Not(HasSubstr("\n2g2f 8c8d")));
  const Outcome black = Joseki({"export", "--book", book_, "--profile", "yo-count", "--side",
                                "black", "--out", out, "--json"});
  EXPECT_EQ(black.status, 0) << black.err;
  EXPECT_THAT(black.json()["options"], SizeIs(1));
  EXPECT_THAT(*ReadFile(out), Not(HasSubstr(" w - ")));

  const Outcome explained =
      Joseki({"book", "explain", "--book", book_, "--profile", "yo-count", "--json"});
  EXPECT_EQ(explained.status, 0) << explained.err;
  ASSERT_THAT(explained.json()["moves"], SizeIs(2));
  EXPECT_EQ(explained.json()["moves"][0]["move"], "7g7f");
  EXPECT_NEAR(explained.json()["moves"][0]["share"].get<double>(), 2.0 / 3, 0.001);
  EXPECT_EQ(explained.json()["refused_by"], "");
  const Outcome plain = Joseki({"book", "explain", "--book", book_, "startpos moves 7g7f"});
  EXPECT_THAT(plain.out, HasSubstr("3c3d    100.0 %"));
  EXPECT_THAT(plain.out, HasSubstr("by YaneuraOu\n"));
  EXPECT_THAT(plain.out, HasSubstr("\nShogiHome: 3c3d\n"));
  ExpectError({"book", "explain", "--book", book_, "startpos moves 9g9f"}, 1, "not_in_book", book_);
  ExpectError({"book", "explain", "--book", book_, "--profile", "x"}, 2, "usage", "--profile");
  ExpectError({"export", "--book", book_, "--profile", "sbk", "--format", "ybb", "--out", out}, 2,
              "usage", "--format");
  ExpectError({"export", "--book", book_, "--out", out}, 2, "usage", "--format");
}

// An interrupted import continues where it was.
TEST_F(CliTest, ImportsInPortions) {
  std::string many;
  for (int i = 0; i < 60'000; ++i) many += "startpos moves 7g7f 3c3d\n";
  Write("a.usi", many);
  Write("b.usi", "startpos moves 2g2f\n");
  Write("c.csa", kCsaIllegal);
  const Outcome outcome = Joseki({"import", "--book", book_, "--portion", "1", "--json",
                                  folder_ / "a.usi", folder_ / "b.usi", folder_ / "c.csa"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["games"], 60'001);
  EXPECT_EQ(outcome.json()["rejected"], 1);
  const Outcome again =
      Joseki({"import", "--book", book_, "--portion", "1", "--json", folder_ / "a.usi",
              folder_ / "b.usi", Write("d.usi", "7g7f 3c3d\n")});
  EXPECT_EQ(again.json()["files_known"], 2);
  EXPECT_EQ(again.json()["games"], 1);
  ExpectError({"import", "--book", book_, "--portion", "1", "--filter", "1/2", "x"}, 2, "usage",
              "--filter");
}

TEST_F(CliTest, AuditsABookWithoutRuns) {
  MakeBook();
  const Outcome audit = Joseki({"audit", "--book", book_, "--json"});
  EXPECT_EQ(audit.status, 0);
  EXPECT_EQ(audit.json()["games"], 0);
  EXPECT_EQ(audit.json()["weights"], 0);
  EXPECT_EQ(audit.json()["mismatches"], 0);
}

// A replay of games cannot find this fault: the book's own tables contradict each other.
TEST_F(CliTest, AnAuditFindsAFileThatIsWrongInItself) {
  MakeBook();
  SQLite::Database(book_, SQLite::OPEN_READWRITE).exec("UPDATE played SET moves = moves + 1");
  const Outcome audit = Joseki({"audit", "--book", book_, "--json"});
  EXPECT_EQ(audit.status, 1);
  EXPECT_GT(audit.json()["mismatches"], 0);
  EXPECT_THAT(audit.json()["first_mismatches"].dump(), HasSubstr("other counts"));
}

TEST_F(CliTest, SimulatesLines) {
  const std::vector<std::string> small = {"simulate-lines", "--json", "--games", "5,20",
                                          "--books",        "2",      "--seed",  "7",
                                          "--threads",      "1",      "--set",   "match_games=20"};
  const Outcome done = Joseki(small);
  ASSERT_EQ(done.status, 0) << done.err;
  const Json json = done.json();
  EXPECT_EQ(json["books"], 2);
  EXPECT_EQ(json["settings"]["match_games"], 20);
  EXPECT_EQ(json["settings"]["unchosen"], 0.12);
  ASSERT_THAT(json["checkpoints"], SizeIs(2));
  EXPECT_EQ(json["checkpoints"][1]["budget"], 20);
  for (const char* key : {"input", "equal", "bookless", "input10"}) {
    EXPECT_TRUE(json["checkpoints"][1][key]["mean"].is_number()) << key;
    EXPECT_TRUE(json["checkpoints"][1][key]["se"].is_number()) << key;
  }
  EXPECT_GT(json["checkpoints"][1]["lines"], json["checkpoints"][0]["lines"]);
  EXPECT_EQ(Joseki(small).out, done.out) << "the same seed";

  const Outcome list = Joseki({"simulate-lines", "--json", "--list", "--set", "unchosen=0"});
  ASSERT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(list.json()["settings"]["unchosen"], 0);
  EXPECT_FALSE(list.json().contains("checkpoints"));

  EXPECT_EQ(Joseki({"simulate-lines", "--json", "--set", "unchosn=0"}).json()["error"]["code"],
            "bad_setting");
  EXPECT_EQ(Joseki({"simulate-lines", "--json", "--set", "unchosen"}).json()["error"]["code"],
            "usage");
  EXPECT_EQ(Joseki({"simulate-lines", "--json", "--games", "5,2"}).json()["error"]["code"],
            "usage");
}

TEST_F(CliTest, SimulatesPolicies) {
  const std::vector<std::string> small = {
      "simulate", "--json", "--world", "tacos",       "--games", "20,60",     "--books",
      "2",        "--seed", "7",       "--in-flight", "4",       "--threads", "1"};
  const Outcome done = Joseki(small);
  ASSERT_EQ(done.status, 0) << done.err;
  const Json json = done.json();
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["world"], "tacos");
  EXPECT_EQ(json["books"], 2);
  EXPECT_EQ(json["seed"], 7);
  ASSERT_THAT(json["checkpoints"], SizeIs(2));
  EXPECT_EQ(json["checkpoints"][1]["policy"], "default");
  EXPECT_EQ(json["checkpoints"][1]["games"], 60);
  for (const char* key : {"elo_vs_frequency", "elo_se", "exploitability", "exploitability_se"}) {
    EXPECT_TRUE(json["checkpoints"][1][key].is_number()) << key;
  }
  EXPECT_EQ(Joseki(small).out, done.out) << "the same seed";

  std::vector<std::string> wrong = small;
  wrong.insert(wrong.end(), {"--policy", "ucb1", "--policy-option", "c=-1"});
  EXPECT_EQ(Joseki(wrong).json()["error"]["code"], "bad_policy_option");
  std::vector<std::string> both = small;
  both.insert(both.end(), {"--policy", "ucb1", "--goal", "robust"});
  EXPECT_EQ(Joseki(both).status, 2);
  std::vector<std::string> falling = small;
  falling[5] = "60,20";
  EXPECT_EQ(Joseki(falling).status, 2);
}

}  // namespace
}  // namespace joseki::cli
