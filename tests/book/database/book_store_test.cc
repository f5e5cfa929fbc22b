#include "book/database/book_store.h"

#include <SQLiteCpp/Database.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "book/database/book_import.h"
#include "book/database/store.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_rules.h"
#include "tests/support/temp_folder.h"

namespace joseki::book {
namespace {

using ::joseki::testing::Shogi;
using ::joseki::testing::UsiMove;
using ::testing::IsEmpty;
using ::testing::SizeIs;

PackedPosition After(const std::string& moves) {
  auto state = *Shogi().Start("startpos", MatchRules{});
  for (const auto move : absl::StrSplit(moves, ' ', absl::SkipEmpty())) {
    EXPECT_TRUE(state->Play(UsiMove(std::string(move).c_str()))) << move;
  }
  return state->packed();
}

class BookStoreTest : public ::testing::Test {
 protected:
  BookStoreTest() : store_(*Store::Open(folder_ / "book.sqlite", OpenMode::kCreate)) {}

  BookStore book() { return BookStore(*store_); }

  // Four games with 7g7f, one of a professional, two with 2g2f, and 3c3d once in reply to 7g7f.
  void ImportSample() {
    BookImport import(*store_, "games", "sample", "{}");
    ASSERT_TRUE(import.AddPlayed(After(""), 1, UsiMove("7g7f"), false, {3, 1, 1, 1}).ok());
    ASSERT_TRUE(import.AddPlayed(After(""), 1, UsiMove("7g7f"), true, {1, 1, 0, 0}).ok());
    ASSERT_TRUE(import.AddPlayed(After(""), 1, UsiMove("2g2f"), false, {2, 0, 0, 1}).ok());
    ASSERT_TRUE(import.AddPlayed(After("7g7f"), 2, UsiMove("3c3d"), false, {1, 0, 0, 1}).ok());
    const auto totals = import.Commit(6, 2);
    ASSERT_TRUE(totals.ok()) << totals.status();
    EXPECT_EQ(totals->new_positions, 2);
    EXPECT_EQ(totals->new_moves, 3);
  }

  const BookMove* FindMove(const std::optional<BookPosition>& position, const char* text) {
    for (const BookMove& move : position->moves) {
      if (move.move == UsiMove(text)) return &move;
    }
    return nullptr;
  }

