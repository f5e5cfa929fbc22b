// The moves of a position, as every command shows them, and what may be said of them.

#include "cli/move_table.h"

#include <sstream>
#include <string>

#include "cli/run/start_moves.h"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using coordinator::ExportBook;
using coordinator::MoveEvidence;
using coordinator::PositionEvidence;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MoveTableTest : public ::testing::Test {
 protected:
  MoveEvidence Of(const std::string& move, book::Evidence evidence, double low, double high,
                  bool answer = false) {
    MoveEvidence of;
    of.move = *rules_.MoveOf(move);
    of.weight = 0.6131;
    of.evidence = evidence;
    of.score_low = low;
    of.score_high = high;
    of.base_weight = 3;
    of.answer = answer;
    return of;
  }
  std::string Table(const PositionEvidence& after, const coordinator::RunSpec& spec,
                    const Voice& voice = Voice()) {
    std::ostringstream out;
    PrintStartMoves(after, spec, rules_, voice, out);
    return out.str();
  }
  static std::string LineWith(const std::string& text, const std::string& word) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(word) != std::string::npos) return line;
    }
    return "";
  }

  const Rules& rules_ = shogi::ShogiRules();
};

// A weight by games alone is not to be compared with what searches and trials say of others.
TEST_F(MoveTableTest, AMoveThatSearchesDoNotKnowHasNoValue) {
  ExportBook::Position position;
  position.moves = {{.move = *rules_.MoveOf("7g7f"), .weight = 0.512, .expected = 0.512},
                    {.move = *rules_.MoveOf("2g2f"), .weight = 0.9}};
  const auto words = [&](size_t i) {
    return EvidenceWords(position, position.moves[i], RowsOf::kScore);
  };
  EXPECT_EQ(WeightIn(position, position.moves[0]), 0.512);
  EXPECT_EQ(WeightIn(position, position.moves[1]), std::nullopt);
  EXPECT_THAT(words(0), HasSubstr("51.2"));
  EXPECT_EQ(words(1), "nothing known");
  // Without searches the policy's weights stand.
  position.moves[0].expected.reset();
  EXPECT_EQ(WeightIn(position, position.moves[1]), 0.9);
  EXPECT_THAT(words(1), HasSubstr("90.0"));
}

TEST_F(MoveTableTest, NamesOneThingByOneNumber) {
  PositionEvidence after;
  after.moves = {Of("2g2f", {.wins = 130, .draws = 3, .losses = 92, .repeats = 58}, 0.5, 0.6, true),
                 Of("7g7f", {}, 0, 1)};
  after.moves[1].base_weight = 9;
  coordinator::RunSpec spec;
  spec.policy = "response";
  const std::string table = Table(after, spec);
  EXPECT_THAT(LineWith(table, "interval"),
              HasSubstr("move     input      value    games different"));
  // Played, different, decided: 283, 225, 222, of which the score and its interval are made.
  EXPECT_EQ(LineWith(table, "* 2g2f"),
            "* 2g2f    25.0 %     61.3 %      283       225     130       3      92  58.6 %  50.0 "
            "to 60.0 %");
  EXPECT_THAT(LineWith(table, "7g7f"),
              AllOf(HasSubstr("75.0 %"), HasSubstr("the answer before"), Not(HasSubstr(" to "))));
  EXPECT_THAT(table, HasSubstr("value: the score that searches and trials expect (-: of other "
                               "moves alone), or else the policy"));
  // Of equal weights each was the answer.
  PositionEvidence equal = after;
  equal.moves[1].base_weight = equal.moves[0].base_weight;
  EXPECT_THAT(Table(equal, spec), Not(HasSubstr("the answer before")));
  // The policy's value of another move is of another kind if searches and trials choose.
  after.moves[0].expected = after.moves[0].weight;
  EXPECT_THAT(LineWith(Table(after, spec), "* 2g2f"), HasSubstr(" 61.3 % "));
  EXPECT_THAT(LineWith(Table(after, spec), "7g7f"), HasSubstr("75.0 %          - "));
  after.moves[0].expected.reset();
  // Points are no score.
  spec.policy = "result-driven";
  after.moves[0].weight = 1536;
  EXPECT_THAT(LineWith(Table(after, spec), "* 2g2f"), HasSubstr(" 1536 "));
  EXPECT_THAT(Table(after, spec), Not(HasSubstr("value")));
}

