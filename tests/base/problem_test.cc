#include "base/problem.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Problem, IsOneLine) {
  const absl::Status status = MakeProblem({.code = "illegal_move",
                                           .file = "a.csa",
                                           .line = 12,
                                           .found = "'+7775FU'",
                                           .expected = "a square the piece can reach"});
  EXPECT_EQ(status.message(),
            "a.csa:12: illegal_move: found '+7775FU', expected a square the piece can reach");
  EXPECT_TRUE(absl::IsInvalidArgument(status));
}

TEST(Problem, TravelsInItsParts) {
  const Problem problem =
      ProblemOf(MakeProblem({.code = "nifu", .file = "f", .line = 3, .found = "x", .expected = "y"},
                            absl::StatusCode::kDataLoss));
  EXPECT_EQ(problem.code, "nifu");
  EXPECT_EQ(problem.file, "f");
  EXPECT_EQ(problem.line, 3);
  EXPECT_EQ(problem.found, "x");
  EXPECT_EQ(problem.expected, "y");
}

TEST(Problem, OfAnotherErrorIsItsMessage) {
  const Problem problem = ProblemOf(absl::UnavailableError("no answer"));
  EXPECT_EQ(problem.code, "unavailable");
  EXPECT_EQ(problem.found, "no answer");
}

TEST(At, AddsThePlaceOnce) {
  absl::Status status = MakeProblem({.code = "bad_board", .found = "x"});
  status = At(At(status, "inner.csa", 4), "outer", 9);
  EXPECT_EQ(ProblemOf(status).file, "inner.csa");
  EXPECT_EQ(ProblemOf(status).line, 4);
  EXPECT_TRUE(At(absl::OkStatus(), "f").ok());
}

TEST(Quote, KeepsOneLine) {
  EXPECT_EQ(Quote("a\nb\xff"), "'a\\x0ab\\xff'");
  EXPECT_EQ(Quote("abcdef", 3), "'abc'...");
}

}  // namespace
}  // namespace joseki
