#include "book/database/pruner.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "book/database/book_import.h"
#include "book/database/book_store.h"
#include "book/database/importer.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Shogi;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

class PrunerTest : public ::testing::Test {
 protected:
  PrunerTest() {
    Importer importer(Shogi(), {});
    importer.AddBytes("g.usi",
                      "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d\n"
                      "startpos moves 7g7f 8c8d\nstartpos moves 2g2f 8c8d\n");
    EXPECT_TRUE(importer.Commit(*store_, "games").ok());
  }
  PruneReport Run(const PruneRules& rules, bool try_only = false) {
    const auto report = Prune(*store_, Shogi(), rules, try_only);
    EXPECT_TRUE(report.ok()) << report.status();
    return *report;
  }
  // "ply move", of the whole book.
  std::multiset<std::string> Moves() {
    std::multiset<std::string> moves;
    EXPECT_TRUE(BookStore(*store_)
                    .ForEach([&](const BookPosition& position) {
                      for (const BookMove& move : position.moves) {
                        moves.insert(std::to_string(position.ply) + " " + Shogi().Text(move.move));
                      }
                      return absl::OkStatus();
                    })
                    .ok());
    return moves;
  }
  PackedPosition After(const char* move) {
    const auto state = *Shogi().Start("startpos", MatchRules{});
    EXPECT_TRUE(state->Play(*Shogi().MoveOf(move)));
    return state->packed();
  }

  testing::TempFolder folder_;
  std::unique_ptr<Store> store_ = Store::Open(folder_ / "book", OpenMode::kCreate).value();
};

TEST_F(PrunerTest, TakesRareMovesAndWhatOnlyTheyLedTo) {
  const PruneRules rules{.min_games = 2, .reachable = true};
  const PruneReport would = Run(rules, /*try_only=*/true);
  EXPECT_EQ(Moves().size(), 6u);
  const PruneReport done = Run(rules);
  EXPECT_EQ(would.moves, done.moves);
  EXPECT_EQ(would.left, done.left);
  std::vector<std::string> gone;
  for (const PrunedMove& move : would.gone) {
    gone.push_back(Shogi().Text(move.packed, move.ply) + " " + Shogi().Text(move.move));
  }
  EXPECT_THAT(gone, ElementsAre(EndsWith(" b - 1 2g2f"), EndsWith(" w - 2 8c8d"),
                                EndsWith(" w - 2 8c8d"), EndsWith(" b - 3 2g2f")));
  EXPECT_THAT(Moves(), ElementsAre("1 7g7f", "2 3c3d"));
  EXPECT_EQ(done.moves, 4);
  EXPECT_EQ(done.positions, 2);
  EXPECT_EQ(done.left, 2);
  EXPECT_EQ(BookStore(*store_).Totals()->positions, 2);
  EXPECT_THAT(*BookStore(*store_).Check(), IsEmpty());
  EXPECT_EQ(Run(rules).moves, 0);
}

TEST_F(PrunerTest, GoesByShareAndByPly) {
  EXPECT_EQ(Run({.min_share = 0.3}).moves, 1);  // 2g2f, a quarter of the start's; 8c8d a third
  EXPECT_EQ(Run({.plies = 3}).moves, 1);
  EXPECT_THAT(Moves(), ElementsAre("1 7g7f", "2 3c3d", "2 8c8d", "2 8c8d"));
  const PruneReport rest = Run({.reachable = true});
  EXPECT_EQ(rest.moves, 1);
  EXPECT_EQ(rest.positions, 1);
}

TEST_F(PrunerTest, GoesByValue) {
  BookImport import(*store_, "book", "values", "{}");
  book::DbPosition position;
  position.packed = After("7g7f");
  position.ply = 2;
  position.moves = {{.move = *Shogi().MoveOf("3c3d"), .value = -80, .has_value = true},
                    {.move = *Shogi().MoveOf("4a3b"), .value = -20, .has_value = true}};
  ASSERT_TRUE(import.AddBook(position).ok());
  ASSERT_TRUE(import.Commit(0, 0).ok());
  EXPECT_EQ(Run({.max_loss = 60}).moves, 0);
  EXPECT_EQ(Run({.max_loss = 59}).moves, 1);  // 8c8d has no value
  EXPECT_EQ(Moves().count("2 3c3d"), 0u);
}

TEST_F(PrunerTest, LeavesWhatTheUserTouched) {
  BookStore book(*store_);
  const PackedPosition start = (*Shogi().Start("startpos", MatchRules{}))->packed();
  ASSERT_TRUE(book.Mark(start, *Shogi().MoveOf("2g2f"), 1, "").ok());
  ASSERT_TRUE(book.Mark(After("7g7f"), *Shogi().MoveOf("8c8d"), 0, "keep").ok());
  BookImport import(*store_, "edit", "by hand", "{}");
  book::DbPosition added;
  added.packed = After("2g2f");
  added.ply = 2;
  added.moves = {{.move = *Shogi().MoveOf("3c3d"), .count = 0}};
  ASSERT_TRUE(import.AddBook(added).ok());
  ASSERT_TRUE(import.Commit(0, 0).ok());
  const PruneReport report = Run({.min_games = 1000});
  EXPECT_EQ(report.kept, 3);
  EXPECT_THAT(Moves(), ElementsAre("1 2g2f", "2 3c3d", "2 8c8d"));
}

}  // namespace
}  // namespace joseki::book
