#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "book/formats/book_file.h"
#include "book/formats/db_minimax.h"
#include "book/formats/game_form.h"
#include "book/formats/reader.h"
#include "book/formats/turned.h"
#include "book/formats/yaneuraou_db.h"
#include "engine/core/symmetries.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

std::vector<DbPosition> FromDb(const std::string& text) {
  std::vector<DbPosition> positions;
  DbSink sink;
  sink.accept = [&](DbPosition position) { positions.push_back(std::move(position)); };
  sink.reject = [](const absl::Status& problem) { ADD_FAILURE() << problem; };
  EXPECT_TRUE(ReadYaneuraouDb(text, "book", sink).ok());
  return positions;
}

// The sfen after `moves`.
std::string After(const std::string& moves) {
  shogi::Position position;
  std::istringstream words(moves);
  int ply = 1;
  for (std::string word; words >> word; ++ply) {
    shogi::Undo undo;
    position.Do(*shogi::ParseMove(position, word), undo);
  }
  return "sfen " + shogi::ToSfen(position, ply) + "\n";
}

DbPosition Start(const std::string& lines) { return FromDb(After("") + lines).at(0); }

std::vector<std::string> Verdicts(const DbPosition& position, const Probe& probe) {
  std::vector<std::string> verdicts;
  for (size_t i = 0; i < probe.choices.size(); ++i) {
    EXPECT_EQ(probe.choices[i].move, position.moves[i].move);
    verdicts.push_back(shogi::ToUsi(probe.choices[i].move) + " " +
                       std::to_string(probe.choices[i].share).substr(0, 4) + " " +
                       probe.choices[i].option);
  }
  return verdicts;
}

TEST(Turned, IsItsOwnInverse) {
  const DbPosition position = FromDb(After("7g7f 3c3d 8h2b+") + "3a2b B*4e 10 20 3\n").at(0);
  const DbPosition turned = Turned(position);
  EXPECT_EQ(SideToMove(position.packed), Color::kSecond);
  EXPECT_EQ(SideToMove(turned.packed), Color::kFirst);
  EXPECT_EQ(shogi::ToUsi(turned.moves[0].move), "7i8h");
  EXPECT_EQ(shogi::ToUsi(turned.moves[0].ponder), "B*6e");
  const auto board = shogi::Unpack(turned.packed);
  ASSERT_TRUE(board.ok());
  EXPECT_TRUE(board->IsLegal(turned.moves[0].move));
  const DbPosition again = Turned(turned);
  EXPECT_EQ(again.packed, position.packed);
  EXPECT_EQ(again.moves[0].move, position.moves[0].move);
  EXPECT_EQ(again.moves[0].ponder, position.moves[0].ponder);
}

// Black takes two moves for what White does in one, so the other side is to move afterwards.
TEST(Turned, TheRulesTurnAsBooksDo) {
  const Rules& rules = shogi::ShogiRules();
  const auto* const turn = dynamic_cast<const Symmetries*>(&rules);
  ASSERT_NE(turn, nullptr);
  EXPECT_EQ(turn->count(), 1);
  const auto after = [&](const std::vector<const char*>& moves) {
    auto state = *rules.Start("startpos", MatchRules{});
    for (const char* move : moves) EXPECT_TRUE(state->Play(*rules.MoveOf(move))) << move;
    return state;
  };
  const auto black = after({"7g7f", "3c3d", "2h6h", "8b4b"});
  const auto white = after({"7g7f", "3c3d", "2h5h", "8b4b", "5h6h"});
  EXPECT_EQ(turn->Image(1, black->packed()), white->packed());
  EXPECT_EQ(turn->Image(1, white->packed()), black->packed());
  DbPosition position;
  position.packed = black->packed();
  EXPECT_EQ(Turned(position).packed, white->packed());
  std::vector<Move> moves = black->LegalMoves();
  for (Move& move : moves) {
    EXPECT_EQ(turn->Image(1, turn->Image(1, move)), move);
    move = turn->Image(1, move);
  }
  EXPECT_THAT(moves, ::testing::UnorderedElementsAreArray(white->LegalMoves()));
}

