#include "worker/play/referee.h"

#include <set>

#include "base/rng.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/worker/stones.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Slot SlotAt(const std::string& start, std::vector<Move> line = {}) {
  Slot slot;
  slot.start = start;
  slot.line = std::move(line);
  slot.seed = 7;
  return slot;
}

PlaySpec Spec() {
  PlaySpec spec;
  spec.nodes = 1000;
  return spec;
}

absl::StatusOr<Choice> TakeOne(const GameLine&, const Limits&) { return Take(1); }

RefereedGame PlayWith(const Slot& slot, ScriptedPlayer::Script script, PlaySpec spec = Spec()) {
  ScriptedPlayer player(std::move(script));
  return PlayGame(StonesRules(), spec, slot, player, [](int) { return true; });
}

TEST(Referee, PlaysTheLineThenTheChoicesToTheEnd) {
  std::vector<size_t> asked_at;
  ScriptedPlayer player([&](const GameLine& game, const Limits&) {
    EXPECT_EQ(game.start, "6");
    asked_at.push_back(game.moves.size());
    return Take(1);
  });
  std::vector<int> reported;
  const RefereedGame game =
      PlayGame(StonesRules(), Spec(), SlotAt("6", {Move(2), Move(1)}), player, [&](int plies) {
        reported.push_back(plies);
        return true;
      });
  EXPECT_THAT(game.moves, ElementsAre(Move(2), Move(1), Move(1), Move(1), Move(1)));
  EXPECT_EQ(game.ending, (Ending{Result::kFirstWins, Termination::kNoLegalMove}));
  EXPECT_THAT(asked_at, ElementsAre(2, 3, 4));
  EXPECT_THAT(reported, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(game.nodes, 30u);
  EXPECT_EQ(game.fault, "");
  EXPECT_EQ(player.seed(), 7u);
}

TEST(Referee, SearchesOnceWhereTheSlotAsksForAnEvaluation) {
  Slot slot = SlotAt("6", {Move(2)});
  slot.kind = SlotKind::kEvaluation;
  slot.nodes = 54321;
  int asked = 0;
  uint64_t limit = 0;
  const auto search = [&](const GameLine&, const Limits& limits) {
    ++asked;
    limit = limits.nodes;
    Choice choice = Take(1);
    choice.score = -120;
    choice.depth = 9;
    return absl::StatusOr<Choice>(choice);
  };
  PlaySpec spec = Spec();
  spec.jitter_percent = 90;  // of games alone
  spec.resign = {.below = 100, .moves = 1};
  const RefereedGame record = PlayWith(slot, search, spec);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(limit, 54321u);
  EXPECT_THAT(record.moves, ElementsAre(Move(2), Move(1)));
  EXPECT_THAT(record.scores, ElementsAre(-120));
  EXPECT_EQ(record.depth, 9u);
  EXPECT_EQ(record.nodes, 10u);
  EXPECT_EQ(record.ending, (Ending{Result::kNone, Termination::kNone}));

  // The game is over at the end of the line: nothing is left to be searched.
  asked = 0;
  slot = SlotAt("3", {Move(2), Move(1)});
  slot.kind = SlotKind::kEvaluation;
  slot.nodes = 10;
  EXPECT_EQ(PlayWith(slot, search).ending,
            (Ending{Result::kSecondWins, Termination::kNoLegalMove}));
  EXPECT_EQ(asked, 0);
}

TEST(Referee, AnEvaluationEndsByResignationOrFaultAsAGameDoes) {
  Slot slot = SlotAt("6", {Move(2)});
  slot.kind = SlotKind::kEvaluation;
  slot.nodes = 10;
  const auto resigns = [](const GameLine&, const Limits&) {
    return absl::StatusOr<Choice>(Choice{.kind = Choice::Kind::kResign});
  };
  const RefereedGame resigned = PlayWith(slot, resigns);
  EXPECT_EQ(resigned.ending, (Ending{Result::kFirstWins, Termination::kResign}));
  EXPECT_THAT(resigned.moves, ElementsAre(Move(2)));
  EXPECT_TRUE(resigned.scores.empty());
  const auto dies = [](const GameLine&, const Limits&) {
    return absl::StatusOr<Choice>(absl::UnavailableError("gone"));
  };
  EXPECT_EQ(PlayWith(slot, dies).ending.termination, Termination::kCrash);
  const auto cheats = [](const GameLine&, const Limits&) {
    return absl::StatusOr<Choice>(Take(77));
  };
  EXPECT_EQ(PlayWith(slot, cheats).ending.termination, Termination::kIllegalMove);
}

TEST(Referee, FindsAReplyAlongTheLine) {
  // The second side: it searches at plies 1 and 3.
  Slot slot = SlotAt("9", {Move(1), Move(1), Move(1)});
  slot.kind = SlotKind::kReply;
  slot.nodes = 7000;
  slot.searched_from = 1;
  std::vector<size_t> asked;
  size_t leaves = 99;
  const auto search = [&](const GameLine& game, const Limits& limits) {
    asked.push_back(game.moves.size());
    EXPECT_EQ(limits.nodes, 7000u);
    Choice choice = Take(game.moves.size() == leaves ? 2 : 1);
    choice.score = 33;
    return absl::StatusOr<Choice>(choice);
  };
  const RefereedGame whole = PlayWith(slot, search);
  EXPECT_THAT(asked, ElementsAre(1, 3));
  EXPECT_THAT(whole.moves, ElementsAre(Move(1), Move(1), Move(1), Move(1)));
  EXPECT_THAT(whole.scores, ElementsAre(33));
  EXPECT_EQ(whole.nodes, 20u);
  EXPECT_EQ(whole.ending, (Ending{Result::kNone, Termination::kNone}));
  // A move that differs from the line's is the reply.
  leaves = 1;
  EXPECT_THAT(PlayWith(slot, search).moves, ElementsAre(Move(1), Move(2)));
  // With a book until ply 2 it is first asked at the end.
  asked.clear();
  slot.searched_from = 2;
  EXPECT_THAT(PlayWith(slot, search).moves, ElementsAre(Move(1), Move(1), Move(1), Move(1)));
  EXPECT_THAT(asked, ElementsAre(3));
}

TEST(Referee, BreaksATrialOff) {
  Slot slot = SlotAt("9", {Move(1)});
  slot.kind = SlotKind::kTrial;
  slot.plies = 3;
  const auto search = [&](const GameLine& game, const Limits&) {
    Choice choice = Take(1);
    choice.score = static_cast<int>(game.moves.size());
    return absl::StatusOr<Choice>(choice);
  };
  const RefereedGame record = PlayWith(slot, search);
  EXPECT_THAT(record.moves, ElementsAre(Move(1), Move(1), Move(1), Move(1)));
  EXPECT_THAT(record.scores, ElementsAre(1, 2, 3));
  EXPECT_EQ(record.ending, (Ending{Result::kNone, Termination::kNone}));
  // A game that is over before is a game.
  slot.plies = 30;
  const RefereedGame ended = PlayWith(slot, search);
  EXPECT_EQ(ended.ending.termination, Termination::kNoLegalMove);
  EXPECT_EQ(ended.scores.size() + 1, ended.moves.size());
}

TEST(Referee, EndsWhereTheRulesSaySo) {
  const struct {
    std::string start;
    Ending ending;
    size_t plies;
  } cases[] = {
      {"0", {Result::kSecondWins, Termination::kNoLegalMove}, 0},
      {"3", {Result::kFirstWins, Termination::kNoLegalMove}, 3},
      {"9 4 repetition draw", {Result::kDraw, Termination::kRepetition}, 4},
      {"9 5 perpetual_check second", {Result::kSecondWins, Termination::kPerpetualCheck}, 5},
      {"9 0 declaration first", {Result::kFirstWins, Termination::kDeclaration}, 0},
      {"9 2 declaration draw", {Result::kDraw, Termination::kDeclaration}, 2},
  };
  for (const auto& test : cases) {
    const RefereedGame game = PlayWith(SlotAt(test.start), TakeOne);
    EXPECT_EQ(game.ending, test.ending) << test.start;
    EXPECT_EQ(game.moves.size(), test.plies) << test.start;
    EXPECT_EQ(game.fault, "") << test.start;
  }
}

TEST(Referee, EndsAtThePlyCap) {
  PlaySpec spec = Spec();
  spec.match.max_plies = 5;
  const RefereedGame game = PlayWith(SlotAt("9"), TakeOne, spec);
  EXPECT_EQ(game.ending, (Ending{Result::kDraw, Termination::kMaxPlies}));
  EXPECT_EQ(game.moves.size(), 5u);
}

TEST(Referee, EndsInsideTheLineWhereTheRulesSaySo) {
  const RefereedGame game =
      PlayWith(SlotAt("9 2 repetition draw", {Move(1), Move(1), Move(1)}), TakeOne);
  EXPECT_EQ(game.ending.termination, Termination::kRepetition);
  EXPECT_EQ(game.moves.size(), 2u);
}

TEST(Referee, BelievesAResignation) {
  const auto resign = [](const GameLine& game, const Limits&) {
    Choice choice = Take(1);
    if (game.moves.size() == 3) choice.kind = Choice::Kind::kResign;
    return choice;
  };
  const RefereedGame game = PlayWith(SlotAt("9"), resign);
  EXPECT_EQ(game.ending, (Ending{Result::kFirstWins, Termination::kResign}));
  EXPECT_EQ(game.moves.size(), 3u);
  EXPECT_EQ(game.nodes, 40u);
}

TEST(Referee, CatchesAnIllegalMove) {
  const RefereedGame game =
      PlayWith(SlotAt("9", {Move(1)}), [](const GameLine&, const Limits&) { return Take(4); });
  EXPECT_EQ(game.ending, (Ending{Result::kNone, Termination::kIllegalMove}));
  EXPECT_THAT(game.moves, ElementsAre(Move(1)));
  EXPECT_THAT(game.fault, HasSubstr("ply 2: chose the illegal move take4"));
}

TEST(Referee, CatchesNoMove) {
  const RefereedGame game =
      PlayWith(SlotAt("9"), [](const GameLine&, const Limits&) { return Take(0); });
  EXPECT_EQ(game.ending.termination, Termination::kIllegalMove);
  EXPECT_THAT(game.fault, HasSubstr("none"));
}

TEST(Referee, CatchesADeclarationWithoutTheRightTo) {
  const RefereedGame game = PlayWith(SlotAt("9"), [](const GameLine&, const Limits&) {
    Choice choice;
    choice.kind = Choice::Kind::kDeclareWin;
    return choice;
  });
  EXPECT_EQ(game.ending, (Ending{Result::kNone, Termination::kIllegalMove}));
  EXPECT_THAT(game.fault, HasSubstr("declared"));
}

TEST(Referee, ExcludesMovesWhereTheLineEndsAndNowhereElse) {
  Slot slot = SlotAt("9", {Move(1)});
  slot.excluded = {Move(1), Move(2)};
  std::vector<size_t> excluded;
  const RefereedGame game = PlayWith(slot, [&](const GameLine& line, const Limits& limits) {
    excluded.push_back(limits.excluded.size());
    return Take(line.moves.size() == 1 ? 3 : 1);
  });
  EXPECT_EQ(game.ending.termination, Termination::kNoLegalMove);
  EXPECT_THAT(excluded, ElementsAre(2, 0, 0, 0, 0, 0));
}

TEST(Referee, CatchesAnExcludedMove) {
  Slot slot = SlotAt("9");
  slot.excluded = {Move(1)};
  const RefereedGame game = PlayWith(slot, TakeOne);
  EXPECT_EQ(game.ending.termination, Termination::kIllegalMove);
  EXPECT_THAT(game.fault, HasSubstr("excluded move take1"));
  EXPECT_TRUE(game.moves.empty());
}

TEST(Referee, PlaysFreelyWhereEveryMoveIsExcluded) {
  Slot slot = SlotAt("2");
  slot.excluded = {Move(1), Move(2)};
  const RefereedGame game = PlayWith(slot, [](const GameLine&, const Limits& limits) {
    EXPECT_TRUE(limits.excluded.empty());
    return Take(2);
  });
  EXPECT_EQ(game.ending.termination, Termination::kNoLegalMove);
}

TEST(Referee, TurnsThePlayersErrorsIntoTerminations) {
  const struct {
    absl::Status error;
    Termination termination;
  } cases[] = {
      {absl::UnavailableError("gone"), Termination::kCrash},
      {absl::DeadlineExceededError("silent"), Termination::kStall},
      {absl::CancelledError("stopped"), Termination::kInterrupted},
      {absl::InternalError("odd"), Termination::kCrash},
  };
  for (const auto& test : cases) {
    const RefereedGame chosen = PlayWith(
        SlotAt("9", {Move(1)}),
        [&](const GameLine&, const Limits&) -> absl::StatusOr<Choice> { return test.error; });
    EXPECT_EQ(chosen.ending, (Ending{Result::kNone, test.termination}));
    EXPECT_THAT(chosen.fault, HasSubstr(std::string(test.error.message())));
    EXPECT_EQ(chosen.moves.size(), 1u);

    ScriptedPlayer broken(TakeOne, test.error);
    const RefereedGame begun =
        PlayGame(StonesRules(), Spec(), SlotAt("9"), broken, [](int) { return true; });
    EXPECT_EQ(begun.ending, (Ending{Result::kNone, test.termination}));
  }
}

TEST(Referee, RefusesASlotThatTheRulesRefuse) {
  const RefereedGame start = PlayWith(SlotAt("no heap"), TakeOne);
  EXPECT_EQ(start.ending, (Ending{Result::kNone, Termination::kInterrupted}));
  EXPECT_THAT(start.fault, StartsWith("cannot play: start refused"));
  const RefereedGame line = PlayWith(SlotAt("9", {Move(1), Move(9)}), TakeOne);
  EXPECT_EQ(line.ending, (Ending{Result::kNone, Termination::kInterrupted}));
  EXPECT_THAT(line.fault, StartsWith("cannot play: line refused: illegal move take9 at ply 2"));
}

TEST(Referee, TakesAnyBitsForMovesOfALine) {
  ScriptedPlayer player([](const GameLine&, const Limits&) {
    Choice choice;
    choice.kind = Choice::Kind::kResign;
    return choice;
  });
  int legal = 0;
  for (uint32_t raw = 0; raw <= 0xffff; ++raw) {
    const Slot slot = SlotAt("startpos", {Move(static_cast<uint16_t>(raw))});
    const RefereedGame game =
        PlayGame(shogi::ShogiRules(), Spec(), slot, player, [](int) { return true; });
    if (game.ending.termination == Termination::kResign) {
      ++legal;
    } else {
      EXPECT_THAT(game.fault, HasSubstr("line refused"));
    }
  }
  EXPECT_EQ(legal, 30);
}

TEST(Referee, BreaksOffWhenToldTo) {
  ScriptedPlayer player(TakeOne);
  const RefereedGame game = PlayGame(StonesRules(), Spec(), SlotAt("9", {Move(1)}), player,
                                     [](int plies) { return plies < 3; });
  EXPECT_EQ(game.ending, (Ending{Result::kNone, Termination::kInterrupted}));
  EXPECT_EQ(game.moves.size(), 3u);
}

TEST(Referee, CutsAFaultTextToWhatTheWireTakes) {
  const RefereedGame game =
      PlayWith(SlotAt("9"), [](const GameLine&, const Limits&) -> absl::StatusOr<Choice> {
        return absl::UnavailableError(std::string(10'000, 'x'));
      });
  EXPECT_EQ(game.fault.size(), 500u);
}

// Scores of the side to move: First is lost from the start.
absl::StatusOr<Choice> FirstIsLost(const GameLine& game, const Limits&) {
  Choice choice = Take(1);
  choice.score = game.moves.size() % 2 == 0 ? -1000 : 1000;
  return choice;
}

TEST(Referee, KeepsTheScoresOfTheChoices) {
  PlaySpec spec = Spec();
  spec.keep_scores = true;
  const RefereedGame game = PlayWith(SlotAt("5", {Move(1)}), FirstIsLost, spec);
  EXPECT_EQ(game.ending.termination, Termination::kNoLegalMove);
  EXPECT_THAT(game.scores, ElementsAre(1000, -1000, 1000, -1000));
  EXPECT_TRUE(PlayWith(SlotAt("5", {Move(1)}), FirstIsLost).scores.empty());
}

TEST(Referee, ResignsByScoreAndPlaysSomeSlotsOn) {
  PlaySpec spec = Spec();
  spec.keep_scores = true;
  spec.resign = {.below = 1000, .moves = 2, .play_on_percent = 10};
  const RefereedGame game = PlayWith(SlotAt("9", {Move(1), Move(1)}), FirstIsLost, spec);
  EXPECT_EQ(game.ending, (Ending{Result::kSecondWins, Termination::kResign}));
  EXPECT_EQ(game.moves.size(), 4u) << "the move is not made";
  EXPECT_THAT(game.scores, ElementsAre(-1000, 1000));
  spec.resign.play_on_percent = 100;
  const RefereedGame played_on = PlayWith(SlotAt("9", {Move(1), Move(1)}), FirstIsLost, spec);
  EXPECT_EQ(played_on.ending.termination, Termination::kNoLegalMove);
  EXPECT_EQ(played_on.scores.size(), 7u);
}

TEST(Referee, ShowsWordsThatNameNoMove) {
  const RefereedGame game = PlayWith(SlotAt("9"), [](const GameLine&, const Limits&) {
    Choice choice;
    choice.words = "0000";
    return choice;
  });
  EXPECT_EQ(game.ending.termination, Termination::kIllegalMove);
  EXPECT_THAT(game.fault, HasSubstr("0000"));
}

TEST(LimitsFor, VariesTimeLikeNodes) {
  PlaySpec spec = Spec();
  spec.nodes = 0;
  spec.move_ms = 100;
  spec.jitter_percent = 20;
  std::set<uint32_t> limits;
  for (int ply = 0; ply < 500; ++ply) {
    const Limits limit = LimitsFor(spec, spec.nodes, 11, ply);
    EXPECT_EQ(limit.nodes, 0u);
    limits.insert(limit.move_ms);
  }
  EXPECT_EQ(*limits.begin(), 80u);
  EXPECT_EQ(*limits.rbegin(), 120u);
}

TEST(LimitsFor, VariesNodesByTheSeedWithinTheJitter) {
  PlaySpec spec = Spec();
  spec.jitter_percent = 20;
  std::set<uint64_t> limits;
  for (int ply = 0; ply < 500; ++ply) {
    const uint64_t limit = LimitsFor(spec, spec.nodes, 11, ply).nodes;
    EXPECT_GE(limit, 800u);
    EXPECT_LE(limit, 1200u);
    EXPECT_EQ(limit, LimitsFor(spec, spec.nodes, 11, ply).nodes);
    limits.insert(limit);
  }
  EXPECT_EQ(limits.size(), 41u);  // every percent from -20 to +20
  EXPECT_EQ(LimitsFor(spec, spec.nodes, 11, 3).nodes,
            1000 * (80 + Rng(11).Split(3).Below(41)) / 100);
  spec.jitter_percent = 0;
  EXPECT_EQ(LimitsFor(spec, spec.nodes, 11, 3).nodes, 1000u);
  spec.nodes = 1;
  spec.jitter_percent = 90;
  EXPECT_GE(LimitsFor(spec, spec.nodes, 11, 3).nodes, 1u);
}

}  // namespace
}  // namespace joseki::worker
