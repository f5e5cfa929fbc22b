#include "coordinator/offline/played_moves.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "base/rng.h"
#include "gtest/gtest.h"
#include "tests/support/toy_book.h"
#include "tests/support/toy_rules.h"

namespace joseki::coordinator {
namespace {

using joseki::testing::ToyMoves;
using joseki::testing::ToyRules;

struct Sum {
  int ply = 1000;
  int64_t games = 0;
  int64_t wins = 0;
  int64_t draws = 0;
  int64_t losses = 0;
  bool operator==(const Sum&) const = default;
};
using Sums = std::map<std::pair<PackedPosition, Move>, Sum>;

Sums Read(const PlayedMoves& played) {
  Sums sums;
  PackedPosition last{};
  EXPECT_TRUE(played
                  .ForEach([&](const PackedPosition& position, int ply,
                               std::vector<PlayedMoves::Played>& moves) {
                    EXPECT_LT(last, position);
                    last = position;
                    for (const PlayedMoves::Played& move : moves) {
                      const MoveCounts& c = move.counts;
                      const bool fresh = sums.insert({{position, move.move},
                                                      {ply, c.games, c.wins, c.draws, c.losses}})
                                             .second;
                      EXPECT_TRUE(fresh);
                    }
                    return absl::OkStatus();
                  })
                  .ok());
  return sums;
}

// What PlayedMoves should hold, the slow way: every game replayed from the start.
void AddSlowly(const std::vector<Move>& moves, Result result, size_t plies, Sums& sums,
               std::map<PackedPosition, int>& smallest) {
  auto state = *ToyRules().Start("startpos", MatchRules{});
  for (size_t i = 0; i < moves.size() && i < plies; ++i) {
    Sum& sum = sums[{state->packed(), moves[i]}];
    const auto [at, fresh] = smallest.insert({state->packed(), static_cast<int>(i) + 1});
    if (!fresh) at->second = std::min(at->second, static_cast<int>(i) + 1);
    ++sum.games;
    sum.wins += result == WinFor(state->side_to_move());
    sum.losses += result == WinFor(~state->side_to_move());
    sum.draws += result == Result::kDraw;
    ASSERT_TRUE(state->Play(moves[i]));
  }
}

TEST(PlayedMoves, AddsUpAsASlowReplayDoes) {
  constexpr int kPlies = 7;
  const ToyRules rules;
  PlayedMoves played(rules, kPlies);
  Sums expected;
  std::map<PackedPosition, int> smallest;
  Rng rng(3);
  for (int game = 0; game < 500; ++game) {
    auto state = *ToyRules().Start("startpos", MatchRules{});
    std::vector<Move> moves;
    const size_t length = rng.Below(12);
    while (moves.size() < length) {
      const std::vector<Move> legal = state->LegalMoves();
      if (legal.empty()) break;
      moves.push_back(legal[rng.Below(legal.size())]);
      state->Play(moves.back());
    }
    const auto result = static_cast<Result>(rng.Below(4));
    ASSERT_TRUE(played.Add(moves, result).ok());
    AddSlowly(moves, result, kPlies, expected, smallest);
  }
  for (auto& [key, sum] : expected) sum.ply = smallest[key.first];
  EXPECT_EQ(Read(played), expected);
  EXPECT_GT(expected.size(), 300u);
}

TEST(PlayedMoves, MergesTranspositions) {
  const ToyRules rules;
  PlayedMoves played(rules, 3);
  ASSERT_TRUE(played.Add(ToyMoves("a1 b1 a1"), Result::kFirstWins).ok());
  ASSERT_TRUE(played.Add(ToyMoves("b1 a1 a1"), Result::kSecondWins).ok());
  auto state = *ToyRules().Start("startpos", MatchRules{});
  for (const Move move : ToyMoves("a1 b1")) state->Play(move);
  const Sums sums = Read(played);
  EXPECT_EQ(sums.size(), 5u);
  EXPECT_EQ(sums.at({state->packed(), ToyMoves("a1")[0]}), (Sum{3, 2, 1, 0, 1}));
}

TEST(PlayedMoves, DoesNotCountAnIllegalGame) {
  const ToyRules rules;
  PlayedMoves played(rules, 10);
  EXPECT_FALSE(played.Add(ToyMoves("a3 a3 a3 a1"), Result::kDraw).ok());
  EXPECT_TRUE(Read(played).empty());
  EXPECT_TRUE(played.Add(ToyMoves("a3 a3 a3"), Result::kDraw).ok());
  EXPECT_EQ(Read(played).size(), 3u);
}

}  // namespace
}  // namespace joseki::coordinator
