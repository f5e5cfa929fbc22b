#include "cli/run/search_notice.h"

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "engine/shogi/shogi_rules.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::cli {
namespace {

using ::testing::HasSubstr;

// The notice of `joseki run create` with these options, over a book of `positions`.
std::string NoticeOf(std::vector<std::string> words, uint64_t positions = 1000) {
  CLI::App app;
  SpecArguments arguments;
  AddSpecOptions(app, arguments);
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  const auto spec = SpecOf(arguments, shogi::ShogiRules());
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? SearchNotice(arguments, *spec, positions, Voice()) : "";
}

TEST(SearchNotice, SaysWhenABudgetIsTooSmallForABook) {
  // Nine tenths of a game go to searches, and six tenths of these are no trials: nine positions.
  EXPECT_EQ(NoticeOf({"--games", "100"}),
            "the budget pays for at most 972 searches, and the book has 1000 positions; where no "
            "search comes, the tuned book ends\n");
  EXPECT_EQ(NoticeOf({"--games", "103"}), "");
  EXPECT_EQ(NoticeOf({"--games", "100"}, 972), "");
  EXPECT_THAT(NoticeOf({"--games", "1000", "--search-nodes", "20000", "--nodes", "300"}),
              HasSubstr("at most 729 searches"));
  EXPECT_EQ(NoticeOf({"--games", "5000", "--nodes", "300"}, 2000), "") << "the quickstart";
  EXPECT_EQ(NoticeOf({"--hours", "1"}), "") << "nobody knows how many";
  EXPECT_EQ(NoticeOf({"--games", "2", "--no-search"}), "");
}

TEST(SearchNotice, SaysWhenOnlyALimitOfNodesIsMissing) {
  const std::string alone = NoticeOf({"--games", "100", "--move-ms", "50"});
  EXPECT_THAT(alone, HasSubstr("games alone: searches along lines need a limit of nodes"));
  EXPECT_EQ(NoticeOf({"--goal", "robust", "--move-ms", "50"}), alone);
  // Others have no searches anyway.
  EXPECT_EQ(NoticeOf({"--move-ms", "50", "--no-search"}), "");
  EXPECT_EQ(NoticeOf({"--move-ms", "50", "--no-scores"}), "");
  EXPECT_EQ(NoticeOf({"--move-ms", "50", "--policy", "ucb1"}), "");
}

}  // namespace
}  // namespace joseki::cli
