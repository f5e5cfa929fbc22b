#include "coordinator/offline/export_profile.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "book/formats/turned.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Rules& Shogi() { return shogi::ShogiRules(); }

struct Row {
  const char* move;
  int64_t games;
  uint32_t wins;
  bool answer = false;
  const char* mark = "";
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
    move.mark = row.mark;
  }
  return position;
}

// A tuned answer that is neither the most played move nor the one with the best score; a marked
// move.
ExportBook Book() {
  ExportBook book;
  book.positions.push_back(PositionAfter(
      {},
      {{"7g7f", 30, 16, true}, {"2g2f", 60, 33}, {"9g9f", 8, 7}, {"1g1f", 2, 2, false, "bad"}}));
  book.positions.push_back(PositionAfter({"7g7f"}, {{"3c3d", 10, 3, true}, {"8c8d", 9, 4}}));
  std::sort(book.positions.begin(), book.positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  return book;
}

// "move share" of what is played at the start position.
std::vector<std::string> Played(ExportProfile profile) {
  std::vector<std::string> played;
  for (const book::DbPosition& position : PositionsFor(Book(), profile)) {
    if (position.ply != 1) continue;
    const book::Probe probe = ProbeFor(position, profile);
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

TEST(ExportProfile, NamesAreRead) {
  EXPECT_THAT(ExportProfileNames(), SizeIs(6));
  for (const std::string& name : ExportProfileNames()) {
    ASSERT_TRUE(ExportProfileOf(name).has_value()) << name;
    EXPECT_TRUE(MayBeWrittenAs(*ExportProfileOf(name), DefaultFormat(*ExportProfileOf(name))));
  }
  EXPECT_FALSE(ExportProfileOf("yo").has_value());
  EXPECT_FALSE(MayBeWrittenAs(ExportProfile::kYoCount, ExportFormat::kYbb));
  EXPECT_TRUE(MayBeWrittenAs(ExportProfile::kPeta, ExportFormat::kYbb));
}

TEST(ExportProfile, SharesPutTheAnswerFirst) {
  const ExportBook book = Book();
  const ExportBook::Position& start =
      book.positions[0].ply == 1 ? book.positions[0] : book.positions[1];
  const std::vector<double> shares = SharesOf(start);
  EXPECT_NEAR(shares[0], 60.0 / 128, 1e-9);
  EXPECT_NEAR(shares[1], 60.0 / 128, 1e-9);
  EXPECT_NEAR(shares[2], 8.0 / 128, 1e-9);
  EXPECT_EQ(shares[3], 0);
}

// Under each profile the engine plays what was tuned: the answer, alone or most often.
TEST(ExportProfile, TheEnginePlaysTheTunedMove) {
  EXPECT_THAT(Played(ExportProfile::kYoSingle), ElementsAre("7g7f 100"));
  EXPECT_THAT(Played(ExportProfile::kYoCount), ElementsAre("2g2f 47", "7g7f 47", "9g9f 6"));
  EXPECT_THAT(Played(ExportProfile::kYoMix), ElementsAre("2g2f 50", "7g7f 50"));
  EXPECT_THAT(Played(ExportProfile::kDlshogi), ElementsAre("2g2f 47", "7g7f 47", "9g9f 6"));
  EXPECT_THAT(Played(ExportProfile::kSbk), ElementsAre("2g2f 47", "7g7f 47", "9g9f 6"));
  for (const ExportProfile profile :
       {ExportProfile::kYoCount, ExportProfile::kDlshogi, ExportProfile::kSbk}) {
    for (const book::DbPosition& position : PositionsFor(Book(), profile)) {
      if (position.ply != 1) continue;
      for (size_t i = 1; i < position.moves.size(); ++i) {
        EXPECT_GT(position.moves[0].count, position.moves[i].count);
      }
    }
  }
}

TEST(ExportProfile, PetaTurnsAndBringsValuesBack) {
  const std::vector<book::DbPosition> positions = PositionsFor(Book(), ExportProfile::kPeta);
  ASSERT_THAT(positions, SizeIs(2));
  for (const book::DbPosition& position : positions) {
    EXPECT_EQ(book::SideToMove(position.packed), Color::kFirst);
    for (const book::DbMove& move : position.moves) {
      if (position.ply == 1 && move.move == *Shogi().MoveOf("7g7f")) {
        // White's best answer is 8c8d: 5 of 11 with one win and one loss imagined.
        EXPECT_EQ(move.value, 109);
        EXPECT_EQ(move.depth, 2);
      }
    }
  }
}

TEST(ExportProfile, WarnsOfWhatTheEngineRefuses) {
  ExportBook book = Book();
  const auto warnings = [&](ExportProfile profile) {
    return WarningsFor(PositionsFor(book, profile), profile);
  };
  // White's answer has 3 wins of 10.
  EXPECT_THAT(warnings(ExportProfile::kYoSingle),
              ElementsAre(::testing::AllOf(HasSubstr("at 1 positions"),
                                           HasSubstr("BookEvalWhiteLimit"), HasSubstr("-416"))));
  EXPECT_THAT(warnings(ExportProfile::kSbk), IsEmpty());
  EXPECT_THAT(warnings(ExportProfile::kDlshogi), IsEmpty());
  for (ExportBook::Position& position : book.positions) position.ply = 40;
  EXPECT_THAT(warnings(ExportProfile::kYoSingle),
              ElementsAre(::testing::AllOf(HasSubstr("at 2 positions"), HasSubstr("BookMoves"),
                                           HasSubstr("to 40"))));
}

TEST(ExportProfile, OneSideIsExported) {
  ExportBook book = Book();
  KeepSide(book, Color::kSecond);
  ASSERT_THAT(book.positions, SizeIs(1));
  EXPECT_EQ(book.positions[0].ply, 2);
}

}  // namespace
}  // namespace joseki::coordinator
