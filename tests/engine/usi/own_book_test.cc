#include "engine/usi/own_book.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/usi/dialogue.h"

namespace joseki::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

PackedPosition PackedAfter(std::initializer_list<const char*> moves) {
  shogi::Position position;
  for (const char* move : moves) {
    shogi::Undo undo;
    position.Do(*shogi::MoveFromUsi(move), undo);
  }
  return shogi::Pack(position);
}

// Knows the start positions and one more, and writes down what it is asked.
class FakeBook : public OwnBook {
 public:
  explicit FakeBook(std::vector<std::string>& asked) : asked_(asked) {}

  absl::Status Open(const std::string& file) override {
    asked_.push_back("open " + file);
    damaged_ = file == "damaged";
    if (file != "missing") return absl::OkStatus();
    return MakeProblem({.code = "file_error", .file = file, .found = "none", .expected = "a book"});
  }
  std::string Remark() const override { return damaged_ ? "left out: 2" : ""; }
  std::optional<BookReply> Ask(const PackedPosition& position, std::span<const Move> legal, int ply,
                               const BookOptions& options, uint64_t chance) override {
    asked_.push_back("ask " + std::to_string(ply));
    chances_.push_back(chance);
    EXPECT_FALSE(legal.empty());
    if (!options.use) return std::nullopt;
    // Its second move is none.
    if (position == xiangqi::Pack(xiangqi::Position())) {
      return BookReply{.move = *xiangqi::MoveFromUcci("h2e2"),
                       .ponder = *xiangqi::MoveFromUcci("h2e2"),
                       .value = 12,
                       .depth = 9};
    }
    const auto may = [&](const char* move) {
      return std::find(legal.begin(), legal.end(), *shogi::MoveFromUsi(move)) != legal.end();
    };
    if (position == PackedAfter({"2g2f", "8c8d"}) && may("2f2e")) {
      return BookReply{.move = *shogi::MoveFromUsi("2f2e")};
    }
    if (position != shogi::Pack(shogi::Position())) return std::nullopt;
    if (!may("2g2f")) return BookReply{.move = *shogi::MoveFromUsi("7g7f")};
    return BookReply{.move = *shogi::MoveFromUsi("2g2f"),
                     .ponder = *shogi::MoveFromUsi("8c8d"),
                     .value = 55,
                     .depth = 20};
  }

 private:
  std::vector<std::string>& asked_;
  std::vector<uint64_t> chances_;
  bool damaged_ = false;
};

class OwnBookTest : public ::testing::Test {
 protected:
  std::string Answer(const std::string& input) {
    return AnswerOf(ShogiMaker({.own = std::make_unique<FakeBook>(asked_)}), input);
  }

  std::vector<std::string> asked_;
};

TEST_F(OwnBookTest, ItsMoveIsPlayedAtOnce) {
  EXPECT_EQ(Answer("position startpos\ngo btime 1000 wtime 1000\n"),
            "info string book\n"
            "info depth 20 seldepth 0 score cp 55 nodes 0 nps 0 hashfull 0 time 0 pv 2g2f 8c8d\n"
            "bestmove 2g2f\n");
  EXPECT_THAT(Answer("setoption name USI_Ponder value true\nposition startpos\ngo nodes 10\n"),
              HasSubstr("bestmove 2g2f ponder 8c8d\n"));
}

TEST_F(OwnBookTest, TheSearchPlaysWhereItSaysNothing) {
  const std::string out = Answer("position startpos moves 7g7f\ngo nodes 100\n");
  EXPECT_THAT(out, Not(HasSubstr("info string book")));
  EXPECT_THAT(out, HasSubstr("bestmove "));
  EXPECT_THAT(asked_, ElementsAre("ask 2"));
}

TEST_F(OwnBookTest, IsNotAskedForAnAnalysisOrWithChosenMoves) {
  EXPECT_THAT(Answer("position startpos\ngo nodes 100 searchmoves 7g7f\n"),
              HasSubstr("bestmove 7g7f"));
  EXPECT_THAT(Answer("position startpos\ngo infinite\n"), Not(HasSubstr("book")));
  EXPECT_THAT(Answer("position startpos\ngo ponder nodes 10\n"), Not(HasSubstr("book")));
  EXPECT_TRUE(asked_.empty());
}

// The opponent's reply was that of the book, so the game is still in it.
TEST_F(OwnBookTest, AnswersAPonderHit) {
  const std::string out =
      Answer("position startpos moves 2g2f 8c8d\ngo ponder btime 1000 wtime 1000\nponderhit\n");
  EXPECT_THAT(out, HasSubstr("info string book\n"));
  EXPECT_THAT(out, HasSubstr("bestmove 2f2e\n"));
  EXPECT_THAT(asked_, ElementsAre("ask 3"));
}

TEST_F(OwnBookTest, IsNotAskedForAProblemWithOneKing) {
  EXPECT_THAT(Answer("position sfen 4k4/9/4P4/9/9/9/9/9/9 b Gg 1\ngo nodes 10\n"),
              HasSubstr("bestmove "));
  EXPECT_TRUE(asked_.empty());
}

