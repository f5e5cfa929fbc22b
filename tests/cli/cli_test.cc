// Runs the built joseki program as a user or a script does.

#include <SQLiteCpp/Database.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/database_file.h"
#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr char kCsaGame[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n";
constexpr char kCsaIllegal[] = "V2.2\nPI\n+\n+7776FU\n-3335FU\n%TORYO\n";
constexpr char kUsiGames[] =
    "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";

struct Outcome {
  int status = -1;  // exit status; -1 if it did not exit by itself
  std::string out;
  std::string err;

  Json json() const { return Json::parse(out, nullptr, false); }
};

class CliTest : public ::testing::Test {
 protected:
  Outcome Joseki(const std::vector<std::string>& arguments) {
    std::string command = as_ + JOSEKI_BINARY_DIR + "/joseki";
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = output_ + ".out";
    const std::string err = output_ + ".err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *ReadFile(out), *ReadFile(err)};
  }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string MakeBook() {
    const Outcome made = Joseki({"import", "--book", book_, Write("sample.usi", kUsiGames)});
    EXPECT_EQ(made.status, 0) << made.err;
    return book_;
  }
  // The files of the test's folder but for those of this fixture.
  std::vector<std::string> Files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.') names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // The command fails with `status` and one line on stderr that names `code` and `place`; under
  // --json with an object that does.
  void ExpectError(std::vector<std::string> arguments, int status, const std::string& code,
                   const std::string& place) {
    const Outcome plain = Joseki(arguments);
    EXPECT_EQ(plain.status, status) << plain.err;
    EXPECT_EQ(std::count(plain.err.begin(), plain.err.end(), '\n'), 1) << plain.err;
    EXPECT_THAT(plain.err, StartsWith("joseki: "));
    EXPECT_THAT(plain.err, HasSubstr(code));
    EXPECT_THAT(plain.err, HasSubstr(place));
    EXPECT_THAT(plain.out, IsEmpty());
    arguments.push_back("--json");
    const Outcome json = Joseki(arguments);
    EXPECT_EQ(json.status, status);
    ASSERT_TRUE(json.json().is_object()) << json.out;
    EXPECT_EQ(json.json()["schema"], 1);
    const Json error = json.json()["error"];
    EXPECT_EQ(error["code"], code);
    for (const char* key : {"file", "line", "found", "expected", "message"}) {
      EXPECT_TRUE(error.contains(key)) << key;
    }
    EXPECT_THAT(error["message"].get<std::string>(), HasSubstr(place));
  }

  joseki::testing::TempFolder folder_;
  const std::string book_ = folder_ / "book.sqlite";
  std::string output_ = folder_ / "";  // where a command's output goes, less the ending
  std::string as_;                     // what makes the command another user's
};

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

TEST_F(CliTest, StatsAndVerifyCountTheBook) {
  MakeBook();
  const Json stats = Joseki({"book", "stats", "--book", book_, "--json"}).json();
  EXPECT_EQ(stats["positions"], 4);
  EXPECT_EQ(stats["moves"], 5);
  EXPECT_EQ(stats["games"], 3);
  EXPECT_THAT(stats["sources"], SizeIs(1));
  EXPECT_EQ(stats["sources"][0]["kind"], "games");
  EXPECT_EQ(stats["sources"][0]["options"]["plies"], 45);
  const Outcome verify = Joseki({"book", "verify", "--book", book_, "--json"});
  EXPECT_EQ(verify.status, 0);
  EXPECT_EQ(verify.json()["positions"], 4);
  EXPECT_EQ(verify.json()["moves"], 5);
  EXPECT_EQ(verify.json()["problems"], 0);
}

TEST_F(CliTest, VerifyFindsIllegalMoves) {
  MakeBook();
  {
    SQLite::Database db(book_, SQLite::OPEN_READWRITE);
    db.exec(
        "INSERT INTO positions (packed, ply) SELECT min(first), 1 FROM played;"
        "INSERT INTO moves (position, move) SELECT min(position), 1 FROM positions");
  }
  const Outcome plain = Joseki({"book", "verify", "--book", book_});
  EXPECT_EQ(plain.status, 1);
  EXPECT_THAT(plain.out, HasSubstr("an illegal move: 1a1b"));
  const Outcome json = Joseki({"book", "verify", "--book", book_, "--json"});
  EXPECT_EQ(json.status, 1);
  EXPECT_EQ(json.json()["problems"], 1);
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

TEST_F(CliTest, APositionIsNamedByAnOpeningsCode) {
  const std::string game = Write("game.ucci", "startpos moves h2e2 h9g7 h0g2 i9h9\n");
  ASSERT_EQ(Joseki({"import", "--game", "xiangqi", "--book", book_, game}).status, 0);
  const Outcome help = Joseki({"book", "show", "--help"});
  EXPECT_THAT(help.out, HasSubstr("(B00)"));
  EXPECT_EQ(Joseki({"book", "show", "--book", book_, "B00"}).status, 0);
  ExpectError({"book", "show", "--book", book_, "C42"}, 1, "unknown_opening", "C42");
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
                                  "--max-plies", "8", "--pairs", "1"});
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

