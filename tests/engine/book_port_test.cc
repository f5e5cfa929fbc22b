#include "engine/book_port.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/formats/apery.h"
#include "book/formats/eleeye.h"
#include "book/formats/obk.h"
#include "book/formats/probe_file.h"
#include "book/formats/sbk.h"
#include "book/formats/yaneuraou_db.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

Move UsiMove(const char* text) { return *shogi::MoveFromUsi(text); }

shogi::Position After(const std::vector<const char*>& moves) {
  shogi::Position position;
  for (const char* move : moves) {
    shogi::Undo undo;
    position.Do(UsiMove(move), undo);
  }
  return position;
}

book::DbMove Entry(const char* move, int value, int depth, uint64_t count) {
  book::DbMove entry;
  entry.move = UsiMove(move);
  entry.value = value;
  entry.has_value = true;
  entry.depth = depth;
  entry.has_depth = true;
  entry.count = count;
  return entry;
}

// The start position: 7g7f 50, 2g2f 40, 9g9f -90. After 7g7f: 3c3d with a ponder move that is none.
std::vector<book::DbPosition> SampleBook() {
  std::vector<book::DbPosition> positions(2);
  positions[0].packed = shogi::Pack(shogi::Position());
  positions[0].moves = {Entry("7g7f", 50, 20, 90), Entry("2g2f", 40, 20, 10),
                        Entry("9g9f", -90, 20, 1)};
  positions[1].packed = shogi::Pack(After({"7g7f"}));
  positions[1].ply = 2;
  positions[1].moves = {Entry("3c3d", 0, 0, 1)};
  positions[1].moves[0].ponder = UsiMove("7g7f");
  return positions;
}

class BookPortTest : public ::testing::TestWithParam<const char*> {
 protected:
  BookPortTest() {
    const std::string path = folder_ / "book";
    const bool probe = std::string(GetParam()) == "probe";
    EXPECT_TRUE(WriteFileAtomically(path, probe ? book::WriteProbeFile(SampleBook())
                                                : book::WriteYaneuraouDb(SampleBook()))
                    .ok());
    EXPECT_TRUE(book_->Open(path).ok());
  }
  std::optional<usi::BookReply> Ask(const shogi::Position& position, int ply,
                                    const usi::BookOptions& options, uint64_t chance) {
    shogi::MoveList legal;
    position.Generate<GenType::kAll>(legal);
    return book_->Ask(shogi::Pack(position), legal, ply, options, chance);
  }
  // Number of times that each move is played in 1,000 asks.
  std::map<std::string, int> Played(const shogi::Position& position, int ply) {
    std::map<std::string, int> played;
    for (uint64_t chance = 0; chance < 1000; ++chance) {
      const auto reply = Ask(position, ply, options_, chance);
      ++played[reply.has_value() ? shogi::ToUsi(reply->move) : "none"];
    }
    return played;
  }

  testing::TempFolder folder_;
  std::unique_ptr<usi::OwnBook> book_ = MakeOwnBook(shogi::ShogiRules());
  usi::BookOptions options_;
};

TEST_P(BookPortTest, PlaysWhatTheOptionsAllow) {
  auto played = Played(shogi::Position(), 1);
  EXPECT_EQ(played.size(), 2u);
  EXPECT_GT(played["7g7f"], 400);
  EXPECT_GT(played["2g2f"], 400);
  options_.by_count = true;
  EXPECT_LT(Played(shogi::Position(), 1)["2g2f"], 150);
  options_.eval_diff = 0;
  EXPECT_EQ(Played(shogi::Position(), 1)["7g7f"], 1000);
  options_.ignore_percent = 30;
  played = Played(shogi::Position(), 1);
  EXPECT_GT(played["none"], 200);
  EXPECT_LT(played["none"], 400);
  options_.ignore_percent = 0;
  for (const auto& change : std::vector<void (*)(usi::BookOptions&)>{
           [](usi::BookOptions& o) { o.use = false; }, [](usi::BookOptions& o) { o.moves = 0; },
           [](usi::BookOptions& o) { o.depth_limit = 21; },
           [](usi::BookOptions& o) { o.black_limit = 51; }}) {
    usi::BookOptions options = options_;
    change(options);
    EXPECT_FALSE(Ask(shogi::Position(), 1, options, 1).has_value());
  }
}

