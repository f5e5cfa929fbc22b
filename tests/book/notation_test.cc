#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "book/records/move_notation.h"
#include "book/records/record.h"
#include "book/records/relative_move.h"
#include "book/records/shogi_notation.h"
#include "engine/shogi/sfen.h"
#include "engine/xiangqi/packed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/sample_positions.h"

namespace joseki::book {
namespace {

using ::joseki::testing::TestData;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The move that KI2's words mean in a position, or a problem's code.
std::string Meant(const char* sfen, std::string_view words) {
  const auto position = shogi::ParseSfen(sfen);
  EXPECT_TRUE(position.ok()) << position.status();
  const std::optional<RelativeMove> written = TakeRelativeMove(words, shogi::kNoSquare);
  if (!written.has_value() || !words.empty()) return "malformed";
  const absl::StatusOr<Move> move = Resolve(position->position, *written);
  return move.ok() ? shogi::ToUsi(*move) : ProblemOf(move.status()).code;
}

// Golds on 4i, 5i, 6i, 4h and 6h around 5h, all Black's; the kings far away.
constexpr char kGolds[] = "4k4/9/9/9/9/9/9/3G1G3/K2G1G3 b - 1";

TEST(RelativeMove, TellsPiecesApart) {
  EXPECT_EQ(Meant(kGolds, "５八金"), "ambiguous_move");
  EXPECT_EQ(Meant(kGolds, "５八金左"), "ambiguous_move");
  EXPECT_EQ(Meant(kGolds, "５八金左上"), "6i5h");
  EXPECT_EQ(Meant(kGolds, "５八金右上"), "4i5h");
  EXPECT_EQ(Meant(kGolds, "５八金左寄"), "6h5h");
  EXPECT_EQ(Meant(kGolds, "５八金右寄"), "4h5h");
  EXPECT_EQ(Meant(kGolds, "５八金引"), "illegal_move");
  EXPECT_EQ(Meant(kGolds, "５八金直"), "illegal_move");
  EXPECT_EQ(Meant("4k4/9/9/9/9/9/9/9/K2GGG3 b - 1", "５八金直"), "5i5h");
  EXPECT_EQ(Meant("4k4/9/9/9/9/9/9/9/K2GGG3 b - 1", "５八金右"), "4i5h");
}

TEST(RelativeMove, LeftIsThePlayersLeft) {
  constexpr char kWhite[] = "k2g1g3/9/9/9/9/9/9/9/4K4 w - 1";
  EXPECT_EQ(Meant(kWhite, "５二金左"), "4a5b");
  EXPECT_EQ(Meant(kWhite, "５二金右"), "6a5b");
}

TEST(RelativeMove, PiecesThatMoveFarAreLeftAndRightOfEachOther) {
  // Dragons straight behind 5e and to the right of it.
  constexpr char kDragons[] = "k8/9/9/9/7+R1/9/9/4+R4/K8 b - 1";
  EXPECT_EQ(Meant(kDragons, "５五龍左"), "5h5e");
  EXPECT_EQ(Meant(kDragons, "５五龍右"), "2e5e");
  EXPECT_EQ(Meant(kDragons, "５五竜上"), "5h5e");
  EXPECT_EQ(Meant(kDragons, "５五龍寄"), "2e5e");
}

TEST(RelativeMove, DropsAndPromotions) {
  constexpr char kRook[] = "k8/9/9/9/9/9/9/7R1/K8 b R 1";
  EXPECT_EQ(Meant(kRook, "２三飛成"), "2h2c+");
  EXPECT_EQ(Meant(kRook, "２三飛不成"), "2h2c");
  EXPECT_EQ(Meant(kRook, "２三飛"), "2h2c");
  EXPECT_EQ(Meant(kRook, "２三飛打"), "R*2c");
  EXPECT_EQ(Meant(kRook, "３三飛"), "R*3c");
  EXPECT_EQ(Meant(kRook, "３三金打"), "illegal_move");
  EXPECT_EQ(Meant(kRook, "３三龍打"), "illegal_move");
  EXPECT_EQ(Meant(kRook, "三三"), "malformed");
}

TEST(RelativeMove, ThePinnedOneOfTwoCannotBeMeant) {
  // The gold on 5h is pinned by the rook on 5a.
  EXPECT_EQ(Meant("k3r4/9/9/9/9/9/9/4GG3/4K4 b - 1", "４七金"), "4h4g");
  // A record that names it is wrong; it does not mean another move.
  EXPECT_EQ(Meant("k3r4/9/9/9/9/9/9/4GG3/4K4 b - 1", "４七金左"), "illegal_move");
}

struct NotationRead {
  std::vector<GameRecord> games;
  std::vector<std::string> variations;  // "line first moves"
  std::vector<std::string> problems;    // "line code found"
};

std::string Moves(const std::vector<Move>& moves) {
  std::string text;
  for (const Move move : moves) text += " " + shogi::ToUsi(move);
  return text;
}

NotationRead ReadNotation(std::string_view bytes) {
  NotationRead read;
  RecordSink sink;
  sink.accept = [&](GameRecord game) { read.games.push_back(std::move(game)); };
  sink.variation = [&](const Variation& v) {
    read.variations.push_back(std::to_string(v.line) + " " + std::to_string(v.first) +
                              Moves(v.moves));
  };
  sink.reject = [&](const absl::Status& status) {
    const Problem problem = ProblemOf(status);
    read.problems.push_back(std::to_string(problem.line) + " " + problem.code + " " +
                            problem.found);
  };
  ReadRecords(bytes, "f", sink);
  return read;
}

TEST(Variations, LeaveTheLineBeforeThem) {
  const NotationRead read = ReadNotation(
      "手合割：平手\n"
      "   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 ８四歩(83)\n"
      "変化：3手\n   3 ６六歩(67)\n   4 ８四歩(83)\n   5 中断\n"
      "変化：4手\n   4 ６二銀(71)\n"
      "変化：2手\n   2 ８四歩(83)\n   3 投了\n");
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_EQ(Moves(read.games[0].moves), " 7g7f 3c3d 2g2f 8c8d");
  EXPECT_EQ(read.games[0].result, Result::kNone);
  EXPECT_THAT(read.variations,
              ElementsAre("6 3 7g7f 3c3d 6g6f 8c8d", "10 4 7g7f 3c3d 6g6f 7a6b", "12 2 7g7f 8c8d"));
}

TEST(Variations, KeepWhatIsSoundAndReportTheRest) {
  const NotationRead read = ReadNotation(
      "手合割：平手\n"
      "   1 ７六歩(77)\n   2 ３四歩(33)\n"
      "変化：2手\n   2 ８四歩(83)\n   3 ２六歩(77)\n   4 ８五歩(84)\n"
      "変化：9手\n   9 ６二銀(71)\n"
      "変化：1手\n   1 ２六歩(27)\n   3 ８四歩(83)\n"
      "変化：2手\n   2 ８四歩(83)\n");
  ASSERT_EQ(read.games.size(), 1u);
  EXPECT_THAT(read.variations, ElementsAre("4 2 7g7f 8c8d", "10 1 2g2f", "13 2 2g2f 8c8d"));
  EXPECT_THAT(read.problems, ElementsAre("6 illegal_move '3 ２六歩(77)'",
                                         "8 bad_variation '変化：9手'", "12 bad_move_number 3"));
}

TEST(Variations, AreReadInEveryFormatThatHasThem) {
  const auto variations = [](const char* file) {
    return ReadNotation(*ReadFile(TestData(std::string("records/good/") + file).string()))
        .variations;
  };
  EXPECT_THAT(variations("varied.ki2"), ElementsAre("8 3 2g2f 8c8d 6i7h 8d8e"));
  EXPECT_THAT(variations("record.jkf"), ElementsAre("1 3 7g7f 3c3d 2g2f 4a3b"));
}

TEST(Variations, OfJkfMayStandInEachOther) {
  const NotationRead read = ReadNotation(
      R"({"moves": [{}, {"move": {"to": {"x": 7, "y": 6}, "piece": "FU"}},
          {"move": {"to": {"x": 3, "y": 4}, "piece": "FU"},
           "forks": [[{"move": {"to": {"x": 8, "y": 4}, "piece": "FU"}},
                      {"move": {"to": {"x": 2, "y": 6}, "piece": "FU"},
                       "forks": [[{"move": {"to": {"x": 6, "y": 6}, "piece": "FU"}}],
                                 [{"move": {"to": {"x": 6, "y": 5}, "piece": "FU"}}]]}]]},
          {"move": {"to": {"x": 6, "y": 6}, "piece": "FU"}}]})");
  EXPECT_EQ(Moves(read.games[0].moves), " 7g7f 3c3d 6g6f");
  EXPECT_THAT(read.variations, ElementsAre("1 2 7g7f 8c8d 2g2f", "1 3 7g7f 8c8d 6g6f"));
  EXPECT_THAT(read.problems,
              ElementsAre("1 illegal_move moves[2].forks[0][1].forks[1][0]: no such piece"));
}