TEST_F(MoveTableTest, SpeaksJapanese) {
  PositionEvidence after;
  after.position = "startpos";
  after.moves = {Of("7g7f", {.wins = 30, .losses = 10}, 0.6, 0.86, true), Of("2g2f", {}, 0, 1)};
  const Voice voice(Language::kJapanese, "");
  coordinator::RunSpec spec;
  spec.policy = "response";
  const std::string table = Table(after, spec, voice);
  EXPECT_EQ(
      LineWith(table, "指し手"),
      "  指し手      元       評価     対局    異なる      勝      分      負    勝率  95 % 区間");
  EXPECT_EQ(LineWith(table, "* ７六歩"),
            "* ７六歩  50.0 %     61.3 %       40        40      30       0      10  75.0 %  "
            "60.0〜86.0 %");
  EXPECT_EQ(Verdict(after, rules_, voice),
            "７六歩 が最善とは未証明: ７六歩 (勝負のついた 40 局の 75.0 % (60.0〜86.0 %)) "
            "は対局のある他の手より上ですが、2 手のうち 1 手に対局がありません。");
  EXPECT_THAT(Verdict(after, rules_, Voice(Language::kEnglish, "en")), HasSubstr("that P-7f is"));
}

TEST_F(MoveTableTest, ABookWithoutARunShowsItsGamesAndShares) {
  ExportBook::Move played;
  played.move = *rules_.MoveOf("7g7f");
  played.games = 3;
  played.evidence = {.wins = 1, .draws = 0, .losses = 1};
  played.weight = 3;
  played.answer = true;
  ExportBook::Move counted;
  counted.move = *rules_.MoveOf("2g2f");
  counted.book_count = 1;
  ExportBook::Position position;
  position.packed = (*rules_.Start("startpos", MatchRules{}))->packed();
  position.moves = {played, counted};
  const std::vector<MoveRow> rows = RowsFor(position, RowsOf::kBook, rules_, Voice());
  EXPECT_EQ(rows[0].share, 0.75);
  EXPECT_EQ(rows[0].games, 3);
  EXPECT_EQ(rows[1].share, 0.25);
  std::ostringstream out;
  PrintMoveTable(rows, RowsOf::kBook, Voice(), out);
  EXPECT_THAT(out.str(), Not(HasSubstr("different")));
  EXPECT_THAT(LineWith(out.str(), "* 7g7f"), HasSubstr("50.0 %"));
}

TEST_F(MoveTableTest, ComparesTheAnswerWithMovesThatHaveGames) {
  PositionEvidence after;
  after.moves = {Of("7g7f", {.wins = 30, .losses = 10}, 0.6, 0.86, true), Of("2h3h", {}, 0, 1)};
  EXPECT_EQ(Verdict(after, rules_),
            "Not proven that 7g7f is the best move: 7g7f, 75.0 % of 40 decided games (60.0 to 86.0 "
            "%), lies above the others with games, but 1 of 2 moves have none.");
  EXPECT_FALSE(AnswerStandsOut(after));
  after.moves[1] = Of("2h3h", {.wins = 1, .losses = 1}, 0.1, 0.9);
  EXPECT_EQ(Verdict(after, rules_),
            "Not proven that 7g7f is the best move: the intervals of 7g7f, 75.0 % of 40 decided "
            "games (60.0 to 86.0 %), and 2h3h, 50.0 % of 2 decided games (10.0 to 90.0 %), "
            "overlap.");
  after.moves[1] = Of("2h3h", {.wins = 1, .losses = 30}, 0.1, 0.2);
  EXPECT_EQ(Verdict(after, rules_),
            "Proven under this engine and limit: 7g7f, 75.0 % of 40 decided games (60.0 to 86.0 "
            "%), lies above all other moves.");
  EXPECT_TRUE(AnswerStandsOut(after));
  after.moves[0] = Of("7g7f", {}, 0, 1, true);
  EXPECT_THAT(Verdict(after, rules_), HasSubstr("has no decided game"));
}

}  // namespace
}  // namespace joseki::cli