TEST_P(BookPortTest, FindsTheTurnedPosition) {
  // 3c3d with Black's and White's parts exchanged: the start position with White to move has no
  // entry, but its mirror image has.
  const auto white =
      shogi::ParseSfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2");
  ASSERT_TRUE(white.ok());
  options_.eval_diff = 0;
  const auto reply = Ask(white->position, 2, options_, 1);
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(shogi::ToUsi(reply->move), "3c3d");
  options_.flipped = false;
  EXPECT_FALSE(Ask(white->position, 2, options_, 1).has_value());
}

TEST_P(BookPortTest, MindsThePlyIfItIsTold) {
  EXPECT_TRUE(Ask(After({"7g7f"}), 8, options_, 1).has_value());
  options_.ignore_ply = false;
  EXPECT_FALSE(Ask(After({"7g7f"}), 8, options_, 1).has_value());
  EXPECT_TRUE(Ask(After({"7g7f"}), 2, options_, 1).has_value());
  EXPECT_FALSE(Ask(After({"2g2f"}), 2, options_, 1).has_value());
}

// Their values may say nothing.
TEST_P(BookPortTest, BooksOfProgramsThatPlayByCountsAreSoPlayed) {
  std::vector<book::DbPosition> positions(1);
  positions[0].packed = shogi::Pack(shogi::Position());
  positions[0].moves = {Entry("7g7f", 0, 20, 90), Entry("2g2f", 0, 20, 10)};
  for (const std::string& bytes : {book::WriteApery(positions, {}), book::WriteSbk(positions)}) {
    ASSERT_TRUE(WriteFileAtomically(folder_ / "counted", bytes).ok());
    ASSERT_TRUE(book_->Open(folder_ / "counted").ok());
    EXPECT_NEAR(Played(shogi::Position(), 1)["7g7f"], 900, 50);
  }
  ASSERT_TRUE(WriteFileAtomically(folder_ / "other", book::WriteYaneuraouDb(positions)).ok());
  ASSERT_TRUE(book_->Open(folder_ / "other").ok());
  EXPECT_NEAR(Played(shogi::Position(), 1)["7g7f"], 500, 80);
}

TEST_P(BookPortTest, SaysWhatCannotBeUsed) {
  std::vector<book::DbPosition> positions = SampleBook();
  positions.pop_back();
  std::string text = book::WriteYaneuraouDb(positions);
  text += "7g7e none 0 0 1\n9i9e none 0 0 1\n";
  ASSERT_TRUE(WriteFileAtomically(folder_ / "damaged", text).ok());
  ASSERT_TRUE(book_->Open(folder_ / "damaged").ok());
  EXPECT_THAT(book_->Remark(), ::testing::StartsWith("left out of the book: 2, first "));
  EXPECT_THAT(book_->Remark(), ::testing::HasSubstr("illegal_move"));
  EXPECT_TRUE(Ask(shogi::Position(), 1, options_, 1).has_value());
  ASSERT_TRUE(book_->Open("no_book").ok());
  EXPECT_EQ(book_->Remark(), "");
}

TEST_P(BookPortTest, IsClosedBeforeAnotherIsOpened) {
  EXPECT_FALSE(book_->Open(folder_ / "none").ok());
  EXPECT_FALSE(Ask(shogi::Position(), 1, options_, 1).has_value());
  ASSERT_TRUE(WriteFileAtomically(folder_ / "text", "no book\n").ok());
  EXPECT_EQ(ProblemOf(book_->Open(folder_ / "text")).code, "not_a_book");
  EXPECT_TRUE(book_->Open("no_book").ok());
}

