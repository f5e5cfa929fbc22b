#include "engine/usi/shogi/own_book.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "engine/shogi/sfen.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/engine/usi/dialogue.h"

namespace joseki::usi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Knows the start position alone, and writes down what it is asked.
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
  std::optional<BookReply> Ask(const shogi::Position& position, int ply, const BookOptions& options,
                               uint64_t chance) override {
    asked_.push_back("ask " + std::to_string(ply));
    chances_.push_back(chance);
    if (!options.use || position.key() != shogi::Position().key()) return std::nullopt;
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