TEST_F(CliTest, ShowsAPosition) {
  MakeBook();
  const Outcome plain = Joseki({"book", "show", "--book", book_});
  EXPECT_EQ(plain.status, 0);
  EXPECT_THAT(plain.out, HasSubstr("* 7g7f"));
  EXPECT_THAT(plain.out, HasSubstr("goes on in the book: 2g2f (1 move), 7g7f (1 move)\n"));
  EXPECT_LT(plain.out.find("* 7g7f"), plain.out.find("|v香v桂v銀v金v玉v金v銀v桂v香|一"));
  const Outcome json = Joseki({"book", "show", "--book", book_, "--json", "startpos moves 7g7f"});
  EXPECT_EQ(json.status, 0);
  ASSERT_THAT(json.json()["moves"], SizeIs(1));
  EXPECT_EQ(json.json()["moves"][0]["move"], "3c3d");
  EXPECT_EQ(json.json()["moves"][0]["n"], 2);
  EXPECT_EQ(json.json()["moves"][0]["share"], 1.0);
  EXPECT_EQ(json.json()["moves"][0]["answer"], true);
  ExpectError({"book", "show", "--book", book_, "startpos moves 9g9f"}, 1, "not_in_book", book_);
  ExpectError({"book", "show", "--book", book_, "startpos moves 7g7e"}, 1, "illegal_move",
              "position");
  ExpectError({"book", "show", "--book", book_, "8/8 b - 1"}, 1, "bad_board", "position");
  ExpectError({"book", "show", "--book", book_, "7g7z"}, 1, "malformed_move", "position");
  ExpectError({"book", "show", "--book", book_, "--run", "5"}, 1, "unknown_run", "5");
}

TEST_F(CliTest, WeighsMovesByTheGames) {
  MakeBook();
  const Outcome weigh = Joseki({"book", "weigh", "--book", book_, "--type", "type2", "--json"});
  EXPECT_EQ(weigh.status, 0);
  EXPECT_EQ(weigh.json()["type"], "type2");
  EXPECT_EQ(weigh.json()["moves"], 5);
  EXPECT_EQ(weigh.json()["left_out"], 0);
  const Json show = Joseki({"book", "show", "--book", book_, "--json"}).json();
  EXPECT_EQ(show["moves"][0]["move"], "7g7f");
  EXPECT_EQ(show["moves"][0]["weight"], 2.0);
  EXPECT_EQ(show["moves"][1]["weight"], 1.0);
}

TEST_F(CliTest, SaysWhichMovesAWeighedBookLacks) {
  MakeBook();
  const std::string more = Write("more.usi", "startpos moves 9g9f 8c8d\n");
  const std::string again = Write("again.usi", "startpos moves 1g1f\n");
  EXPECT_EQ(Joseki({"import", "--book", book_, "--json", more}).json()["unweighed"], 0);
  // No game has a winner.
  const Outcome empty = Joseki({"book", "weigh", "--book", book_, "--type", "type4"});
  EXPECT_THAT(empty.out, HasSubstr("0 moves weighed as type4, 7 left out"));
  EXPECT_THAT(empty.out, HasSubstr("the book is empty by this rule"));
  const Outcome whole = Joseki({"book", "weigh", "--book", book_, "--type", "type1"});
  EXPECT_THAT(whole.out, Not(HasSubstr("empty")));
  const Outcome added = Joseki({"import", "--book", book_, again});
  EXPECT_THAT(added.out, HasSubstr("1 moves of the book have no weight or are left out:"));
  EXPECT_EQ(Joseki({"import", "--book", book_, "--again", "--json", again}).json()["unweighed"], 1);
}