INSTANTIATE_TEST_SUITE_P(Files, BookPortTest, ::testing::Values("probe", "db"));

// Xiangqi's start position: h2e2 3 times as often as b0c2.
std::vector<book::DbPosition> XiangqiBook() {
  std::vector<book::DbPosition> positions(1);
  positions[0].packed = xiangqi::Pack(xiangqi::Position());
  for (const auto& [move, count] : {std::pair{"h2e2", 30}, std::pair{"b0c2", 10}}) {
    book::DbMove entry;
    entry.move = *xiangqi::MoveFromUcci(move);
    entry.count = static_cast<uint64_t>(count);
    positions[0].moves.push_back(entry);
  }
  return positions;
}

class XiangqiBookTest : public ::testing::Test {
 protected:
  std::map<std::string, int> Played(const std::string& fen) {
    const auto at = xiangqi::ParseFen(fen);
    EXPECT_TRUE(at.ok());
    xiangqi::MoveList legal;
    at->position.Generate<GenType::kAll>(legal);
    std::map<std::string, int> played;
    for (uint64_t chance = 0; chance < 1000; ++chance) {
      const auto reply = book_->Ask(xiangqi::Pack(at->position), legal, at->ply, options_, chance);
      ++played[reply.has_value() ? xiangqi::ToUcci(reply->move) : "none"];
    }
    return played;
  }
  absl::Status Open(const std::string& bytes) {
    EXPECT_TRUE(WriteFileAtomically(folder_ / "book", bytes).ok());
    return book_->Open(folder_ / "book");
  }

  testing::TempFolder folder_;
  std::unique_ptr<usi::OwnBook> book_ = MakeOwnBook(xiangqi::XiangqiRules());
  usi::BookOptions options_;
};

TEST_F(XiangqiBookTest, BooksOfItsProgramsArePlayedByWeight) {
  for (const std::string& bytes :
       {book::WriteEleeye(XiangqiBook()), book::WriteObk(XiangqiBook())}) {
    ASSERT_TRUE(Open(bytes).ok());
    auto played = Played("startpos");
    EXPECT_EQ(played.size(), 2u);
    EXPECT_NEAR(played["h2e2"], 750, 60);
  }
  ASSERT_TRUE(Open(book::WriteProbeFile(XiangqiBook())).ok());
  EXPECT_NEAR(Played("startpos")["h2e2"], 500, 70);
}

TEST_F(XiangqiBookTest, FindsThePositionsImages) {
  // Red's cannon stands in the middle and Black is to move; the book has it left and right
  // exchanged.
  constexpr char kMirrored[] =
      "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR b - - 0 1";
  constexpr char kHere[] = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 0 1";
  std::vector<book::DbPosition> positions(1);
  positions[0].packed = xiangqi::Pack(xiangqi::ParseFen(kMirrored)->position);
  book::DbMove reply;
  reply.move = *xiangqi::MoveFromUcci("b9c7");
  positions[0].moves = {reply};
  ASSERT_TRUE(Open(book::WriteProbeFile(positions)).ok());
  EXPECT_EQ(Played(kHere)["h9g7"], 1000);
  options_.flipped = false;
  EXPECT_EQ(Played(kHere)["none"], 1000);
}

TEST_F(XiangqiBookTest, ABookOfAnotherGameIsRefused) {
  EXPECT_EQ(ProblemOf(Open(book::WriteProbeFile(SampleBook()))).code, "other_game");
  EXPECT_EQ(ProblemOf(Open(book::WriteYaneuraouDb(SampleBook()))).code, "other_game");
  const Problem none = ProblemOf(Open("no book\n"));
  EXPECT_EQ(none.code, "not_a_book");
  EXPECT_THAT(none.expected, ::testing::HasSubstr("eleeye, obk"));
  EXPECT_THAT(none.expected, ::testing::Not(::testing::HasSubstr("ybb")));
  EXPECT_EQ(Played("startpos")["none"], 1000);
  const std::unique_ptr<usi::OwnBook> of_shogi = MakeOwnBook(shogi::ShogiRules());
  ASSERT_TRUE(WriteFileAtomically(folder_ / "book", book::WriteEleeye(XiangqiBook())).ok());
  EXPECT_EQ(ProblemOf(of_shogi->Open(folder_ / "book")).code, "other_game");
}

