#include "engine/edge_attacks_command.h"

#include <fstream>
#include <sstream>
#include <string>

#include "base/problem.h"
#include "engine/suite_command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

// White's king on 8b behind edge pawns that face each other, Black's castle at home.
constexpr char kRipe[] =
    "lnsg4l/1k1s1rg2/1ppp1p1pp/p5p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b B2Pbsn 1";
// A variant of kRipe in which a pawn on 2f takes White's rook.
constexpr char kRookHangs[] =
    "lnsg4l/1k1s2g2/1ppp1p1pp/p5p2/7r1/P1P1P1PP1/1PSP1P3/1KG1G2R1/LN5NL b B2Pbsn 1";

struct Collected {
  std::string rows;
  std::string said;
};

class EdgeAttacks : public ::testing::Test {
 protected:
  Collected Collect(const std::string& games, const std::string& book = "") {
    std::ofstream(folder_ / "games") << games;
    std::ostringstream out;
    std::ostringstream err;
    const absl::Status status =
        CollectEdgeAttacks({.files = {folder_ / "games"}, .book = book, .depth = 1}, out, err);
    EXPECT_TRUE(status.ok()) << status;
    return {out.str(), err.str()};
  }

  testing::TempFolder folder_;
};

std::string Game(const char* sfen, const std::string& moves) {
  return "sfen " + std::string(sfen) + " moves " + moves + "\n";
}

TEST_F(EdgeAttacks, AreWhereTheStudyAsks) {
  const Collected collected = Collect(Game(kRipe, "9f9e") + Game(kRipe, "5f5e") +
                                      "startpos moves 9g9f 9c9d\n" + "startpos moves 5e5d\n\n");
  EXPECT_EQ(collected.rows, "sfen\tmoves\tkind\n" + std::string(kRipe) + "\t9f9e\tgood\n" + kRipe +
                                "\t9f9e\tbad\n");
  EXPECT_EQ(collected.said,
            "4 games, 1 broken off; 2 ripe positions, 0 in the book, 0 forced, 2 kept, in 1 the "
            "attack began\n");
}

TEST_F(EdgeAttacks, AreNotWhereTheMoveWasForced) {
  const Collected forced = Collect(Game(kRookHangs, "2f2e"));
  EXPECT_EQ(forced.rows, "sfen\tmoves\tkind\n");
  EXPECT_THAT(forced.said, HasSubstr("1 ripe positions, 0 in the book, 1 forced, 0 kept"));
  EXPECT_THAT(Collect(Game(kRookHangs, "9f9e")).rows, EndsWith("good\n"))
      << "the attack all the same";
  EXPECT_THAT(Collect(Game(kRookHangs, "5f5e")).rows, EndsWith("bad\n"))
      << "the rook was not taken";
}

TEST_F(EdgeAttacks, AreNotInTheBook) {
  const std::string book = folder_ / "book.db";
  std::ofstream(book) << "#YANEURAOU-DB2016 1.00\nsfen " << kRipe << "\n9f9e none 0 10 1\n";
  const Collected collected = Collect(Game(kRipe, "9f9e"), book);
  EXPECT_EQ(collected.rows, "sfen\tmoves\tkind\n");
  EXPECT_THAT(collected.said, HasSubstr("1 in the book"));
  std::ostringstream out;
  EXPECT_FALSE(CollectEdgeAttacks({.files = {}, .book = folder_ / "none"}, out, out).ok());
}

// The suite counts in how many of them the attack is begun, and how fast it was.
TEST_F(EdgeAttacks, AreASuite) {
  const std::string file = folder_ / "suite.tsv";
  std::ofstream(file) << Collect(Game(kRipe, "9f9e") + Game(kRipe, "5f5e")).rows;
  std::ostringstream out;
  std::ostringstream err;
  ASSERT_TRUE(RunSuite({.file = file, .depth = 3, .json = true}, out, err).ok());
  const auto json = nlohmann::json::parse(out.str());
  EXPECT_EQ(json["positions"], 2);
  EXPECT_EQ(json["hits"], 1) << "one row each of either kind, and the same position";
  EXPECT_GT(json["nps"], 0);
  EXPECT_NEAR(json["nps"].get<double>() * json["seconds"].get<double>(),
              json["nodes"].get<double>(), 1);
}

}  // namespace
}  // namespace joseki