TEST_F(CliTest, EditsAMove) {
  MakeBook();
  ExpectError({"book", "edit", "--book", book_, "--move", "9g9f", "--mark", "bad"}, 1,
              "not_in_book", "9g9f");
  ExpectError({"book", "edit", "--book", book_, "--move", "9g9e", "--mark", "bad"}, 1,
              "illegal_move", "--move");
  const Outcome added = Joseki({"book", "edit", "--book", book_, "--move", "9g9f", "--add",
                                "--mark", "bad", "--note", "slow", "--json"});
  EXPECT_EQ(added.status, 0) << added.out;
  EXPECT_EQ(added.json()["added"], true);
  EXPECT_EQ(
      Joseki({"book", "edit", "--book", book_, "--move", "2g2f", "--mark", "forbidden"}).status, 0);
  const Json show = Joseki({"book", "show", "--book", book_, "--json"}).json();
  ASSERT_THAT(show["moves"], SizeIs(2));
  EXPECT_EQ(show["moves"][0]["move"], "7g7f");
  EXPECT_EQ(show["moves"][1]["move"], "9g9f");
  EXPECT_EQ(show["moves"][1]["mark"], "bad");
}

TEST_F(CliTest, ExpandsByTheEnginesOwnMoves) {
  MakeBook();
  const std::vector<std::string> expand = {"book",     "expand",  "--book", book_,     "--nodes",
                                           "100",      "--plies", "2",      "--width", "3",
                                           "--margin", "5000",    "--json"};
  const Outcome first = Joseki(expand);
  ASSERT_EQ(first.status, 0) << first.out << first.err;
  EXPECT_EQ(first.json()["searched"], 3);  // the start, and after 7g7f and 2g2f
  EXPECT_GE(first.json()["moves"], 4);
  EXPECT_EQ(Joseki({"book", "verify", "--book", book_}).status, 0);
  const Json show = Joseki({"book", "show", "--book", book_, "--json"}).json();
  EXPECT_GE(show["moves"].size(), 3u);
  // Repeating the search gives the same moves at the earlier positions.
  const std::string other = folder_ / "other.sqlite";
  ASSERT_EQ(Joseki({"import", "--book", other, folder_ / "sample.usi"}).status, 0);
  std::vector<std::string> again = expand;
  again[3] = other;
  EXPECT_EQ(Joseki(again).json(), first.json());
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
    }
    EXPECT_EQ(bytes[0], bytes[1]);
    EXPECT_THAT(bytes[0], Not(IsEmpty()));
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