class ExtendedBookTest : public ::testing::Test {
 protected:
  ExtendedBookTest() {
    EXPECT_TRUE(WriteFileAtomically(folder_ / "book", book::WriteProbeFile(SampleBook())).ok());
  }
  // The bonuses at `position`, by move.
  std::map<std::string, int> At(const shogi::Position& position) {
    Favour favours[16];
    std::map<std::string, int> found;
    const size_t count = book_->At(position, favours);
    for (size_t i = 0; i < count; ++i) found[shogi::ToUsi(favours[i].move)] = favours[i].bonus;
    return found;
  }

  testing::TempFolder folder_;
  std::unique_ptr<usi::ExtendedBookPort> book_ = MakeExtendedBook();
};

TEST_F(ExtendedBookTest, GivesBonusesThatFadeWithThePly) {
  using ::testing::ElementsAre;
  using ::testing::Pair;
  ASSERT_TRUE(book_->Open(folder_ / "book").ok());
  EXPECT_TRUE(book_->Fade({.plies = 61}, 1));
  EXPECT_THAT(At(shogi::Position()),
              ElementsAre(Pair("2g2f", 40), Pair("7g7f", 50), Pair("9g9f", -90)));
  EXPECT_TRUE(book_->Fade({.plies = 61}, 31));
  EXPECT_THAT(At(shogi::Position()),
              ElementsAre(Pair("2g2f", 20), Pair("7g7f", 25), Pair("9g9f", -45)));
  EXPECT_TRUE(book_->Fade({.plies = 61, .percent = 200}, 31));
  EXPECT_EQ(At(shogi::Position()).at("7g7f"), 50);
  EXPECT_FALSE(book_->Fade({.plies = 61}, 61));
  EXPECT_FALSE(book_->Fade({.plies = 61}, 500));
  EXPECT_FALSE(book_->Fade({.plies = 61, .percent = 0}, 1));
  EXPECT_TRUE(At(After({"2g2f", "3c3d"})).empty());
}

TEST_P(BookPortTest, APartialBookKnowsWhatIsAlike) {
  const std::unique_ptr<usi::PartialBookPort> partial = MakePartialBook();
  EXPECT_TRUE(partial->empty());
  ASSERT_TRUE(partial->Open(folder_ / "book").ok());
  EXPECT_FALSE(partial->empty());
  Move moves[2];
  ASSERT_EQ(partial->At(shogi::Position(), moves), 2u) << "no more than there is room for";
  EXPECT_EQ(shogi::ToUsi(moves[0]), "7g7f") << "the most played";
  // Edge pawns and lances are not looked at.
  EXPECT_EQ(partial->At(After({"1g1f", "9c9d"}), moves), 2u);
  EXPECT_EQ(partial->At(After({"2g2f", "9c9d"}), moves), 0u) << "the pawn before the rook is";
  EXPECT_EQ(ProblemOf(partial->Open(folder_ / "none")).file, folder_ / "none");
  EXPECT_TRUE(partial->empty());
  ASSERT_TRUE(partial->Open(folder_ / "book").ok());
  EXPECT_TRUE(partial->Open("no_book").ok());
  EXPECT_TRUE(partial->empty());
}

TEST_F(ExtendedBookTest, IsNoneUnlessOpened) {
  EXPECT_FALSE(book_->Fade({}, 1));
  EXPECT_FALSE(book_->Open(folder_ / "none").ok());
  ASSERT_TRUE(book_->Open(folder_ / "book").ok());
  EXPECT_TRUE(book_->Fade({}, 1));
  ASSERT_TRUE(book_->Open("no_book").ok());
  EXPECT_FALSE(book_->Fade({}, 1));
}

}  // namespace
}  // namespace joseki
