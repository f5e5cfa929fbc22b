#include "coordinator/offline/book_diff.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "coordinator/offline/book_reach.h"
#include "coordinator/offline/export_lines.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ExportBook::Position Position(uint8_t name, std::vector<ExportBook::Move> moves) {
  ExportBook::Position position;
  position.packed.bytes[0] = name;
  position.moves = std::move(moves);
  return position;
}

ExportBook::Move MoveWith(uint16_t raw, int64_t games, bool answer = false, double weight = 0) {
  ExportBook::Move move;
  move.move = Move(raw);
  move.games = games;
  move.answer = answer;
  move.weight = weight;
  return move;
}

ExportBook BookOf(std::vector<ExportBook::Position> positions) {
  ExportBook book;
  book.positions = std::move(positions);
  return book;
}

TEST(BookDiff, OfABookAndItselfIsEmpty) {
  const ExportBook book = BookOf({Position(1, {MoveWith(1, 5, true)}), Position(2, {})});
  const BookDiff diff = Diff(book, book, true);
  EXPECT_EQ(diff.same_positions, 2);
  EXPECT_THAT(diff.positions, IsEmpty());
}

TEST(BookDiff, NamesWhatChangedAndTheMostTellingFirst) {
  const ExportBook before = BookOf({
      Position(1, {MoveWith(1, 100, true), MoveWith(2, 1)}),
      Position(2, {MoveWith(1, 900, true)}),
      Position(3, {MoveWith(1, 2, true), MoveWith(2, 1), MoveWith(3, 7)}),
      Position(5, {MoveWith(1, 1, true)}),
  });
  const ExportBook after = BookOf({
      Position(1, {MoveWith(1, 101, true), MoveWith(2, 1)}),
      Position(3, {MoveWith(1, 2), MoveWith(2, 1, true), MoveWith(3, 7)}),
      Position(4, {MoveWith(9, 3, true)}),
      Position(5, {MoveWith(1, 1, true)}),
  });
  const BookDiff diff = Diff(before, after, true);
  EXPECT_EQ(diff.same_positions, 1);
  EXPECT_EQ(diff.only_before, 1);
  EXPECT_EQ(diff.only_after, 1);
  EXPECT_EQ(diff.changed_answers, 1);
  EXPECT_EQ(diff.changed_moves, 3);
  ASSERT_THAT(diff.positions, SizeIs(4));
  EXPECT_EQ(diff.positions[0].packed.bytes[0], 3);
  EXPECT_TRUE(diff.positions[0].answer_changed);
  // The two answers are listed although nothing else of them changed; the move equal in both books
  // is not.
  ASSERT_THAT(diff.positions[0].moves, SizeIs(2));
  EXPECT_TRUE(diff.positions[0].moves[0].before->answer);
  EXPECT_TRUE(diff.positions[0].moves[1].after->answer);
  EXPECT_EQ(diff.positions[1].packed.bytes[0], 2);
  EXPECT_FALSE(diff.positions[1].in_after);
  EXPECT_FALSE(diff.positions[1].moves[0].after.has_value());
  EXPECT_EQ(diff.positions[2].moves[0].before->games, 100);
  EXPECT_EQ(diff.positions[2].moves[0].after->games, 101);
  EXPECT_EQ(diff.positions[3].packed.bytes[0], 4);
  EXPECT_FALSE(diff.positions[3].in_before);
}

TEST(BookDiff, OrdersChangedAnswersByHowOftenLinesComeThereTimesWhatChanged) {
  const auto position = [](uint8_t name, bool first_answers) {
    ExportBook::Move good = MoveWith(1, 10, first_answers);
    good.worth = 60;
    ExportBook::Move bad = MoveWith(2, 10, !first_answers);
    bad.worth = name == 4 ? 50 : -600;
    return Position(name, {good, bad});
  };
  const ExportBook before = BookOf({position(1, true), position(2, true), position(3, true),
                                    position(4, true), Position(5, {MoveWith(1, 9999, true)})});
  const ExportBook after = BookOf({position(1, false), position(2, false), position(3, false),
                                   position(4, false), Position(5, {MoveWith(1, 9, true)})});
  Reaches reaches;
  reaches.before = {0.001, 0.02, 0.0, 0.6, 1.0};
  reaches.after = {0.002, 0.5, 0.001, 0.1, 1.0};
  const auto order = [&](DiffOrder by = DiffOrder::kBoth) {
    std::vector<int> names;
    for (const PositionDiff& diff : Diff(before, after, true, reaches, by).positions) {
      names.push_back(diff.packed.bytes[0]);
    }
    return names;
  };
  reaches.start.bytes[0] = 9;
  // First half of the lines with a blunder, then more lines with a trifle, then few lines. Mere
  // increases of games follow after all changed answers.
  EXPECT_THAT(order(), ElementsAre(2, 4, 1, 3, 5));
  EXPECT_THAT(order(DiffOrder::kReach), ElementsAre(4, 2, 1, 3, 5));
  EXPECT_THAT(order(DiffOrder::kDifference), ElementsAre(2, 1, 3, 4, 5)) << "of equals by reach";
  reaches.start.bytes[0] = 3;
  EXPECT_THAT(order(), ElementsAre(3, 2, 4, 1, 5)) << "the start position is before all";
  const BookDiff diff = Diff(before, after, true, reaches);
  EXPECT_EQ(diff.positions[1].reach, 0.5);
  EXPECT_NEAR(diff.positions[1].change, 0.525 - 0.269, 0.001);
}

// The position after these moves of shogi.
PackedPosition After(const std::vector<std::string>& moves) {
  auto state = *shogi::ShogiRules().Start("startpos", {});
  for (const std::string& move : moves) {
    EXPECT_TRUE(state->Play(*shogi::ShogiRules().MoveOf(move))) << move;
  }
  return state->packed();
}

