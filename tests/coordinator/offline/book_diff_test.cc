#include "coordinator/offline/book_diff.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

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
  // Both answers, though nothing else of them changed; not the move that is the same in both.
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
}

}  // namespace
}  // namespace joseki::coordinator
