#include "book/formats/partial_book.h"

#include <string>
#include <vector>

#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

shogi::Position PositionAfter(const std::vector<const char*>& moves) {
  shogi::Position position;
  for (const char* move : moves) {
    shogi::Undo undo;
    position.Do(*shogi::ParseMove(position, move), undo);
  }
  return position;
}

TEST(PartialKey, MindsThePiecesThatItIsMadeOf) {
  const shogi::Position start;
  const uint64_t key = PartialKey(start);
  // Pawns and knights that it does not mind, of either side.
  EXPECT_EQ(PartialKey(PositionAfter({"7g7f", "3c3d"})), key);
  EXPECT_EQ(PartialKey(PositionAfter({"9g9f", "8c8d"})), key);
  // The pawn before one's own rook, a silver, a king; and whose turn it is.
  EXPECT_NE(PartialKey(PositionAfter({"2g2f", "3c3d"})), key);
  EXPECT_NE(PartialKey(PositionAfter({"7i6h", "3c3d"})), key);
  EXPECT_NE(PartialKey(PositionAfter({"7g7f", "5a4b"})), key);
  EXPECT_NE(PartialKey(PositionAfter({"7g7f"})), key);
  // For White it is White's rook that counts.
  EXPECT_EQ(PartialKey(PositionAfter({"7g7f", "3c3d", "2g2f"})),
            PartialKey(PositionAfter({"2g2f"})));
  EXPECT_NE(PartialKey(PositionAfter({"7g7f", "8c8d", "9g9f"})),
            PartialKey(PositionAfter({"7g7f"})));
  // A rook whose pawn is gone sees none.
  EXPECT_NE(
      PartialKey(PositionAfter({"2g2f", "8c8d", "2f2e", "8d8e", "2e2d", "2c2d", "2h2d", "3c3d"})),
      key);
}

TEST(PartialBook, AddsUpWhatIsAlikeAndGivesWhatIsLegal) {
  PartialBook book;
  book.Add(PositionAfter({"7g7f", "3c3d"}), *shogi::MoveFromUsi("2g2f"), 5);
  book.Add(PositionAfter({"9g9f", "3c3d"}), *shogi::MoveFromUsi("2g2f"), 6);
  book.Add(PositionAfter({"7g7f", "3c3d"}), *shogi::MoveFromUsi("7f7e"), 20);
  book.Add(PositionAfter({"7g7f", "3c3d"}), *shogi::MoveFromUsi("6g6f"), 1);
  EXPECT_EQ(book.keys(), 1u);
  std::vector<std::string> found;
  for (const auto& move : book.MovesFor(PositionAfter({"1g1f", "9c9d"}))) {
    found.push_back(shogi::ToUsi(move.move) + " " + std::to_string(move.count));
  }
  EXPECT_THAT(found, ElementsAre("2g2f 11", "6g6f 1"));
  EXPECT_THAT(book.MovesFor(PositionAfter({"7i6h", "9c9d"})), IsEmpty());
}

}  // namespace
}  // namespace joseki::book
