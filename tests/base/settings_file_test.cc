#include "base/settings_file.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Words(const std::string& text) {
  const auto settings = ParseSettings(text, "s.toml");
  EXPECT_TRUE(settings.ok()) << settings.status();
  std::vector<std::string> words;
  if (!settings.ok()) return words;
  for (const Setting& setting : *settings) {
    std::string word = absl::StrCat(setting.line, " ");
    for (const std::string& name : setting.section) absl::StrAppend(&word, name, "/");
    absl::StrAppend(&word, setting.name);
    for (const std::string& value : setting.values) absl::StrAppend(&word, "|", value);
    words.push_back(word);
  }
  return words;
}

TEST(SettingsFile, ReadsWhatPeopleWrite) {
  EXPECT_THAT(
      Words("# ours\r\n[a]\r\nb = \"x # y, z\" # w\r\nc='\\n'\n[ a . \"d e\" ]\nf = -1.5\n"),
      ElementsAre("2 a/", "3 a/b|x # y, z", "4 a/c|\\n", "5 a/d e/", "6 a/d e/f|-1.5"));
  EXPECT_THAT(Words("l = [\"a=1\",\n  # more\n 2, true,\n]\nm = []\nn = \"\\\"\\\\\\t\""),
              ElementsAre("1 l|a=1|2|true", "5 m", "6 n|\"\\\t"));
  EXPECT_THAT(Words(""), ElementsAre());
}

TEST(SettingsFile, RefusesTheRestByLine) {
  std::string deep = "[a";
  for (int i = 0; i < 5000; ++i) deep += ".a";
  for (const std::string& wrong : {std::string("a = \"x"),
                                   std::string("a = \"x\nb = \"y\""),
                                   std::string("a = 'x"),
                                   std::string("a"),
                                   std::string("a ="),
                                   std::string("a = word"),
                                   std::string("a = [1, 2"),
                                   std::string("a = [1 2]"),
                                   std::string("a = 1 2"),
                                   std::string("[a"),
                                   std::string("[]"),
                                   std::string("[a.]"),
                                   std::string("a = \"\\x\""),
                                   std::string("= 1"),
                                   std::string("a = [[1]]"),
                                   std::string("\"a = 1"),
                                   deep + "]",
                                   std::string("]"),
                                   std::string("[a] b = 1"),
                                   std::string("c = 1\na = 2\na = 3")}) {
    const auto settings = ParseSettings("\n[z]\n" + wrong + "\n", "s.toml");
    ASSERT_FALSE(settings.ok()) << wrong.substr(0, 60);
    const Problem problem = ProblemOf(settings.status());
    EXPECT_EQ(problem.code, "bad_settings") << wrong.substr(0, 60);
    EXPECT_EQ(problem.file, "s.toml");
    EXPECT_GE(problem.line, 3);
    EXPECT_LE(problem.line, 5);
  }
}

TEST(SettingsFile, EndsWithAFileThatDoesNot) {
  EXPECT_EQ(ProblemOf(ReadSettings("/dev/zero").status()).code, "settings_file");
  EXPECT_EQ(ProblemOf(ReadSettings("/").status()).code, "settings_file");
}

}  // namespace
}  // namespace joseki