TEST(Probe, YaneuraouSaysWhichOptionRefuses) {
  const DbPosition position = Start(
      "7g7f none 50 20 9\n2g2f none 30 20 4\n9g9f none 10 20 2\n"
      "1g1f none -5 20 1\n");
  EXPECT_THAT(Verdicts(position, ProbeYaneuraou(position, {})),
              ElementsAre("7g7f 0.50 ", "2g2f 0.50 ", "9g9f 0.00 BookEvalDiff",
                          "1g1f 0.00 BookEvalBlackLimit"));
  EXPECT_THAT(
      Verdicts(position, ProbeYaneuraou(position, {.eval_diff = 50, .by_count = true})),
      ElementsAre("7g7f 0.60 ", "2g2f 0.26 ", "9g9f 0.13 ", "1g1f 0.00 BookEvalBlackLimit"));
  // White may be some way behind.
  const DbPosition white = Turned(position);
  EXPECT_THAT(Verdicts(white, ProbeYaneuraou(white, {.eval_diff = 99})),
              ElementsAre("3c3d 0.25 ", "8c8d 0.25 ", "1c1d 0.25 ", "9c9d 0.25 "));
  const Probe shallow = ProbeYaneuraou(position, {.depth_limit = 21});
  EXPECT_EQ(shallow.option, "BookDepthLimit");
  EXPECT_EQ(shallow.choices[0].share, 0);
  DbPosition late = position;
  late.ply = 17;
  EXPECT_EQ(ProbeYaneuraou(late, {}).option, "BookMoves");
  // The most frequent move is the one that the others are compared with.
  const DbPosition odd = Start("7g7f none 90 20 1\n2g2f none 20 20 4\n");
  EXPECT_THAT(Verdicts(odd, ProbeYaneuraou(odd, {})), ElementsAre("7g7f 0.50 ", "2g2f 0.50 "));
}

// BOOK_OPTIONS V2: nothing but the best value, whatever the counts of others are.
TEST(Probe, EachReaderGoesByItsOwnDefaults) {
  const DbPosition position = Start("7g7f none 50 4 9\n2g2f none 50 20 4\n9g9f none 49 20 12\n");
  const auto verdicts = [&](Reader reader, BookFormat format) {
    return Verdicts(position, ProbeBy(reader, format, position));
  };
  EXPECT_THAT(verdicts(Reader::kYaneuraou, BookFormat::kYaneuraouDb),
              ElementsAre("7g7f 0.33 ", "2g2f 0.33 ", "9g9f 0.33 "));
  EXPECT_THAT(verdicts(Reader::kYaneuraouV2, BookFormat::kYaneuraouDb),
              ElementsAre("7g7f 0.33 ", "2g2f 0.33 ", "9g9f 0.33 "));
  // Its binary books have no counts.
  EXPECT_THAT(verdicts(Reader::kYaneuraouV2, BookFormat::kYbb),
              ElementsAre("7g7f 0.50 ", "2g2f 0.50 ", "9g9f 0.00 BookEvalBlackDiff"));
  EXPECT_EQ(ProbeBy(Reader::kYaneuraou, BookFormat::kYbb, position).option, "BookDepthLimit");
  EXPECT_EQ(ChoiceBy(Reader::kYaneuraou, BookFormat::kYbb, position).option, "");
  EXPECT_THAT(
      verdicts(Reader::kShogiHome, BookFormat::kYaneuraouDb),
      ElementsAre("7g7f 1.00 ", "2g2f 0.00 moveSelectionRule", "9g9f 0.00 moveSelectionRule"));
  EXPECT_THAT(verdicts(Reader::kDlshogi, BookFormat::kApery),
              ElementsAre("7g7f 0.00 Best_Book_Move", "2g2f 0.00 Best_Book_Move", "9g9f 1.00 "));
  EXPECT_THAT(verdicts(Reader::kApery, BookFormat::kApery),
              ElementsAre("7g7f 0.36 ", "2g2f 0.16 ", "9g9f 0.48 "));
  const DbPosition lost = Start("7g7f none -181 0 9\n2g2f none -180 0 4\n");
  EXPECT_THAT(Verdicts(lost, ProbeBy(Reader::kApery, BookFormat::kApery, lost)),
              ElementsAre("7g7f 0.00 Min_Book_Score", "2g2f 1.00 "));
}

