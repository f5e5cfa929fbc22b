// Shogi behind the Rules port: how games end.
#include <span>
#include <sstream>
#include <vector>

#include "base/problem.h"
#include "base/rng.h"
#include "engine/shogi/shogi_rules.h"
#include "gtest/gtest.h"

namespace joseki::shogi {
namespace {

std::unique_ptr<GameState> StartAt(const std::string& text, const MatchRules& match = {}) {
  auto state = ShogiRules().Start(text, match);
  EXPECT_TRUE(state.ok()) << state.status();
  return std::move(*state);
}

void Play(GameState& state, const std::string& moves) {
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    auto move = state.ParseMove(word);
    ASSERT_TRUE(move.ok()) << move.status();
    ASSERT_TRUE(state.Play(*move));
  }
}

TEST(ShogiRules, AGameGoesOn) {
  auto state = StartAt("startpos");
  EXPECT_EQ(state->ending(), std::nullopt);
  EXPECT_EQ(state->LegalMoves().size(), 30u);
  Play(*state, "7g7f 3c3d");
  EXPECT_EQ(state->plies(), 2);
  EXPECT_EQ(state->text(), "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3");
}

TEST(ShogiRules, AnIllegalMoveChangesNothing) {
  auto state = StartAt("startpos");
  EXPECT_FALSE(state->Play(Move::Board(0, 1)));
  EXPECT_FALSE(state->Play(Move(0xffff)));
  EXPECT_EQ(state->plies(), 0);
}

TEST(ShogiRules, NoLegalMoveLoses) {
  auto state = StartAt("k8/9/9/1G7/9/9/9/9/8K b G 1");
  Play(*state, "G*9b");
  EXPECT_EQ(state->ending(), std::nullopt) << "the gold on 9b is not guarded";
  state = StartAt("k8/9/G8/9/9/9/9/9/8K b G 1");
  Play(*state, "G*9b");
  EXPECT_EQ(state->ending(), (Ending{Result::kFirstWins, Termination::kNoLegalMove}));
}

TEST(ShogiRules, FourthOccurrenceIsADraw) {
  auto state = StartAt("startpos");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(state->ending(), std::nullopt);
    Play(*state, "2h3h 8b7b 3h2h 7b8b");
  }
  EXPECT_EQ(state->ending(), (Ending{Result::kDraw, Termination::kRepetition}));
}

TEST(ShogiRules, PerpetualCheckLoses) {
  auto state = StartAt("k8/9/9/9/9/9/9/7R1/8K b - 1");
  Play(*state, "2h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a");
  EXPECT_EQ(state->ending(), std::nullopt);
  Play(*state, "8h9h");
  EXPECT_EQ(state->ending(), (Ending{Result::kSecondWins, Termination::kPerpetualCheck}));
}

TEST(ShogiRules, DeclarationsByTheMatch) {
  const std::string at28 = "K1GGGGSSS/S3LL3/2NN5/9/9/9/9/9/8k b 2RBP 1";
  const std::string at31 = "K1GGGGSSS/S3LL3/2NN5/9/9/9/9/9/8k b 2RB4P 1";
  auto ending = [](const std::string& sfen, Declaration rule) {
    return StartAt(sfen, {.declaration = rule})->ending();
  };
  const Ending win{Result::kFirstWins, Termination::kDeclaration};
  const Ending draw{Result::kDraw, Termination::kDeclaration};
  EXPECT_EQ(ending(at28, Declaration::k27), win);
  EXPECT_EQ(ending(at28, Declaration::kNone), std::nullopt);
  EXPECT_EQ(ending(at28, Declaration::k24), draw);
  EXPECT_EQ(ending(at31, Declaration::k24), win);
  EXPECT_EQ(ending("K1GGGGSSS/S3LL3/2NN5/9/9/9/9/9/8k b 2RP 1", Declaration::k24), std::nullopt);
}

TEST(ShogiRules, ThePlyCapIsADraw) {
  auto state = StartAt("startpos", {.max_plies = 2});
  Play(*state, "7g7f");
  EXPECT_EQ(state->ending(), std::nullopt);
  Play(*state, "3c3d");
  EXPECT_EQ(state->ending(), (Ending{Result::kDraw, Termination::kMaxPlies}));
}

TEST(ShogiRules, MateBeatsThePlyCap) {
  auto state = StartAt("k8/9/G8/9/9/9/9/9/8K b G 1", {.max_plies = 1});
  Play(*state, "G*9b");
  EXPECT_EQ(state->ending()->termination, Termination::kNoLegalMove);
}

TEST(ShogiRules, PackedStartsAndText) {
  auto state = StartAt("startpos");
  Play(*state, "7g7f");
  auto again = ShogiRules().Start(state->packed(), MatchRules{});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ((*again)->key(), state->key());
  EXPECT_EQ(ShogiRules().Text(state->packed(), 2), state->text());
  EXPECT_EQ(ShogiRules().Text(*ShogiRules().MoveOf("P*5e")), "P*5e");
  EXPECT_FALSE(ShogiRules().Start(PackedPosition{}, MatchRules{}).ok());
}

// PlayAll is Play and ending() in turn: in random games, with shuffles that repeat positions, with
// one move broken, and in two parts.
TEST(ShogiRules, PlayAllStopsWherePlayAndEndingWould) {
  int ended = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const MatchRules match{.max_plies = seed % 3 == 0 ? 60 : 400, .declaration = Declaration::k27};
    auto state = StartAt("startpos", match);
    std::vector<Move> moves;
    while (moves.size() < 300) {
      const std::vector<Move> legal = state->LegalMoves();
      if (legal.empty()) break;
      Move move = legal[rng.Below(legal.size())];
      // To and fro again where it can be, so that positions come back.
      if (seed % 2 == 0 && moves.size() >= 2 && rng.Unit() < 0.9) {
        const Move last = moves[moves.size() - 2];
        const Move back = Move::Board(last.to(), last.from());
        if (!last.is_drop() && state->Play(back)) {
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

TEST(ShogiRules, IllegalMovesSayWhichRule) {
  auto reason = [](const std::string& sfen, const std::string& move) {
    auto parsed = StartAt(sfen)->ParseMove(move);
    EXPECT_FALSE(parsed.ok());
    return ProblemOf(parsed.status());
  };
  EXPECT_EQ(reason("startpos", "7g7").code, "malformed_move");
  EXPECT_EQ(reason("startpos", "7g7e").expected, "a square the piece can reach");
  EXPECT_EQ(reason("startpos", "P*5e").expected, "a piece that is in hand");
  EXPECT_EQ(reason("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e").expected, "no second pawn on a file");
  EXPECT_EQ(reason("7lk/9/7GG/9/9/9/9/9/4K4 b P 1", "P*1b").expected, "no mate by a dropped pawn");
  EXPECT_EQ(reason("4k4/9/9/9/4r4/9/4S4/9/4K4 b - 1", "5g4f").expected,
            "a move that does not leave the king attacked");
}

TEST(ShogiRules, ExpandSaysWhatStartAndPlaySay) {
  const Rules& rules = ShogiRules();
  Rng rng(5);
  Expansion fast;
  Expansion plain;
  for (int game = 0; game < 40; ++game) {
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
}  // namespace joseki::shogi
