// Xiangqi behind the Rules port: how games end.
#include <span>
#include <sstream>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "engine/core/symmetries.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/xiangqi_rules.h"
#include "gtest/gtest.h"

namespace joseki::xiangqi {
namespace {

std::unique_ptr<GameState> StartAt(const std::string& text, const MatchRules& match = {}) {
  auto state = XiangqiRules().Start(text, match);
  EXPECT_TRUE(state.ok()) << state.status();
  return std::move(*state);
}

void PlayOn(GameState& state, const std::string& moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    auto move = state.ParseMove(word);
    ASSERT_TRUE(move.ok()) << move.status();
    ASSERT_TRUE(state.Play(*move));
  }
}

TEST(XiangqiRules, PlaysLegalMoves) {
  auto state = StartAt("startpos");
  EXPECT_EQ(XiangqiRules().game(), "xiangqi");
  EXPECT_EQ(state->ending(), std::nullopt);
  EXPECT_EQ(state->LegalMoves().size(), 44u);
  PlayOn(*state, "h2e2 h9g7");
  EXPECT_EQ(state->plies(), 2);
  EXPECT_EQ(state->text(),
            "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2");
}

TEST(XiangqiRules, AnIllegalMoveChangesNothing) {
  auto state = StartAt("startpos");
  EXPECT_FALSE(state->Play(Move::Board(0, 27)));
  EXPECT_FALSE(state->Play(Move(0xffff)));
  EXPECT_FALSE(state->Play(Move()));
  EXPECT_EQ(state->plies(), 0);
}

TEST(XiangqiRules, MateAndStalemateLose) {
  const Ending lost{Result::kFirstWins, Termination::kNoLegalMove};
  auto state = StartAt("3k5/R8/8R/9/9/9/9/9/9/4K4 w");
  PlayOn(*state, "i7i9");
  EXPECT_EQ(state->ending(), lost);
  // Not in check, but no step is safe: the rook and Red's king hold two files.
  state = StartAt("3k5/9/9/9/9/9/9/9/R8/4K4 w");
  PlayOn(*state, "a1a8");
  EXPECT_EQ(state->ending(), lost);
}

TEST(XiangqiRules, TheMatchChoosesTheRuleOfRepetition) {
  const std::string chase = "3k5/9/9/1c7/9/9/2R6/9/9/5K3 w";
  const std::string twice = "c3b3 b6c6 b3c3 c6b6 c3b3 b6c6 b3c3 c6b6";
  auto ending = [&](RepetitionRule rule) {
    auto state = StartAt(chase, {.repetition = rule});
    PlayOn(*state, twice);
    return state->ending();
  };
  const Ending draw{Result::kDraw, Termination::kRepetition};
  EXPECT_EQ(ending(RepetitionRule::kAsian),
            (Ending{Result::kSecondWins, Termination::kPerpetualChase}));
  EXPECT_EQ(ending(RepetitionRule::kCheck), draw);
  EXPECT_EQ(ending(RepetitionRule::kDraw), draw);

  auto state = StartAt("3k5/R8/9/9/9/9/9/9/9/5K3 w");
  PlayOn(*state, "a8a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8");
  EXPECT_EQ(state->ending(), std::nullopt);
  PlayOn(*state, "d8d9");
  EXPECT_EQ(state->ending(), (Ending{Result::kSecondWins, Termination::kPerpetualCheck}));
  state = StartAt("startpos");
  PlayOn(*state, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0");
  EXPECT_EQ(state->ending(), std::nullopt);
  PlayOn(*state, "g7h9");
  EXPECT_EQ(state->ending(), draw);
}

TEST(XiangqiRules, QuietGamesAndThePlyCapAreDraws) {
  auto state = StartAt("3k5/9/9/9/9/9/R8/9/9/5K3 w - - 119 60");
  PlayOn(*state, "a3a4");
  EXPECT_EQ(state->ending(), (Ending{Result::kDraw, Termination::kNoCapture}));
  state = StartAt("3k5/9/9/9/9/9/p8/R8/9/5K3 w");
  PlayOn(*state, "a2a3");
  EXPECT_EQ(state->ending(), std::nullopt);
  state = StartAt("3k1a3/9/9/9/9/9/9/9/9/5K3 w");
  EXPECT_EQ(state->ending(), (Ending{Result::kDraw, Termination::kNoAttackers}));
  state = StartAt("startpos", {.max_plies = 2});
  PlayOn(*state, "h2e2");
  EXPECT_EQ(state->ending(), std::nullopt);
  PlayOn(*state, "h9g7");
  EXPECT_EQ(state->ending(), (Ending{Result::kDraw, Termination::kMaxPlies}));
}

TEST(XiangqiRules, MateComesBeforeEveryDraw) {
  auto state = StartAt("3k5/R8/8R/9/9/9/9/9/9/4K4 w - - 119 60", {.max_plies = 1});
  PlayOn(*state, "i7i9");
  EXPECT_EQ(state->ending()->termination, Termination::kNoLegalMove);
}

TEST(XiangqiRules, PackedPositionsAndTextsRoundTrip) {
  const Rules& rules = XiangqiRules();
  auto state = StartAt("startpos");
  PlayOn(*state, "h2h9");
  auto again = rules.Start(state->packed(), MatchRules{});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->key(), state->key());
  EXPECT_EQ(rules.Text(state->packed(), 2), state->text());
  EXPECT_EQ((*again)->text(), state->text()) << "Black is to move at an even ply";
  EXPECT_EQ(rules.Text(*rules.MoveOf("h2e2")), "h2e2");
  EXPECT_FALSE(rules.Start(PackedPosition{}, MatchRules{}).ok());
  EXPECT_FALSE(
      rules.Start("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", MatchRules{})
          .ok());
}

TEST(XiangqiRules, MovesCommuteWithSymmetries) {
  const auto* symmetries = dynamic_cast<const Symmetries*>(&XiangqiRules());
  ASSERT_NE(symmetries, nullptr);
  ASSERT_EQ(symmetries->count(), 3);
  for (int map = 1; map <= 3; ++map) {
    auto state = StartAt("startpos");
    auto image = XiangqiRules().Start(symmetries->Image(map, state->packed()), MatchRules{});
    ASSERT_TRUE(image.ok());
    for (const char* text : {"h2e2", "h9g7", "h0g2", "i9h9"}) {
      const Move move = *XiangqiRules().MoveOf(text);
      ASSERT_TRUE(state->Play(move));
      ASSERT_TRUE((*image)->Play(symmetries->Image(map, move)));
      EXPECT_EQ((*image)->packed(), symmetries->Image(map, state->packed()));
      EXPECT_EQ(symmetries->Image(map, symmetries->Image(map, move)), move);
    }
  }
}

// PlayAll equals Play and ending() in turn. The games are random, some with repetitions or one
// broken move, and are played in two parts.
TEST(XiangqiRules, PlayAllEqualsPlayAndEnding) {
  int ended = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed);
    const MatchRules match{.max_plies = seed % 3 == 0 ? 60 : 400};
    auto state = StartAt("startpos", match);
    std::vector<Move> moves;
    while (moves.size() < 300) {
      const std::vector<Move> legal = state->LegalMoves();
      if (legal.empty()) break;
      const Move move = legal[rng.Below(legal.size())];
      // Move back where possible, so that positions repeat.
      if (seed % 2 == 0 && moves.size() >= 2 && rng.Unit() < 0.9) {
        const Move last = moves[moves.size() - 2];
        const Move back = Move::Board(last.to(), last.from());
        if (state->Play(back)) {
          moves.push_back(back);
          continue;
        }
      }
      state->Play(move);
      moves.push_back(move);
    }
    if (seed % 5 == 0) moves[rng.Below(moves.size())] = Move(static_cast<uint16_t>(rng.Next()));