// The verdict on a whole book agrees with the verdict on each position.
TEST(Probe, ARefusalIsAProbeThatPlaysNothing) {
  Rng rng(5);
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string lines;
    for (const char* move : {"7g7f", "2g2f", "9g9f"}) {
      absl::StrAppend(&lines, move, " none ", static_cast<int>(rng.Below(9000)) - 4500 * (i % 3),
                      " ", rng.Below(30), " ", rng.Below(3), "\n");
    }
    DbPosition position = Start(lines.c_str());
    if (i % 2 == 1) position = Turned(position);
    position.ply = 1 + static_cast<int>(rng.Below(20));
    for (const BookFormat format :
         {BookFormat::kYaneuraouDb, BookFormat::kYbb, BookFormat::kApery, BookFormat::kSbk}) {
      for (const Reader reader : ReadersOf(format)) {
        const Probe probe = ProbeBy(reader, format, position);
        const bool plays =
            std::any_of(probe.choices.begin(), probe.choices.end(),
                        [](const Probe::Choice& choice) { return choice.share > 0; });
        const auto refusal = RefusalBy(reader, format, position);
        ASSERT_EQ(refusal.has_value(), !plays) << Name(reader) << "\n" << lines;
        refused += refusal ? 1 : 0;
      }
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(Probe, OthersGoByCounts) {
  const DbPosition position = Start("7g7f none 0 0 3\n2g2f none 0 0 1\n9g9f none 0 0 0\n");
  EXPECT_THAT(Verdicts(position, ProbeApery(position, true, -180)),
              ElementsAre("7g7f 1.00 ", "2g2f 0.00 Best_Book_Move", "9g9f 0.00 Best_Book_Move"));
  EXPECT_THAT(Verdicts(position, ProbeApery(position, false, -180)),
              ElementsAre("7g7f 0.75 ", "2g2f 0.25 ", "9g9f 0.00 "));
  EXPECT_THAT(Verdicts(position, ProbeByWeights(position)),
              ElementsAre("7g7f 0.75 ", "2g2f 0.25 ", "9g9f 0.00 Weight"));
  const DbPosition none = Start("7g7f none 0 0 0\n2g2f none 0 0 0\n");
  EXPECT_THAT(Verdicts(none, ProbeApery(none, false, -180)),
              ElementsAre("7g7f 0.50 ", "2g2f 0.50 "));
  EXPECT_THAT(Verdicts(none, ProbeByWeights(none)),
              ElementsAre("7g7f 0.00 Weight", "2g2f 0.00 Weight"));
}

std::vector<std::string> Lines(const std::vector<DbPosition>& positions) {
  std::vector<std::string> lines;
  for (const DbPosition& position : positions) {
    for (const DbMove& move : position.moves) {
      lines.push_back(std::to_string(position.ply) + " " + shogi::ToUsi(move.move) + " " +
                      std::to_string(move.value) + " " + std::to_string(move.depth));
    }
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST(MinimaxBook, BringsValuesBackAndFindsTranspositions) {
  std::vector<DbPosition> book = FromDb(After("") + "7g7f none 0 0 1\n2g2f none 70 0 1\n" +  //
                                        After("7g7f") + "3c3d none 0 0 1\n" +                //
                                        After("7g7f 3c3d") + "2g2f none 40 0 1\n" +          //
                                        After("2g2f") + "8c8d none 30 0 1\n" +               //
                                        After("2g2f 3c3d") + "6i7h none 90 0 1\n");
  const DbMinimaxReport report = MinimaxBook(book, /*turned=*/false);
  // 2g2f 3c3d was not a book move, but its target is in the book. So is the move to the position
  // that 7g7f then gives, which is not in the book.
  EXPECT_EQ(report.transpositions, 1u);
  EXPECT_EQ(report.circles, 0u);
  EXPECT_THAT(Lines(book),
              ElementsAre("1 2g2f -30 2", "1 7g7f 40 3", "2 3c3d -40 2", "2 3c3d -90 2",
                          "2 8c8d 30 1", "3 2g2f 40 1", "3 6i7h 90 1"));
}

TEST(MinimaxBook, OfATurnedBookFindsTheOtherSidesPositions) {
  std::vector<DbPosition> book =
      FromDb(After("") + "7g7f none 5 0 1\n" + After("7g7f") + "3c3d none -25 0 1\n");
  TurnToBlack(book);
  for (const DbPosition& position : book) EXPECT_EQ(SideToMove(position.packed), Color::kFirst);
  MinimaxBook(book, /*turned=*/true);
  EXPECT_THAT(Lines(book), ElementsAre("1 7g7f 25 2", "2 7g7f -25 1"));
}

// Either side may move a rook back and forth for ever; leaving the cycle costs something.
TEST(MinimaxBook, ACircleIsARepetition) {
  std::vector<DbPosition> book =
      FromDb(After("") + "2h1h none 0 0 1\n7g7f none -10 0 1\n" +  //
             After("2h1h") + "8b9b none 0 0 1\n" +                 //
             After("2h1h 8b9b") + "1h2h none 0 0 1\n" +            //
             After("2h1h 8b9b 1h2h") + "9b8b none 0 0 1\n3c3d none -20 0 1\n");
  const DbMinimaxReport report = MinimaxBook(book, /*turned=*/false);
  EXPECT_EQ(report.circles, 1u);
  EXPECT_EQ(report.largest, 4u);
  EXPECT_THAT(Lines(book), ElementsAre("1 2h1h 0 9999", "1 7g7f -10 1", "2 8b9b 0 9999",
                                       "3 1h2h 0 9999", "4 3c3d -20 1", "4 9b8b 0 9999"));
}

// A book of xiangqi: values come back along moves, transpositions are found, rooks that go back and
// forth repeat.
TEST(MinimaxBook, OfXiangqi) {
  std::vector<DbPosition> book;
  const auto add = [&](const char* line, const char* text, int value) {
    XiangqiForm::Position position;
    DbPosition& entry = book.emplace_back();
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      XiangqiForm::Undo undo;
      position.Do(*XiangqiForm::ParseMove(position, word), undo);
      ++entry.ply;
    }
    entry.packed = XiangqiForm::Pack(position);
    DbMove move;
    move.move = *XiangqiForm::ParseMove(position, std::string(text));
    move.value = value;
    AddMove(entry.moves, move);
  };
  add("", "h2e2", 0);
  add("", "i0i1", 0);
  add("h2e2", "h9g7", 0);
  add("h2e2 h9g7", "b0c2", 0);
  add("h2e2 h9g7 b0c2", "b9c7", 25);
  add("b0c2 h9g7", "c3c4", -60);
  add("i0i1", "i9i8", 0);
  add("i0i1 i9i8", "i1i0", 0);
  add("i0i1 i9i8 i1i0", "i8i9", 0);
  const DbMinimaxReport report = MinimaxBook(book, /*turned=*/false);
  EXPECT_EQ(report.transpositions, 1u);
  EXPECT_EQ(report.circles, 1u);
  EXPECT_EQ(report.largest, 4u);
  std::vector<std::string> lines;
  for (const DbPosition& position : book) {
    for (const DbMove& move : position.moves) {
      lines.push_back(absl::StrCat(position.ply, " ", XiangqiForm::Text(move.move), " ", move.value,
                                   " ", move.depth));
    }
  }
  EXPECT_THAT(lines,
              UnorderedElementsAre("1 h2e2 -25 4", "1 i0i1 0 9999", "2 h9g7 25 3", "2 i9i8 0 9999",
                                   "3 b0c2 -25 2", "3 h2e2 -25 2", "3 c3c4 -60 1", "3 i1i0 0 9999",
                                   "4 b9c7 25 1", "4 i8i9 0 9999"));
}

}  // namespace
}  // namespace joseki::book
