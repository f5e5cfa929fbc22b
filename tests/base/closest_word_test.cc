#include "base/closest_word.h"

#include <vector>

#include "gtest/gtest.h"

namespace joseki {
namespace {

const std::vector<std::string> kWords = {"status", "workers", "yaneuraou-db", "ucb1", "ucb1-tuned"};

TEST(ClosestWord, IsThatOfTheFewestEdits) {
  EXPECT_EQ(ClosestWord("staus", kWords), "status");      // left out
  EXPECT_EQ(ClosestWord("sttaus", kWords), "status");     // exchanged
  EXPECT_EQ(ClosestWord("workerss", kWords), "workers");  // added
  EXPECT_EQ(ClosestWord("ucb2", kWords), "ucb1");         // changed
}

TEST(ClosestWord, MayBeginOrEndWithIt) {
  EXPECT_EQ(ClosestWord("yane", kWords), "yaneuraou-db");
  EXPECT_EQ(ClosestWord("db", kWords), "yaneuraou-db");
}

TEST(ClosestWord, IsNoneFarAway) {
  EXPECT_EQ(ClosestWord("import", kWords), "");
  EXPECT_EQ(ClosestWord("", kWords), "");
  EXPECT_EQ(ClosestWord("x", kWords), "");
  EXPECT_EQ(ClosestWord(std::string(1000, 's'), kWords), "");
  EXPECT_EQ(DidYouMean("import", kWords), "");
  EXPECT_EQ(DidYouMean("staus", kWords), "; did you mean status?");
}

}  // namespace
}  // namespace joseki
