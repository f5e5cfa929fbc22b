// The commands of `joseki book`.

#include <SQLiteCpp/Database.h>

#include <string>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cli/cli_fixture.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

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

TEST_F(CliTest, APositionIsNamedByAnOpeningsCode) {
  const std::string game = Write("game.ucci", "startpos moves h2e2 h9g7 h0g2 i9h9\n");
  ASSERT_EQ(Joseki({"import", "--game", "xiangqi", "--book", book_, game}).status, 0);
  const Outcome help = Joseki({"book", "show", "--help"});
  EXPECT_THAT(help.out, HasSubstr("(B00)"));
  EXPECT_EQ(Joseki({"book", "show", "--book", book_, "B00"}).status, 0);
  ExpectError({"book", "show", "--book", book_, "C42"}, 1, "unknown_opening", "C42");
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

TEST_F(CliTest, BringsValuesBack) {
  ExpectError({"book", "minimax", "--book", MakeBook(), "--draw", "x"}, 2, "usage", "--draw");
  const Outcome outcome = Joseki({"book", "minimax", "--book", book_, "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.json()["positions"], 4);
  EXPECT_EQ(outcome.json()["circles"], 0);
  EXPECT_EQ(Joseki({"book", "verify", "--book", book_}).status, 0);

  const std::string xiangqi = folder_ / "xiangqi.sqlite";
  const std::string game = Write("game.ucci", "startpos moves h2e2 h9g7 h0g2 i9h9\n");
  ASSERT_EQ(Joseki({"import", "--game", "xiangqi", "--book", xiangqi, game}).status, 0);
  const Outcome other = Joseki({"book", "minimax", "--book", xiangqi, "--json"});
  EXPECT_EQ(other.status, 0) << other.err;
  EXPECT_EQ(other.json()["positions"], 4);
}

TEST_F(CliTest, MergesComparesAndPrunesBooks) {
  const std::string other = folder_ / "other.sqlite";
  const std::string merged = folder_ / "merged.sqlite";
  const std::string games = Write("more.usi", "startpos moves 7g7f 8c8d\n");
  MakeBook();
  ASSERT_EQ(Joseki({"import", "--book", other, games}).status, 0);
  ExpectError({"book", "merge", "--book", merged}, 2, "usage", "--user");
  ExpectError({"book", "merge", "--book", merged, "--user", book_ + "#x"}, 2, "usage", "#x");
  ExpectError({"book", "merge", "--book", merged, "--tuned", book_ + "#9"}, 1, "unknown_run",
              book_ + ": ");
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
  // What a file of another program has wrong is no difference, and is not hidden.
  const std::string header = "#YANEURAOU-DB2016 1.00\n";
  const std::string start =
      "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n";
  const std::string partly =
      Write("partly.db", header + start + "7g7f none 0 0 1\n7g7e none 0 0 1\n");
  const Outcome left = Joseki({"book", "diff", book_, partly});
  EXPECT_EQ(left.status, 0);
  EXPECT_THAT(left.err, HasSubstr("partly.db: 1 reject is left out: "));
  EXPECT_THAT(left.err, HasSubstr("illegal_move: found '7g7e'"));
  const std::string none =
      Write("none.db", header + "sfen 9/9/9/9/9/9/9/9/9 b - 1\n7g7f none 0 0 1\n");
  ExpectError({"book", "diff", book_, none}, 1, "no_king", none);
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
  EXPECT_THAT(Joseki({"book", "similar", "--book", book_, "startpos moves 9g9f 1c1d"}).out,
              HasSubstr("with their games and counts there:\n  2g2f"));
  EXPECT_EQ(similar["in_book"], false);
  EXPECT_EQ(similar["positions"], 2);  // the start, and after 7g7f 3c3d
  EXPECT_EQ(similar["moves"][0]["move"], "2g2f");
}

TEST_F(CliTest, AnExtendedBookNamesTheFilesThatItRejects) {
  MakeBook();
  const Outcome outcome = Joseki({"book", "extend", "--out", folder_ / "extended.probe",
                                  Write("one.usi", "startpos moves 7g7f\n"), book_});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(book_ + ": a_database: "));
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