  joseki::testing::TempFolder folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(BookStoreTest, APositionThatIsNoneIsToldWithItsFile) {
  ImportSample();
  store_->db().exec(
      "UPDATE positions SET packed = zeroblob(32) WHERE rowid IN"
      " (SELECT rowid FROM positions LIMIT 1)");
  const Problem problem = ProblemOf(book().LoadGraph(Shogi()).status());
  EXPECT_EQ(problem.code, "bad_packed_position");
  EXPECT_EQ(problem.file, store_->path());
}

TEST_F(BookStoreTest, IsEmptyAtFirst) {
  const auto totals = book().Totals();
  ASSERT_TRUE(totals.ok());
  EXPECT_EQ(totals->positions + totals->moves + totals->games + totals->sources, 0);
  EXPECT_FALSE(book().Find(After(""))->has_value());
  EXPECT_EQ(book().LoadGraph(Shogi())->node_count(), 0u);
}

TEST_F(BookStoreTest, KeepsWhatWasImported) {
  ImportSample();
  const auto totals = book().Totals();
  EXPECT_EQ(totals->positions, 2);
  EXPECT_EQ(totals->moves, 3);
  EXPECT_EQ(totals->games, 6);
  EXPECT_EQ(totals->sources, 1);
  const auto start = *book().Find(After(""));
  ASSERT_TRUE(start.has_value());
  ASSERT_THAT(start->moves, SizeIs(2));
  EXPECT_LT(start->moves[0].move, start->moves[1].move);
  const BookMove* move = FindMove(start, "7g7f");
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->counts[0].games, 3);
  EXPECT_EQ(move->counts[0].wins, 1);
  EXPECT_EQ(move->counts[0].draws, 1);
  EXPECT_EQ(move->counts[0].losses, 1);
  EXPECT_EQ(move->counts[1].games, 1);
  EXPECT_EQ(move->counts[1].wins, 1);
  EXPECT_FALSE(move->value.has_value());
  EXPECT_THAT(*book().Check(), IsEmpty());
}

TEST_F(BookStoreTest, AddsUpSourcesAndKeepsTheSmallestPly) {
  ImportSample();
  BookImport import(*store_, "games", "more", "{}");
  ASSERT_TRUE(import.AddPlayed(After("7g7f"), 4, UsiMove("3c3d"), false, {10, 5, 0, 5}).ok());
  ASSERT_TRUE(import.AddPlayed(After("7g7f"), 4, UsiMove("8c8d"), false, {1, 1, 0, 0}).ok());
  const auto totals = import.Commit(11, 0);
  EXPECT_EQ(totals->new_positions, 0);
  EXPECT_EQ(totals->new_moves, 1);
  const auto position = *book().Find(After("7g7f"));
  EXPECT_EQ(position->ply, 2);
  EXPECT_EQ(FindMove(position, "3c3d")->counts[0].games, 11);
  EXPECT_EQ(FindMove(position, "3c3d")->counts[0].losses, 6);
}

TEST_F(BookStoreTest, LeavesNothingOfAnImportThatWasNotCommitted) {
  {
    BookImport import(*store_, "games", "broken off", "{}");
    ASSERT_TRUE(import.AddPlayed(After(""), 1, UsiMove("7g7f"), false, {1, 1, 0, 0}).ok());
  }
  EXPECT_EQ(book().Totals()->positions, 0);
  EXPECT_EQ(book().Totals()->sources, 0);
  ImportSample();  // and the next one is not in its way
}

book::DbPosition DbStart(std::vector<book::DbMove> moves) {
  book::DbPosition position;
  position.packed = After("");
  position.moves = std::move(moves);
  return position;
}

book::DbMove DbEntry(const char* move, std::optional<int> value, std::optional<int> depth) {
  book::DbMove entry;
  entry.move = UsiMove(move);
  entry.ponder = UsiMove("3c3d");
  entry.has_value = value.has_value();
  entry.value = value.value_or(0);
  entry.has_depth = depth.has_value();
  entry.depth = depth.value_or(0);
  entry.count = 5;
  return entry;
}

TEST_F(BookStoreTest, TakesTheNewestValueAndWithinASourceTheDeepest) {
  for (const int value : {10, 20}) {
    BookImport import(*store_, "book", "b", "{}");
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", value, 8)})).ok());
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", value + 1, 12)})).ok());
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", value + 2, 9)})).ok());
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", value + 3, 12)})).ok());
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", std::nullopt, std::nullopt)})).ok());
    ASSERT_TRUE(import.Commit(0, 0).ok());
  }
  {
    BookImport import(*store_, "book", "without values", "{}");
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", std::nullopt, std::nullopt)})).ok());
    ASSERT_TRUE(import.Commit(0, 0).ok());
  }
  const auto start = *book().Find(After(""));
  const BookMove* move = FindMove(start, "7g7f");
  EXPECT_EQ(move->value, 23) << "of equal depths the newest";
  EXPECT_EQ(move->depth, 12);
  EXPECT_EQ(move->book_count, 55) << "counts add up";
  EXPECT_EQ(move->ponder, UsiMove("3c3d"));
}

// Minimax and its like replace what they were made of, however deep that was; a later book replaces
// them.
TEST_F(BookStoreTest, ValuesMadeOfTheBookStandOverEarlierOnes) {
  const auto add = [&](const char* kind, int value, std::optional<int> depth) {
    BookImport import(*store_, kind, "b", "{}");
    ASSERT_TRUE(import.AddBook(DbStart({DbEntry("7g7f", value, depth)})).ok());
    ASSERT_TRUE(import.Commit(0, 0).ok());
  };
  const auto value = [&] { return *FindMove(*book().Find(After("")), "7g7f")->value; };
  add("book", 10, 32);
  add("expand", 20, 9);
  EXPECT_EQ(value(), 20);
  add("learn", 30, std::nullopt);
  EXPECT_EQ(value(), 30);
  add("expand", 40, 1);
  EXPECT_EQ(value(), 40);
  add("book", 50, 1);
  EXPECT_EQ(value(), 50);
}

TEST_F(BookStoreTest, VisitsEveryPositionInOrder) {
  ImportSample();
  std::vector<PackedPosition> seen;
  ASSERT_TRUE(book()
                  .ForEach([&](const BookPosition& position) {
                    seen.push_back(position.packed);
                    return absl::OkStatus();
                  })
                  .ok());
  ASSERT_THAT(seen, SizeIs(2));
  EXPECT_LT(seen[0], seen[1]);
  int visits = 0;
  EXPECT_EQ(book()
                .ForEach([&](const BookPosition&) {
                  ++visits;
                  return absl::AbortedError("enough");
                })
                .code(),
            absl::StatusCode::kAborted);
  EXPECT_EQ(visits, 1);
}

TEST_F(BookStoreTest, BuildsTheGraphWithWeightsAndWithoutForbiddenMoves) {
  ImportSample();
  ASSERT_TRUE(book()
                  .Weigh([](const BookMove& move) -> std::optional<int64_t> {
                    return move.counts[0].games + 100 * move.counts[1].games;
                  })
                  .ok());
  auto graph = book().LoadGraph(Shogi());
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(graph->node_count(), 2u);
  EXPECT_EQ(graph->edge_count(), 3u);
  const auto start = *Shogi().Start("startpos", MatchRules{});
  const book::NodeId node = graph->Find(start->key());
  ASSERT_NE(node, book::kNoNode);
  const book::EdgeId edge = graph->FindMove(node, UsiMove("7g7f"));
  ASSERT_NE(edge, book::kNoEdge);
  EXPECT_EQ(graph->edge(edge).base_weight, 103);
  EXPECT_NE(graph->edge(edge).to, book::kNoNode);

  ASSERT_TRUE(book().Mark(After(""), UsiMove("2g2f"), 2, "").ok());
  ASSERT_TRUE(book().Mark(After("7g7f"), UsiMove("3c3d"), 2, "").ok());
  graph = book().LoadGraph(Shogi());
  EXPECT_EQ(graph->node_count(), 1u);  // the other one has no move left
  EXPECT_EQ(graph->edge_count(), 1u);
}

TEST_F(BookStoreTest, TakesHowOftenMovesWerePlayedWhereNoneWasWeighed) {
  ImportSample();
  const auto weight_of = [&](const char* text) {
    const auto graph = book().LoadGraph(Shogi());
    const auto start = *Shogi().Start("startpos", MatchRules{});
    const book::EdgeId edge = graph->FindMove(graph->Find(start->key()), UsiMove(text));
    return edge == book::kNoEdge ? -1 : graph->edge(edge).base_weight;
  };
  EXPECT_EQ(weight_of("7g7f"), 4);
  EXPECT_EQ(weight_of("2g2f"), 2);
  ASSERT_TRUE(book().Mark(After(""), UsiMove("7g7f"), 2, "").ok());
  EXPECT_EQ(weight_of("7g7f"), -1);
  EXPECT_EQ(weight_of("2g2f"), 2) << "each move has its own number";

  // One weight that was set, and zero means zero.
  ASSERT_TRUE(book()
                  .Weigh([](const BookMove& move) -> std::optional<int64_t> {
                    return move.move == UsiMove("3c3d") ? 1 : 0;
                  })
                  .ok());
  EXPECT_EQ(weight_of("2g2f"), 0);
}

TEST_F(BookStoreTest, WeighingLeavesOutAndTakesInAgainButKeepsTheUsersMarks) {
  ImportSample();
  ASSERT_TRUE(book().Mark(After(""), UsiMove("7g7f"), 1, "dubious").ok());
  const auto only_professional = [](const BookMove& move) {
    return move.counts[1].games > 0 ? std::optional<int64_t>(5) : std::nullopt;
  };
  ASSERT_TRUE(book().Weigh(only_professional).ok());
  auto start = *book().Find(After(""));
  EXPECT_EQ(FindMove(start, "7g7f")->mark, 1);
  EXPECT_EQ(FindMove(start, "7g7f")->note, "dubious");
  EXPECT_EQ(FindMove(start, "7g7f")->base_weight, 5);
  EXPECT_EQ(FindMove(start, "2g2f")->mark, 3);
  EXPECT_EQ(book().LoadGraph(Shogi())->edge_count(), 1u);
  ASSERT_TRUE(book().Weigh([](const BookMove&) { return std::optional<int64_t>(1); }).ok());
  start = *book().Find(After(""));
  EXPECT_EQ(FindMove(start, "2g2f")->mark, 0);
  EXPECT_EQ(book().LoadGraph(Shogi())->edge_count(), 3u);
}

TEST_F(BookStoreTest, RefusesToMarkWhatIsNotThere) {
  ImportSample();
  const absl::Status status = book().Mark(After(""), UsiMove("9g9f"), 1, "");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(ProblemOf(status).code, "not_in_book");
}

TEST_F(BookStoreTest, CheckFindsRowsThatContradictEachOther) {
  ImportSample();
  store_->db().exec("UPDATE move_counts SET wins = 100 WHERE professional = 1");
  store_->db().exec("DELETE FROM moves WHERE position = (SELECT max(position) FROM positions)");
  EXPECT_THAT(*book().Check(), SizeIs(2));
}

TEST_F(BookStoreTest, AWriterWaitsForNobodyWhileABookIsRead) {
  ImportSample();
  const auto other = *Store::Open(store_->path(), OpenMode::kReadWrite);
  int positions = 0;
  ASSERT_TRUE(
      book()
          .ForEach([&](const BookPosition&) {
            ++positions;
            BookImport import(*other, "games", "meanwhile", "{}");
            EXPECT_TRUE(
                import.AddPlayed(After("2g2f"), 2, UsiMove("8c8d"), false, {1, 0, 0, 1}).ok());
            return import.Commit(1, 0).status();
          })
          .ok());
  EXPECT_EQ(positions, 2);  // the state at the beginning
  EXPECT_EQ(book().Totals()->positions, 3);
}

}  // namespace
}  // namespace joseki::book