std::vector<std::string> Opinions(const GameRecord& game) {
  std::vector<std::string> texts;
  for (const Opinion& o : game.opinions) {
    texts.push_back(std::to_string(o.ply) + ":" + std::to_string(o.value) + "/" +
                    std::to_string(o.depth));
  }
  return texts;
}

// They are written from Black's side and kept from the mover's.
TEST(Opinions, AreReadFromCommentsOfEveryKind) {
  const NotationRead csa = ReadNotation(
      "PI\n+\n'** 5 no move yet\n+7776FU\n'** 31 -8384FU\n-3334FU\n'** -120 +2726FU\n'*text\n"
      "+2726FU\n'** x\n%TORYO\n");
  EXPECT_THAT(Opinions(csa.games.at(0)), ElementsAre("1:31/0", "2:120/0"));
  const NotationRead kif = ReadNotation(
      "手合割：平手\n**対局 候補1 深さ 9 評価値 5\n   1 ７六歩(77)\n"
      "**対局 候補1 時間 00:02.2 深さ 24/31 ノード数 10917139 評価値 67 読み筋 ▲７六歩(77)\n"
      "**対局 候補2 深さ 24/31 評価値 60\n**解析 候補1 深さ 24 評価値 60\n"
      "   2 ３四歩(33)\n**対局 時間 00:00.0 深さ 13/13 ノード数 12893 評価値 -詰 5\n"
      "   3 ２六歩(27)\n**対局 評価値 0 読み筋 ▲２六歩(27)\n*普通の評価値 3\n"
      "   4 ８四歩(83)\n**評価値=80\n**深さ=7\n**評価値=99999999\n");
  EXPECT_THAT(Opinions(kif.games.at(0)), ElementsAre("1:67/24", "2:31995/13", "4:-80/7"));
  const NotationRead jkf = ReadNotation(*ReadFile(TestData("records/good/record.jkf").string()));
  EXPECT_THAT(Opinions(jkf.games.at(0)), ElementsAre("2:35/8"));
}