TEST_F(CliTest, BringsValuesBack) {
  ExpectError({"book", "minimax", "--book", MakeBook(), "--draw", "x"}, 2, "usage", "--draw");
  const Outcome outcome = Joseki({"book", "minimax", "--book", book_, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["positions"], 4);
  EXPECT_EQ(outcome.json()["circles"], 0);
  EXPECT_EQ(Joseki({"book", "verify", "--book", book_}).status, 0);
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

TEST_F(CliTest, MergesComparesAndPrunesBooks) {
  const std::string other = folder_ / "other.sqlite";
  const std::string merged = folder_ / "merged.sqlite";
  const std::string games = Write("more.usi", "startpos moves 7g7f 8c8d\n");
  MakeBook();
  ASSERT_EQ(Joseki({"import", "--book", other, games}).status, 0);
  ExpectError({"book", "merge", "--book", merged}, 2, "usage", "--user");
  ExpectError({"book", "merge", "--book", merged, "--user", book_ + "#x"}, 2, "usage", "#x");
  ExpectError({"book", "merge", "--book", merged, "--tuned", book_ + "#9"}, 1, "unknown_run", "9");
  const Outcome merge =
      Joseki({"book", "merge", "--book", merged, "--user", other, "--master", book_, "--json"});
  ASSERT_EQ(merge.status, 0) << merge.err;
  EXPECT_EQ(merge.json()["sources"], 2);
  EXPECT_EQ(Joseki({"book", "verify", "--book", merged}).status, 0);
  const Outcome diff = Joseki({"book", "diff", book_, merged, "--json"});
  ASSERT_EQ(diff.status, 0) << diff.err;
  EXPECT_EQ(diff.json()["only_before"], 0);
  EXPECT_EQ(diff.json()["positions"][0]["moves"][0]["after"]["n"].is_number(), true);
  const Outcome plain = Joseki({"book", "diff", book_, merged});
  EXPECT_THAT(plain.out, HasSubstr("8c8d"));
  EXPECT_THAT(plain.out, HasSubstr("(the book itself)"));
  EXPECT_THAT(plain.out, HasSubstr("100 % of the lines come here"));
  ExpectError({"book", "diff", book_, games}, 1, "not_a_book", games);
  ExpectError({"book", "prune", "--book", merged}, 2, "usage", "--min-games");
  const std::vector<std::string> try_prune = {"book",        "prune", "--book",   merged,
                                              "--min-games", "2",     "--dry-run"};
  EXPECT_THAT(Joseki(try_prune).out, HasSubstr(" w - 2  8c8d\n"));
  std::vector<std::string> as_json = try_prune;
  as_json.emplace_back("--json");
  const Json gone = Joseki(as_json).json();
  EXPECT_EQ(gone["gone"].size(), gone["moves"]);
  EXPECT_TRUE(gone["gone"][0]["position"].is_string());
  const Outcome prune = Joseki({"book", "prune", "--book", merged, "--min-games", "2", "--json"});
  ASSERT_EQ(prune.status, 0) << prune.err;
  EXPECT_EQ(prune.json()["moves"], gone["moves"]);
  EXPECT_GT(prune.json()["moves"], 0);
}

TEST_F(CliTest, ShowsWhereAPositionsMovesComeFromAndLeadTo) {
  MakeBook();
  const Json json = Joseki({"book", "show", "--book", book_, "--fold", "--transpositions", "--json",
                            "startpos moves 7g7f"})
                        .json();
  EXPECT_EQ(json["sources"][0]["kind"], "games");
  EXPECT_EQ(json["onward"][0]["move"], "3c3d");
  EXPECT_EQ(json["transpositions"][0]["move"], "7g7f");
  ASSERT_EQ(json["by_colour"].size(), 1u);
  EXPECT_EQ(json["by_colour"][0]["white"]["n"], 2);
  EXPECT_EQ(json["by_colour"][0]["black"]["n"], 0);
  EXPECT_THAT(Joseki({"book", "show", "--book", book_}).out, Not(HasSubstr("sources:")));
  const Outcome plain = Joseki({"book", "show", "--book", book_, "--sources"});
  EXPECT_THAT(plain.out, HasSubstr("sources:"));
  // White to move at the start: only the turned position is in the book.
  const std::string turned = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2";
  ExpectError({"book", "show", "--book", book_, turned}, 1, "not_in_book", book_);
  const Json folded = Joseki({"book", "show", "--book", book_, "--fold", "--json", turned}).json();
  EXPECT_EQ(folded["by_colour"].size(), 2u);
  const Json similar =
      Joseki({"book", "similar", "--book", book_, "--json", "startpos moves 9g9f 1c1d"}).json();
  EXPECT_EQ(similar["in_book"], false);
  EXPECT_EQ(similar["positions"], 2);  // the start, and after 7g7f 3c3d
  EXPECT_EQ(similar["moves"][0]["move"], "2g2f");
}

TEST_F(CliTest, ExpandsWhereLinesEnd) {
  MakeBook();
  for (const std::string method : {"principal", "drop-out"}) {
    const Outcome outcome = Joseki({"book", "expand", "--book", book_, "--method", method,
                                    "--leaves", "2", "--nodes", "50", "--json"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.json()["expanded"], 2);
    EXPECT_EQ(outcome.json()["searched"], 6);
  }
  EXPECT_EQ(Joseki({"book", "verify", "--book", book_}).status, 0);
  ExpectError({"book", "learn", "--book", book_, "--run", "4"}, 1, "unknown_run", "4");
}

TEST_F(CliTest, ConvertsBooks) {
  MakeBook();
  const std::string db = folder_ / "a.db";
  const std::string probe = folder_ / "a.probe";
  ASSERT_EQ(Joseki({"export", "--book", book_, "--format", "yaneuraou-db", "--out", db}).status, 0);
  const Outcome outcome =
      Joseki({"book", "convert", db, "--out", probe, "--format", "probe", "--json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["written"], 4);
  const Outcome back =
      Joseki({"book", "convert", probe, "--out", folder_ / "b.db", "--format", "yaneuraou-db"});
  ASSERT_EQ(back.status, 0) << back.err;
  EXPECT_EQ(*ReadFile(folder_ / "b.db"), *ReadFile(db));
  const Outcome checked = Joseki({"book", "convert", probe});
  EXPECT_THAT(checked.out, HasSubstr("4 positions and 5 moves read"));
  const Outcome same = Joseki({"book", "diff", db, probe, "--json"});
  EXPECT_EQ(same.json()["same_positions"], 4);
  const std::string lines = folder_ / "a.usi";
  ASSERT_EQ(Joseki({"export", "--book", book_, "--format", "usi", "--out", lines}).status, 0);
  const std::string other = folder_ / "other.sqlite";
  const Outcome read = Joseki({"import", "--book", other, "--json", lines});
  EXPECT_EQ(read.json()["positions"], 4);
  EXPECT_EQ(read.json()["moves"], 5);
  ExpectError({"book", "convert", db, "--out", probe}, 2, "usage", "--format");
  ExpectError({"book", "convert", db, "--fold"}, 2, "usage", "--out");
  ExpectError({"book", "convert", Write("x.txt", "no book\n")}, 1, "unknown_format", "x.txt");
}

}  // namespace
}  // namespace joseki::cli
