#include "book/database/played_chunks.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::book {
namespace {

using joseki::testing::TempFolder;
using joseki::testing::ToyMoves;
using joseki::testing::ToyRules;

struct Game {
  std::vector<PackedPosition> positions;
  std::vector<Move> moves;
  Result result = Result::kNone;
};

Game Played(const std::vector<Move>& moves, Result result) {
  auto state = *ToyRules().Start("startpos", MatchRules{});
  Game game{.positions = {}, .moves = moves, .result = result};
  for (const Move move : moves) {
    game.positions.push_back(state->packed());
    EXPECT_TRUE(state->Play(move));
  }
  return game;
}

std::vector<Game> RandomGames(int count) {
  std::vector<Game> games;
  Rng rng(3);
  while (count-- > 0) {
    auto state = *ToyRules().Start("startpos", MatchRules{});
    std::vector<Move> moves;
    const size_t length = rng.Below(12);
    while (moves.size() < length) {
      const std::vector<Move> legal = state->LegalMoves();
      if (legal.empty()) break;
      moves.push_back(legal[rng.Below(legal.size())]);
      state->Play(moves.back());
    }
    games.push_back(Played(moves, static_cast<Result>(rng.Below(4))));
  }
  return games;
}

using Positions = std::vector<PlayedPosition>;

// The slow way.
Positions AddedUp(const std::vector<Game>& games) {
  std::map<PackedPosition, std::pair<int, std::map<Move, MoveCounts>>> sums;
  for (const Game& game : games) {
    for (size_t i = 0; i < game.moves.size(); ++i) {
      const Color mover = i % 2 == 0 ? Color::kFirst : Color::kSecond;
      const int ply = static_cast<int>(i) + 1;
      auto& [least, moves] =
          sums.try_emplace(game.positions[i], ply, std::map<Move, MoveCounts>()).first->second;
      least = std::min(least, ply);
      MoveCounts& counts = moves[game.moves[i]];
      ++counts.games;
      counts.wins += game.result == WinFor(mover);
      counts.losses += game.result == WinFor(~mover);
      counts.draws += game.result == Result::kDraw;
    }
  }
  Positions all;
  for (const auto& [packed, sum] : sums) {
    PlayedPosition& position = all.emplace_back();
    position.packed = packed;
    position.ply = sum.first;
    for (const auto& [move, counts] : sum.second) {
      PlayedMove& played = position.moves.emplace_back();
      played.move = move;
      played.counts = counts;
    }
  }
  return all;
}

std::vector<PlayedBlock> Blocks(const std::vector<Game>& games, size_t memory, int threads,
                                const PlayedChunks::Keep& keep = nullptr,
                                size_t piece = size_t{1} << 16) {
  const TempFolder folder;
  PlayedChunks chunks(folder.path().string(), memory, threads, piece);
  for (const Game& game : games) {
    EXPECT_TRUE(chunks.Add(game.positions, game.moves, game.result).ok());
  }
  std::vector<PlayedBlock> blocks;
  const absl::Status read = chunks.ForEachBlock(keep, [&blocks](const PlayedBlock& block) {
    blocks.push_back(block);
    return absl::OkStatus();
  });
  EXPECT_TRUE(read.ok()) << read;
  return blocks;
}

Positions Unpacked(const std::vector<PlayedBlock>& blocks) {
  Positions all;
  for (const PlayedBlock& block : blocks) {
    PlayedBlockReader reader(block.first, block.bytes);
    const size_t before = all.size();
    for (PlayedPosition position; reader.Next(position).value();) all.push_back(position);
    EXPECT_EQ(all.size() - before, static_cast<size_t>(block.positions));
    EXPECT_EQ(all.at(before).packed, block.first);
  }
  return all;
}

TEST(PlayedChunks, AddUpAsASlowReplayDoes) {
  const std::vector<Game> games = RandomGames(500);
  const Positions expected = AddedUp(games);
  ASSERT_GT(expected.size(), 200u);
  EXPECT_EQ(Unpacked(Blocks(games, size_t{1} << 20, 1)), expected);
}

// However little memory there is, chunks that are merged more than once among it.
TEST(PlayedChunks, AreTheSameBytesWithAnyBoundAndThreads) {
  const std::vector<Game> games = RandomGames(500);
  const std::vector<PlayedBlock> expected = Blocks(games, size_t{1} << 20, 1);
  ASSERT_GT(expected.size(), 1u);
  for (const size_t memory : {size_t{1}, size_t{5'000}, size_t{1} << 20}) {
    for (const int threads : {1, 3}) {
      const std::vector<PlayedBlock> blocks = Blocks(games, memory, threads, nullptr, 50);
      ASSERT_EQ(blocks.size(), expected.size()) << memory << " " << threads;
      for (size_t i = 0; i < blocks.size(); ++i) {
        EXPECT_EQ(blocks[i].first, expected[i].first);
        EXPECT_EQ(blocks[i].bytes, expected[i].bytes);
      }
    }
  }
}

TEST(PlayedChunks, MergeTranspositions) {
  const Positions positions = Unpacked(Blocks({Played(ToyMoves("a1 b1 a1"), Result::kFirstWins),
                                               Played(ToyMoves("b1 a1 a1"), Result::kSecondWins)},
                                              size_t{1} << 20, 1));
  auto state = *ToyRules().Start("startpos", MatchRules{});
  for (const Move move : ToyMoves("a1 b1")) state->Play(move);
  ASSERT_EQ(positions.size(), 4u);
  size_t met = 0;
  for (const PlayedPosition& position : positions) {
    if (position.packed != state->packed()) continue;
    ++met;
    ASSERT_EQ(position.moves.size(), 1u);
    EXPECT_EQ(position.ply, 3);
    EXPECT_EQ(position.moves[0].counts, (MoveCounts{2, 1, 0, 1}));
  }
  EXPECT_EQ(met, 1u);
}

TEST(PlayedChunks, CountAGameOnceHoweverOftenItComesBack) {
  std::vector<Game> games = RandomGames(500);
  std::erase_if(games, [](const Game& game) { return game.moves.size() != 4; });
  ASSERT_FALSE(games.empty());
  // The toy's positions never come back, so this game is told to.
  Game again = games[0];
  for (int round = 0; round < 2; ++round) {
    again.positions.insert(again.positions.end(), games[0].positions.begin(),
                           games[0].positions.end());
    again.moves.insert(again.moves.end(), games[0].moves.begin(), games[0].moves.end());
  }
  EXPECT_EQ(Unpacked(Blocks({again}, size_t{1} << 20, 1)), AddedUp({games[0]}));
}

TEST(PlayedChunks, LeaveOutWhatIsNotKept) {
  const std::vector<Game> games = RandomGames(300);
  Positions expected = AddedUp(games);
  const auto few = [](PlayedPosition& position) {
    std::erase_if(position.moves, [](const PlayedMove& move) { return move.counts.games < 5; });
  };
  for (PlayedPosition& position : expected) few(position);
  std::erase_if(expected, [](const PlayedPosition& position) { return position.moves.empty(); });
  ASSERT_FALSE(expected.empty());
  EXPECT_EQ(Unpacked(Blocks(games, 3'000, 2, few)), expected);
}

TEST(PlayedChunks, SayWhereThereIsNoRoom) {
  const TempFolder folder;
  PlayedChunks chunks(folder / "none", 1, 1);
  const Game game = Played(ToyMoves("a1 b1"), Result::kDraw);
  EXPECT_TRUE(chunks.Add(game.positions, game.moves, game.result).ok());
  EXPECT_EQ(ProblemOf(chunks.Add(game.positions, game.moves, game.result)).code, "file_error");
}

}  // namespace
}  // namespace joseki::book