TEST_F(OwnBookTest, IsNotAskedWhereAPositionComesBack) {
  EXPECT_THAT(Answer("position startpos moves 2h3h 8b7b 3h2h 7b8b\ngo nodes 100\n"),
              Not(HasSubstr("book")));
  EXPECT_TRUE(asked_.empty());
}

TEST_F(OwnBookTest, OptionsHaveTheUsualNames) {
  const std::string out = Answer("usi\n");
  for (const char* line : {"option name USI_OwnBook type check default true\n",
                           "option name BookFile type filename default no_book\n",
                           "option name BookMoves type spin default 1000 min 0 max 10000\n",
                           "option name BookIgnoreRate type spin default 0 min 0 max 100\n",
                           "option name BookEvalDiff type spin default 30 min 0 max 99999\n",
                           "option name FlippedBook type check default true\n",
                           "option name IgnoreBookPly type check default true\n",
                           "option name ConsiderBookMoveCount type check default false\n"}) {
    EXPECT_THAT(out, HasSubstr(line));
  }
  EXPECT_THAT(Answer("setoption name USI_OwnBook value false\nposition startpos\ngo nodes 50\n"),
              Not(HasSubstr("info string book")));
  EXPECT_THAT(Answer("setoption name BookMoves value -1\n"), HasSubstr("bad_option"));
}

// After a loss the last book move is not played again; once none is left there, the one before.
TEST_F(OwnBookTest, DoesNotLoseTheSameWayTwice) {
  const std::string first = "position startpos\ngo nodes 10\n";
  const std::string game =
      "usinewgame\n" + first + "position startpos moves 2g2f 8c8d\ngo nodes 10\n";
  const auto book_moves = [&](const std::string& input) {
    std::istringstream lines(Answer(input));
    std::string moves;
    bool by_book = false;
    for (std::string line; std::getline(lines, line);) {
      if (line == "info string book") by_book = true;
      if (by_book && line.rfind("bestmove ", 0) == 0) {
        moves += line.substr(9, 4) + " ";
        by_book = false;
      }
    }
    return moves;
  };
  const std::string on = "setoption name BookAvoidLosses value true\n";
  EXPECT_EQ(book_moves(on + game + "gameover lose\n" + game + "gameover lose\n" + game),
            "2g2f 2f2e 2g2f 7g7f ");
  EXPECT_EQ(book_moves(on + game + "gameover win\n" + game), "2g2f 2f2e 2g2f 2f2e ");
  EXPECT_EQ(book_moves(on + game + "gameover draw\n" + game), "2g2f 2f2e 2g2f 2f2e ");
  EXPECT_EQ(book_moves(game + "gameover lose\n" + game), "2g2f 2f2e 2g2f 2f2e ")
      << "without the option";
  EXPECT_EQ(book_moves(on + game + "usinewgame\ngameover lose\n" + game), "2g2f 2f2e 2g2f 2f2e ")
      << "another game, in which the book was not asked";
}

TEST_F(OwnBookTest, XiangqisEngineHasOneByItsProtocolsNames) {
  const auto answer = [&](const std::string& input) {
    return AnswerOf(XiangqiMaker(std::make_unique<FakeBook>(asked_)), input);
  };
  const std::string ucci = answer(
      "ucci\nsetoption bookfiles BOOK.DAT\nposition startpos\ngo time 1000 increment 0\nquit\n");
  EXPECT_THAT(ucci, HasSubstr("option usebook type check default true\n"));
  EXPECT_THAT(ucci, HasSubstr("option bookfiles type string default no_book\n"));
  EXPECT_THAT(ucci, HasSubstr("bestmove h2e2\n"));
  EXPECT_THAT(ucci, Not(HasSubstr("ponder h2e2"))) << "nobody may play it there";
  EXPECT_THAT(answer("ucci\nsetoption usebook false\nposition startpos\ngo nodes 50\nquit\n"),
              Not(HasSubstr("message book")));
  const std::string uci = answer(
      "uci\nsetoption name BookFile value BOOK.DAT\nposition startpos\ngo movetime 10\nquit\n");
  EXPECT_THAT(uci, HasSubstr("option name OwnBook type check default true\n"));
  EXPECT_THAT(uci, HasSubstr("info string book\n"));
  EXPECT_THAT(asked_, ElementsAre("open BOOK.DAT", "ask 1", "ask 1", "open BOOK.DAT", "ask 1"));
}

TEST_F(OwnBookTest, AFileThatCannotBeOpenedIsSaidSo) {
  EXPECT_THAT(Answer("setoption name BookFile value missing\n"), HasSubstr("file_error"));
  EXPECT_EQ(Answer("setoption name BookFile value book.probe\n"
                   "setoption name BookFile value book.probe\n"
                   "setoption name BookFile value no_book\n"),
            "");
  EXPECT_THAT(asked_, ElementsAre("open missing", "open book.probe", "open no_book"));
}

TEST_F(OwnBookTest, WhatCannotBeUsedOfABookIsSaid) {
  EXPECT_EQ(Answer("setoption name BookFile value damaged\n"), "info string left out: 2\n");
}

}  // namespace
}  // namespace joseki::usi