std::string Said(const char* sfen, const char* usi, ShogiNotation notation,
                 shogi::Square last_to = shogi::kNoSquare) {
  const auto position = shogi::ParseSfen(sfen);
  EXPECT_TRUE(position.ok()) << position.status();
  const auto move = shogi::ParseMove(position->position, usi);
  EXPECT_TRUE(move.ok()) << move.status();
  return NotationOf(position->position, *move, notation, last_to);
}

// The move that a user's text means, as USI, or a problem's code.
std::string ReadTyped(const char* sfen, std::string_view text,
                      shogi::Square last_to = shogi::kNoSquare) {
  const auto position = shogi::ParseSfen(sfen);
  EXPECT_TRUE(position.ok()) << position.status();
  const absl::StatusOr<Move> move = ParseNotation(position->position, text, last_to);
  return move.ok() ? shogi::ToUsi(*move) : ProblemOf(move.status()).code;
}

TEST(ShogiNotation, AsPeopleWriteIt) {
  EXPECT_EQ(Said("startpos", "7g7f", ShogiNotation::kUsi), "7g7f");
  EXPECT_EQ(Said("startpos", "7g7f", ShogiNotation::kJapanese), "７六歩");
  EXPECT_EQ(Said("startpos", "7g7f", ShogiNotation::kEnglish), "P-7f");
  // Two golds could go there.
  EXPECT_EQ(Said("startpos", "4i5h", ShogiNotation::kJapanese), "５八金右");
  EXPECT_EQ(Said("startpos", "4i5h", ShogiNotation::kEnglish), "G4i-5h");
  constexpr char kOpened[] = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
  EXPECT_EQ(Said(kOpened, "8h2b+", ShogiNotation::kJapanese), "２二角成");
  EXPECT_EQ(Said(kOpened, "8h2b", ShogiNotation::kJapanese), "２二角不成");
  EXPECT_EQ(Said(kOpened, "8h2b+", ShogiNotation::kEnglish), "Bx2b+");
  EXPECT_EQ(Said(kOpened, "8h2b", ShogiNotation::kEnglish), "Bx2b=");
  EXPECT_EQ(Said(kOpened, "8h2b", ShogiNotation::kJapanese, shogi::MakeSquare(2, 2)), "同角不成");
  constexpr char kDrops[] = "4k4/9/9/9/9/9/9/5R3/4K4 b RG 1";
  EXPECT_EQ(Said(kDrops, "R*4b", ShogiNotation::kJapanese), "４二飛打");
  EXPECT_EQ(Said(kDrops, "G*5e", ShogiNotation::kJapanese), "５五金");
  EXPECT_EQ(Said(kDrops, "R*4b", ShogiNotation::kEnglish), "R*4b");
  EXPECT_EQ(Said(kGolds, "6i5h", ShogiNotation::kJapanese), "５八金左上");
  EXPECT_EQ(Said("4k4/9/9/9/9/9/9/9/K2GGG3 b - 1", "5i5h", ShogiNotation::kJapanese), "５八金直");
  EXPECT_EQ(Said("9/1+P7/9/4k4/9/9/9/9/4K4 b - 1", "8b8a", ShogiNotation::kEnglish), "+P-8a");
}

