// Tests properties of every position, on random games from many starts.
#include <algorithm>
#include <set>

#include "base/rng.h"
#include "engine/shogi/check_squares.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "gtest/gtest.h"
#include "tests/support/sample_positions.h"
#include "tests/support/shogi_game.h"

namespace joseki::shogi {
namespace {

void ExpectSound(const Position& position) {
  ASSERT_STREQ(position.Flaw(), "") << ToSfen(position, 1);
  ASSERT_EQ(position.key(), position.ComputeKey()) << ToSfen(position, 1);
  auto unpacked = Unpack(Pack(position));
  ASSERT_TRUE(unpacked.ok()) << unpacked.status();
  ASSERT_EQ(ToSfen(*unpacked, 1), ToSfen(position, 1));
  ASSERT_EQ(unpacked->key(), position.key());
  ASSERT_EQ(ToSfen(At(ToSfen(position, 7)), 7), ToSfen(position, 7));
}

template <GenType type>
std::set<Move> Generated(const Position& position) {
  MoveList moves;
  position.Generate<type>(moves);
  std::set<Move> set(moves.begin(), moves.end());
  EXPECT_EQ(set.size(), static_cast<size_t>(moves.size())) << "a move was generated twice";
  return set;
}

class RandomGame : public ::testing::TestWithParam<uint64_t> {};

TEST_P(RandomGame, KeepsEveryInvariant) {
  Rng rng(GetParam());
  Position position;
  for (int ply = 0; ply < 250; ++ply) {
    ExpectSound(position);
    MoveList moves;
    position.Generate<GenType::kAll>(moves);
    ASSERT_EQ(position.HasLegalMove(), !moves.empty());
    if (moves.empty()) break;
    const std::string before = ToSfen(position, 1);
    const Key key = position.key();
    const Bitboard checkers = position.checkers();
    const CheckSquares check_squares(position);
    for (const Move move : moves) {
      const bool checks = position.GivesCheck(move);
      ASSERT_EQ(check_squares.Given(position, move), checks) << before << " " << ToUsi(move);
      Undo undo;
      position.Do(move, undo);
      ASSERT_EQ(position.InCheck(), checks) << before << " " << ToUsi(move);
      ASSERT_STREQ(position.Flaw(), "") << before << " " << ToUsi(move);
      position.TakeBack(move, undo);
      ASSERT_EQ(ToSfen(position, 1), before);
      ASSERT_EQ(position.key(), key);
      ASSERT_EQ(position.checkers(), checkers);
    }
    // Captures and quiet promotions are legal moves, each given once.
    MoveList captures;
    position.Generate<GenType::kCaptures>(captures);
    const std::set<Move> all(moves.begin(), moves.end());
    const std::set<Move> some(captures.begin(), captures.end());
    ASSERT_EQ(some.size(), static_cast<size_t>(captures.size()));
    for (const Move move : captures) ASSERT_EQ(all.count(move), 1u) << before << " " << ToUsi(move);
    for (const Move move : moves) {
      if (!move.is_drop() && position.piece(move.to()) != kNoPiece && some.count(move) == 0) {
        ASSERT_FALSE(move.promotes()) << before << " " << ToUsi(move);
      }
    }
    // Drops behind all others: the search copies them as they lie.
    const auto on_board = [](Move move) { return !move.is_drop(); };
    MoveList searched;
    position.Generate<GenType::kSearch>(searched);
    for (const MoveList* list : {&moves, &captures, &searched}) {
      ASSERT_TRUE(std::is_partitioned(list->begin(), list->end(), on_board)) << before;
    }
    // The stages are disjoint parts of one whole; checks are those that give check.
    const std::set<Move> quiets = Generated<GenType::kQuiets>(position);
    const std::set<Move> search = Generated<GenType::kSearch>(position);
    std::set<Move> both = Generated<GenType::kCaptures>(position);
    const size_t captured = both.size();
    both.insert(quiets.begin(), quiets.end());
    ASSERT_EQ(both.size(), captured + quiets.size()) << before;
    ASSERT_EQ(both, search) << before;
    std::set<Move> drops;
    for (const Move move : quiets) {
      if (move.is_drop()) drops.insert(move);
    }
    ASSERT_EQ(Generated<GenType::kDrops>(position), drops) << before;
    std::set<Move> checks;
    for (const Move move : search) {
      if (position.GivesCheck(move)) checks.insert(move);
    }
    ASSERT_EQ(Generated<GenType::kChecks>(position), checks) << before;
    std::set<Move> all_checks;
    for (const Move move : moves) {
      if (position.GivesCheck(move)) all_checks.insert(move);
    }
    ASSERT_EQ(Generated<GenType::kAllChecks>(position), all_checks) << before;
    if (!position.InCheck()) {
      Undo undo;
      position.DoNull(undo);
      ASSERT_EQ(position.key(), position.ComputeKey());
      position.TakeBackNull(undo);
      ASSERT_EQ(position.key(), key);
    }
    const Move move = moves[static_cast<int>(rng.Below(static_cast<uint64_t>(moves.size())))];
    const Key after = position.KeyAfter(move);
    Undo undo;
    position.Do(move, undo);
    ASSERT_EQ(position.key(), after) << before;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGame, ::testing::Range<uint64_t>(1, 25));

// Strange positions too, those of the perft files among them.
TEST(Checks, AreTheLegalMovesThatCheck) {
  size_t checks = 0;
  for (Position& position : SamplePositions(/*seed=*/3, /*games=*/10, /*every=*/3)) {
    for (const bool all : {true, false}) {
      MoveList moves;
      if (all) {
        position.Generate<GenType::kAll>(moves);
      } else {
        position.Generate<GenType::kSearch>(moves);
      }
      std::set<Move> wanted;
      for (const Move move : moves) {
        Undo undo;
        position.Do(move, undo);
        if (position.InCheck()) wanted.insert(move);
        position.TakeBack(move, undo);
      }
      ASSERT_EQ(
          all ? Generated<GenType::kAllChecks>(position) : Generated<GenType::kChecks>(position),
          wanted)
          << ToSfen(position, 1);
      checks += wanted.size();
    }
  }
  EXPECT_GT(checks, 500u);
}

TEST(Key, TellsHandsAndSidesApart) {
  const Key none = At("4k4/9/9/9/9/9/9/9/4K4 b - 1").key();
  const Key one = At("4k4/9/9/9/9/9/9/9/4K4 b P 1").key();
  const Key two = At("4k4/9/9/9/9/9/9/9/4K4 b 2P 1").key();
  const Key theirs = At("4k4/9/9/9/9/9/9/9/4K4 b p 1").key();
  const Key white = At("4k4/9/9/9/9/9/9/9/4K4 w P 1").key();
  const std::set<Key> keys = {none, one, two, theirs, white};
  EXPECT_EQ(keys.size(), 5u);
  EXPECT_EQ(At("4k4/9/9/9/9/9/9/9/4K4 b P 1").key(), At("4k4/9/9/9/9/9/9/9/4K4 b P 77").key());
}

TEST(Key, TranspositionsMeet) {
  Position a;
  Position b;
  Play(a, "7g7f 3c3d 2g2f");
  Play(b, "2g2f 3c3d 7g7f");
  EXPECT_EQ(a.key(), b.key());
  EXPECT_EQ(Pack(a), Pack(b));
}

}  // namespace
}  // namespace joseki::shogi
