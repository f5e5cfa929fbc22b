#include "coordinator/offline/export_style.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/formats/turned.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_rules.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::Shogi;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Row {
  const char* move;
  int64_t games;
  uint32_t wins;
  bool answer = false;
  bool bad = false;
};

ExportBook::Position PositionAfter(const std::vector<const char*>& line,
                                   const std::vector<Row>& rows) {
  const auto state = *Shogi().Start("startpos", MatchRules{});
  for (const char* move : line) EXPECT_TRUE(state->Play(*Shogi().MoveOf(move)));
  ExportBook::Position position{
      .packed = state->packed(), .ply = static_cast<int>(line.size()) + 1, .moves = {}};
  for (const Row& row : rows) {
    ExportBook::Move& move = position.moves.emplace_back();
    move.move = *Shogi().MoveOf(row.move);
    move.games = row.games;
    move.evidence = {row.wins, 0, static_cast<uint32_t>(row.games) - row.wins, 0};
    move.answer = row.answer;
    move.bad = row.bad;
  }
  SetWorth(position);
  return position;
}

// A tuned answer that is neither the most played move nor the one with the best score; a marked
// move.
ExportBook Book() {
  ExportBook book;
  book.positions.push_back(PositionAfter(
      {}, {{"7g7f", 30, 16, true}, {"2g2f", 60, 33}, {"9g9f", 8, 7}, {"1g1f", 2, 2, false, true}}));
  book.positions.push_back(PositionAfter({"7g7f"}, {{"3c3d", 10, 3, true}, {"8c8d", 9, 4}}));
  std::sort(book.positions.begin(), book.positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  return book;
}

// "move share" of what is played at the start position.
std::vector<std::string> Played(ExportStyle style) {
  std::vector<std::string> played;
  for (const book::DbPosition& position : PositionsFor(Book(), style)) {
    if (position.ply != 1) continue;
    const book::Probe probe = ProbeFor(position, style);
    for (const book::Probe::Choice& choice : probe.choices) {
      if (choice.share > 0) {
        played.push_back(absl::StrCat(Shogi().Text(choice.move), " ",
                                      static_cast<int>(100 * choice.share + 0.5)));
      }
    }
  }
  std::sort(played.begin(), played.end());
  return played;
}

TEST(ExportStyle, NamesAreRead) {
  EXPECT_THAT(ExportStyleNames(), SizeIs(6));
  for (const std::string& name : ExportStyleNames()) {
    ASSERT_TRUE(ExportStyleOf(name).has_value()) << name;
    EXPECT_TRUE(MayBeWrittenAs(*ExportStyleOf(name), DefaultFormat(*ExportStyleOf(name))));
  }
  EXPECT_FALSE(ExportStyleOf("yo").has_value());
  EXPECT_FALSE(MayBeWrittenAs(ExportStyle::kYoCount, book::BookFormat::kYbb));
  EXPECT_TRUE(MayBeWrittenAs(ExportStyle::kPeta, book::BookFormat::kYbb));
}

TEST(ExportStyle, SharesPutTheAnswerFirst) {
  const ExportBook book = Book();
  const ExportBook::Position& start =
      book.positions[0].ply == 1 ? book.positions[0] : book.positions[1];
  const std::vector<double> shares = SharesOf(start);
  EXPECT_NEAR(shares[0], 60.0 / 128, 1e-9);
  EXPECT_NEAR(shares[1], 60.0 / 128, 1e-9);
  EXPECT_NEAR(shares[2], 8.0 / 128, 1e-9);
  EXPECT_EQ(shares[3], 0);
}

// Games behind a move say nothing of its worth beside moves that were searched and tried.
TEST(ExportStyle, WhereSearchesChooseOnlyMovesTheyKnowAreMixed) {
  ExportBook book = Book();
  ExportBook::Position& start = book.positions[0].ply == 1 ? book.positions[0] : book.positions[1];
  start.moves[0].expected = 0.52;
  start.moves[2].expected = 0.51;
  EXPECT_THAT(SharesOf(start), ElementsAre(Gt(0.5), 0, Gt(0), 0));
}

// With the answer's value a move without a share would look as good as the answer.
TEST(ExportStyle, ByCountMovesWithoutAShareAreNotWritten) {
  ExportBook book = Book();
  ExportBook::Position& start = book.positions[0].ply == 1 ? book.positions[0] : book.positions[1];
  start.moves[0].expected = 0.52;
  start.moves[2].expected = 0.51;
  for (const book::DbPosition& position : PositionsFor(book, ExportStyle::kYoCount)) {
    EXPECT_THAT(position.moves, SizeIs(2));
    for (const book::DbMove& move : position.moves) EXPECT_GT(move.count, 0);
  }
  // The answer is written without any games, too.
  for (ExportBook::Move& move : start.moves) move.games = 0;
  for (const book::DbPosition& position : PositionsFor(book, ExportStyle::kYoCount)) {
    EXPECT_THAT(position.moves, SizeIs(position.ply == 1 ? 1 : 2));
  }
}

// Under each style the engine plays what was tuned: the answer, alone or most often.
TEST(ExportStyle, TheEnginePlaysTheTunedMove) {
  EXPECT_THAT(Played(ExportStyle::kYoSingle), ElementsAre("7g7f 100"));
  EXPECT_THAT(Played(ExportStyle::kYoCount), ElementsAre("2g2f 47", "7g7f 47", "9g9f 6"));
  EXPECT_THAT(Played(ExportStyle::kYoMix), ElementsAre("2g2f 50", "7g7f 50"));
  EXPECT_THAT(Played(ExportStyle::kDlshogi), ElementsAre("7g7f 100"));
  EXPECT_THAT(Played(ExportStyle::kSbk), ElementsAre("2g2f 47", "7g7f 47", "9g9f 6"));
  for (const ExportStyle style :
       {ExportStyle::kYoCount, ExportStyle::kDlshogi, ExportStyle::kSbk}) {
    for (const book::DbPosition& position : PositionsFor(Book(), style)) {
      if (position.ply != 1) continue;
      for (size_t i = 1; i < position.moves.size(); ++i) {
        EXPECT_GT(position.moves[0].count, position.moves[i].count);
      }
    }
  }
}

// Values of won positions and of mates keep their order on dlshogi's scale.
TEST(ExportStyle, DlshogiHasLargeValuesOfBooksToo) {
  ExportBook book = Book();
  for (const auto& [worth, value] :
       {std::pair(600, 754), std::pair(21'900, 27'532), std::pair(31'990, 40'217)}) {
    for (ExportBook::Position& position : book.positions) {
      for (ExportBook::Move& move : position.moves) move.worth = worth;
    }
    for (const book::DbPosition& position : PositionsFor(book, ExportStyle::kDlshogi)) {
      for (const book::DbMove& move : position.moves) EXPECT_EQ(move.value, value) << worth;
    }
  }
}

// The value of the first move is that of the answer to it, whatever else could be played there.
TEST(ExportStyle, PetaTurnsAndBacksTheAnswersUp) {
  const std::vector<book::DbPosition> positions = PositionsFor(Book(), ExportStyle::kPeta);
  ASSERT_THAT(positions, SizeIs(2));
  bool found = false;
  for (const book::DbPosition& position : positions) {
    EXPECT_EQ(book::SideToMove(position.packed), Color::kFirst);
    int answer = 0;
    int others = -32'000;
    for (const book::DbMove& move : position.moves) {
      // 3c3d, turned, is 7g7f as well.
      const bool leads = move.move == *Shogi().MoveOf("7g7f");
      (leads ? answer : others) = leads ? move.value : std::max(others, move.value);
      if (position.ply != 1 || !leads) continue;
      found = true;
      // 3c3d: 3 of 10, and 20 games of what both score there, 17 of 39: 0.391, -267 centipawns.
      EXPECT_EQ(move.value, 267);
    }
    EXPECT_GE(answer, others + 31);
  }
  EXPECT_TRUE(found);
}

// One lost game, or one won: the values that minimax of single games would play.
TEST(ExportStyle, NoSingleGameLeadsAPetaBook) {
  ExportBook book;
  book.positions.push_back(PositionAfter(
      {}, {{"7g7f", 4000, 2040, true}, {"5i6h", 1, 0}, {"6i7h", 1, 1}, {"1g1f", 3, 2}}));
  book.positions.push_back(PositionAfter({"5i6h"}, {{"3c3d", 1, 0, true}}));
  book.positions.push_back(PositionAfter({"7g7f"}, {{"3c3d", 900, 470, true}, {"8c8d", 1, 1}}));
  std::sort(book.positions.begin(), book.positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  int answered = 0;
  for (const book::DbPosition& position : PositionsFor(book, ExportStyle::kPeta)) {
    const book::Probe probe = ProbeFor(position, ExportStyle::kPeta);
    for (const book::Probe::Choice& choice : probe.choices) {
      if (choice.share == 1) ++answered;
      if (position.ply == 1 && choice.share > 0) {
        EXPECT_EQ(choice.move, *Shogi().MoveOf("7g7f"));
      }
    }
    for (const book::DbMove& move : position.moves) EXPECT_LT(std::abs(move.value), 400);
  }
  EXPECT_EQ(answered, 3);
}

TEST(ExportStyle, WarnsOfWhatTheEngineRefuses) {
  ExportBook book = Book();
  const auto warnings = [&](ExportStyle style) {
    return WarningsFor(PositionsFor(book, style), DefaultFormat(style));
  };
  // White's answer has 3 wins of 10: its value is lifted to the limit.
  EXPECT_THAT(warnings(ExportStyle::kYoSingle), IsEmpty());
  EXPECT_THAT(warnings(ExportStyle::kSbk), IsEmpty());
  EXPECT_THAT(warnings(ExportStyle::kDlshogi), IsEmpty());
  for (ExportBook::Position& position : book.positions) position.ply = 40;
  EXPECT_THAT(warnings(ExportStyle::kYoSingle),
              ElementsAre("set in YaneuraOu: BookMoves 40 (its defaults refuse 2 positions)"));
}

// A book that was never tuned is written as it is; one line names what its readers' defaults
// refuse.
TEST(ExportStyle, NamesTheOptionsThatAnUntunedBookNeeds) {
  ExportBook book;
  book.positions.push_back(PositionAfter({}, {{"7g7f", 5, 2, true}, {"2g2f", 4, 2}}));
  for (ExportBook::Move& move : book.positions[0].moves) {
    move.value = move.answer ? -50 : -80;
    move.worth = *move.value;
    move.depth = 3;
  }
  const auto positions = PositionsOf(book, book::BookFormat::kYaneuraouDb);
  EXPECT_THAT(NotesOn(book, positions, book::BookFormat::kYaneuraouDb), IsEmpty());
  EXPECT_THAT(WarningsFor(positions, book::BookFormat::kYaneuraouDb),
              ElementsAre(HasSubstr("set in YaneuraOu: BookDepthLimit 0"),
                          HasSubstr("set in YaneuraOu V2: BookEvalBlackLimit")));
}

TEST(ExportStyle, AFileWithoutPositionsIsNamedAsOne) {
  ExportBook book;
  EXPECT_THAT(WarningsFor(PositionsOf(book, book::BookFormat::kApery), book::BookFormat::kApery),
              ElementsAre("the file has no positions: no move is played from it"));
  book.positions.push_back(PositionAfter({}, {}));  // its answers were all left out
  EXPECT_THAT(WarningsFor(PositionsOf(book, book::BookFormat::kApery), book::BookFormat::kApery),
              SizeIs(1));
}

TEST(ExportStyle, OneSideIsExported) {
  ExportBook book = Book();
  KeepSide(book, Color::kSecond);
  ASSERT_THAT(book.positions, SizeIs(1));
  EXPECT_EQ(book.positions[0].ply, 2);
}

}  // namespace
}  // namespace joseki::coordinator