TEST(ShogiNotation, ReadsEveryOne) {
  for (const char* const text :
       {"7g7f", "７六歩", "▲７六歩", "☗７六歩", "７六歩(77)", "76歩", "P-7f"}) {
    EXPECT_EQ(ReadTyped("startpos", text), "7g7f") << text;
  }
  EXPECT_EQ(ReadTyped("startpos", "G4i-5h"), "4i5h");
  EXPECT_EQ(ReadTyped("startpos", "G-5h"), "ambiguous_move");
  EXPECT_EQ(ReadTyped("startpos", "５八金"), "ambiguous_move");
  EXPECT_EQ(ReadTyped("startpos", "△７六歩"), "illegal_move");
  EXPECT_EQ(ReadTyped("startpos", "P-7e"), "illegal_move");
  EXPECT_EQ(ReadTyped("startpos", "S7g-7f"), "illegal_move");
  EXPECT_EQ(ReadTyped("startpos", "同歩"), "malformed_move");
  EXPECT_EQ(ReadTyped("startpos", "同歩", shogi::MakeSquare(7, 6)), "7g7f");
  for (const char* const text : {"", "P", "P7f", "P-7", "P-7f+x", "7六", "K*5e", "x"}) {
    EXPECT_EQ(ReadTyped("startpos", text), "malformed_move") << text;
  }
}

TEST(ShogiNotation, WhatIsWrittenIsReadBack) {
  for (const shogi::Position& position : shogi::SamplePositions(7, 6, 5)) {
    shogi::MoveList moves;
    position.Generate<GenType::kAll>(moves);
    for (const Move move : moves) {
      for (const ShogiNotation notation :
           {ShogiNotation::kUsi, ShogiNotation::kJapanese, ShogiNotation::kEnglish}) {
        for (const shogi::Square last : {shogi::kNoSquare, move.to()}) {
          const std::string text = NotationOf(position, move, notation, last);
          const absl::StatusOr<Move> read = ParseNotation(position, text, last);
          ASSERT_TRUE(read.ok()) << shogi::ToSfen(position, 1) << " " << text << read.status();
          ASSERT_EQ(*read, move) << shogi::ToSfen(position, 1) << " " << text;
        }
      }
    }
  }
}

TEST(MoveNotation, EveryGameHasOneForEachLanguage) {
  EXPECT_EQ(UsualNotation("shogi", "en").name, "usi");
  EXPECT_EQ(UsualNotation("shogi", "ja").name, "ja");
  EXPECT_EQ(UsualNotation("xiangqi", "en").name, "iccs");
  EXPECT_EQ(UsualNotation("xiangqi", "ja").name, "zh");
  EXPECT_EQ(NotationNamed("xiangqi", "usi"), nullptr);
  const PackedPosition start = xiangqi::Pack(xiangqi::Position());
  for (const char* const text : {"h2e2", "H2-E2", "C2=5", "炮二平五"}) {
    const absl::StatusOr<Move> move = ReadMove("xiangqi", start, text, Move());
    ASSERT_TRUE(move.ok()) << move.status();
    EXPECT_EQ(NotationNamed("xiangqi", "wxf")->write(start, *move, Move()), "C2=5");
    EXPECT_EQ(NotationNamed("xiangqi", "zh")->write(start, *move, Move()), "炮二平五");
  }
  EXPECT_EQ(ProblemOf(ReadMove("go", start, "D4", Move()).status()).code, "unknown_game");
}

}  // namespace
}  // namespace joseki::book