    auto slow = StartAt("startpos", match);
    size_t expected = 0;
    while (expected < moves.size() && !slow->ending() && slow->Play(moves[expected])) ++expected;
    auto fast = StartAt("startpos", match);
    const size_t half = rng.Below(moves.size());
    size_t played = fast->PlayAll(std::span(moves).first(half));
    if (played == half) played += fast->PlayAll(std::span(moves).subspan(half));
    EXPECT_EQ(played, expected) << seed;
    EXPECT_EQ(fast->ending(), slow->ending()) << seed;
    EXPECT_EQ(fast->packed(), slow->packed()) << seed;
    if (slow->ending()) ++ended;
  }
  EXPECT_GT(ended, 100);
}

TEST(XiangqiRules, ExpandEqualsStartAndPlay) {
  const Rules& rules = XiangqiRules();
  Rng rng(5);
  Expansion fast;
  Expansion plain;
  for (int game = 0; game < 20; ++game) {
    auto state = StartAt("startpos");
    for (int ply = 0; ply < 120 && !state->ending(); ++ply) {
      const std::vector<Move> legal = state->LegalMoves();
      const std::vector<Move> asked = {legal[rng.Below(legal.size())],
                                       Move(static_cast<uint16_t>(rng.Below(0x10000))),
                                       legal[rng.Below(legal.size())]};
      ASSERT_TRUE(rules.Expand(state->packed(), asked, fast).ok());
      ASSERT_TRUE(rules.Rules::Expand(state->packed(), asked, plain).ok());
      EXPECT_EQ(fast.key, plain.key);
      EXPECT_EQ(fast.packed, plain.packed);
      EXPECT_EQ(fast.to_move, plain.to_move);
      EXPECT_EQ(fast.legal_moves, plain.legal_moves);
      ASSERT_EQ(fast.children.size(), plain.children.size());
      for (size_t i = 0; i < asked.size(); ++i) {
        ASSERT_EQ(fast.children[i].has_value(), plain.children[i].has_value()) << state->text();
        if (!fast.children[i]) continue;
        EXPECT_EQ(fast.children[i]->key, plain.children[i]->key);
        EXPECT_EQ(fast.children[i]->packed, plain.children[i]->packed);
      }
      state->Play(asked[0]);
    }
  }
  PackedPosition nonsense;
  nonsense.bytes.fill(0xff);
  EXPECT_EQ(ProblemOf(rules.Expand(nonsense, {}, fast)).code, "bad_packed_position");
}

}  // namespace
}  // namespace joseki::xiangqi