// A position with its moves and how often each was played.
ExportBook::Position ShogiPosition(const std::vector<std::string>& line,
                                   const std::vector<std::pair<std::string, int64_t>>& counts) {
  ExportBook::Position position;
  position.packed = After(line);
  for (const auto& [text, count] : counts) {
    position.moves.push_back(MoveWith(shogi::ShogiRules().MoveOf(text)->raw(), count));
  }
  return position;
}

// The positions in the order of an export.
ExportBook InOrder(std::vector<ExportBook::Position> positions) {
  std::sort(positions.begin(), positions.end(),
            [](const auto& a, const auto& b) { return a.packed < b.packed; });
  return BookOf(std::move(positions));
}

TEST(BookReach, IsTheProductOfSharesAlongAllLines) {
  // By base weights, where there are any.
  ExportBook::Position weighed = ShogiPosition({"7g7f", "3c3d"}, {{"2g2f", 9}, {"6g6f", 9}});
  weighed.moves[0].prior = 1;
  const ExportBook book = InOrder({
      ShogiPosition({}, {{"7g7f", 3}, {"2g2f", 1}}), ShogiPosition({"7g7f"}, {{"3c3d", 1}}),
      ShogiPosition({"2g2f"}, {{"3c3d", 1}, {"8c8d", 1}}), std::move(weighed),
      ShogiPosition({"2g2f", "3c3d"}, {{"7g7f", 0}}),
      ShogiPosition({"7g7f", "3c3d", "2g2f"}, {{"8c8d", 1}}),  // two lines lead here
      ShogiPosition({"9g9f"}, {{"3c3d", 1}}),                  // and none here
  });
  const std::vector<double> reach = ReachOf(shogi::ShogiRules(), book);
  const auto of = [&](const std::vector<std::string>& line) {
    for (size_t i = 0; i < book.positions.size(); ++i) {
      if (book.positions[i].packed == After(line)) return reach[i];
    }
    return -1.0;
  };
  EXPECT_DOUBLE_EQ(of({}), 1);
  EXPECT_DOUBLE_EQ(of({"7g7f"}), 0.75);
  EXPECT_DOUBLE_EQ(of({"2g2f"}), 0.25);
  EXPECT_DOUBLE_EQ(of({"2g2f", "3c3d"}), 0.125);
  EXPECT_DOUBLE_EQ(of({"7g7f", "3c3d", "2g2f"}), 0.75 + 0.125);
  EXPECT_DOUBLE_EQ(of({"9g9f"}), 0);
}

TEST(ExportLines, OfTheShortestTheLikeliestLeads) {
  const auto line_with = [](int64_t first, int64_t second) {
    const ExportBook book = InOrder({
        ShogiPosition({}, {{"7g7f", first}, {"2g2f", second}}),
        ShogiPosition({"7g7f"}, {{"3c3d", 1}}),
        ShogiPosition({"2g2f"}, {{"3c3d", 1}}),
        ShogiPosition({"7g7f", "3c3d"}, {{"2g2f", 1}}),
        ShogiPosition({"2g2f", "3c3d"}, {{"7g7f", 1}, {"9g9f", 2}}),
        ShogiPosition({"7g7f", "3c3d", "2g2f"}, {{"8c8d", 1}}),
    });
    const ExportLines lines(shogi::ShogiRules(), book);
    const std::vector<Move> line = lines.To(After({"7g7f", "3c3d", "2g2f"})).value();
    std::vector<std::string> texts;
    for (const Move move : line) {
      texts.push_back(shogi::ShogiRules().Text(move));
    }
    return texts;
  };
  // A third of the lines by 2g2f go on to it.
  EXPECT_THAT(line_with(2, 5), ElementsAre("7g7f", "3c3d", "2g2f"));
  EXPECT_THAT(line_with(2, 7), ElementsAre("2g2f", "3c3d", "7g7f"));
}

TEST(BookDiff, ComparesWeightsOfOneScaleOnly) {
  const ExportBook before = BookOf({Position(1, {MoveWith(1, 5, true, 0.5)})});
  const ExportBook after = BookOf({Position(1, {MoveWith(1, 5, true, 70)})});
  EXPECT_EQ(Diff(before, after, true).changed_moves, 1);
  EXPECT_EQ(Diff(before, after, false).changed_moves, 0);
}

TEST(BookDiff, TakesBooksOfOtherPrograms) {
  book::DbPosition position;
  position.moves = {{.move = Move(3), .value = 10, .count = 1, .has_value = true},
                    {.move = Move(2), .value = 30, .count = 2, .has_value = true},
                    {.move = Move(1), .value = 20, .count = 9, .has_value = true}};
  // By the rule of who reads the format: of a .ybb the best value, of a .bin the largest count.
  const ExportBook by_value = ExportOfPositions({position}, book::BookFormat::kYbb);
  ASSERT_THAT(by_value.positions, SizeIs(1));
  EXPECT_EQ(by_value.positions[0].moves[0].move, Move(1));
  EXPECT_TRUE(by_value.positions[0].moves[1].answer);
  const ExportBook by_count = ExportOfPositions({position}, book::BookFormat::kApery);
  EXPECT_TRUE(by_count.positions[0].moves[0].answer);
  EXPECT_EQ(Diff(by_value, by_count, true).changed_answers, 1);
  // Of equal values the larger count, whatever the depths.
  for (book::DbMove& move : position.moves) move.value = 0;
  position.moves[0].depth = 48;
  const ExportBook equal = ExportOfPositions({position}, book::BookFormat::kYaneuraouDb);
  EXPECT_TRUE(equal.positions[0].moves[0].answer);
}

}  // namespace
}  // namespace joseki::coordinator
