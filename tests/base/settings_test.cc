#include "base/settings.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

class SettingsTest : public ::testing::Test {
 protected:
  SettingsTest() {
    app_.fallthrough();
    app_.add_flag("--json", json_);
    for (const char* const name : {"status", "tune"}) {
      CLI::App* const command = app_.add_subcommand(name);
      command->add_option("--coordinator", address_);
      CLI::Option* const folder = command->add_option("--tls", folder_name_);
      command->add_option("--tls-ca", authority_)->excludes(folder);
      command->add_option("--label", labels_)->allow_extra_args(false);
    }
    CLI::App* const run = app_.add_subcommand("run");
    run->add_subcommand("create")->add_option("--games", games_);
    AddSettingsOption(app_, options_);
  }

  std::string File(const std::string& text) {
    const std::string path = folder_ / "joseki.toml";
    EXPECT_TRUE(WriteFileAtomically(path, text).ok());
    return path;
  }

  absl::StatusOr<Arguments> With(Arguments arguments) {
    return WithSettings(
        app_, options_, std::move(arguments),
        [this](const char* name) {
          const auto at = environment_.find(name);
          return at == environment_.end() ? nullptr : at->second.c_str();
        },
        places_);
  }
  Arguments Got(Arguments arguments) {
    absl::StatusOr<Arguments> got = With(std::move(arguments));
    EXPECT_TRUE(got.ok()) << got.status();
    return got.ok() ? *std::move(got) : Arguments();
  }

  testing::TempFolder folder_;
  std::map<std::string, std::string> environment_;
  SettingPlaces places_;
  CLI::App app_;
  bool json_ = false;
  int games_ = 0;
  std::string address_, folder_name_, authority_;
  std::vector<std::string> labels_;
  const SettingsOptions options_ = {.section = "joseki", .prefix = "JOSEKI_", .apart = {"tune"}};
};

TEST_F(SettingsTest, TheCommandLineAloneStaysAsItIs) {
  EXPECT_THAT(Got({"status", "--coordinator", "a:1"}),
              ElementsAre("status", "--coordinator", "a:1"));
}

TEST_F(SettingsTest, CommandLineThenEnvironmentThenFile) {
  environment_["JOSEKI_SETTINGS"] = File(
      "# ours\n[joseki]\ncoordinator = \"file:1\"\ntls = 'file-folder'\njson = true\n"
      "[joseki-worker]\nslots = 8\n");
  EXPECT_THAT(Got({"status"}),
              ElementsAre("status", "--coordinator=file:1", "--json", "--tls=file-folder"));
  environment_["JOSEKI_COORDINATOR"] = "environment:1";
  EXPECT_THAT(Got({"status"}),
              ElementsAre("status", "--coordinator=environment:1", "--json", "--tls=file-folder"));
  EXPECT_THAT(Got({"status", "--coordinator=given:1", "--json", "--tls", "x"}),
              ElementsAre("status", "--coordinator=given:1", "--json", "--tls", "x"));
}

TEST_F(SettingsTest, WhatIsGivenTakesWhatItExcludesAway) {
  environment_["JOSEKI_TLS"] = "folder";
  EXPECT_THAT(Got({"status"}), ElementsAre("status", "--tls=folder"));
  EXPECT_THAT(Got({"status", "--tls-ca", "ca.pem"}), ElementsAre("status", "--tls-ca", "ca.pem"));
}

TEST_F(SettingsTest, OnlyCommandsThatHaveTheOptionGetIt) {
  environment_["JOSEKI_COORDINATOR"] = "environment:1";
  EXPECT_THAT(Got({"run", "create"}), ElementsAre("run", "create"));
  EXPECT_THAT(Got({"tune"}), ElementsAre("tune"));  // apart
  const std::string file = File(
      "[joseki]\ngames = 5\ncoordinator = \"general:1\"\n[joseki.run.create]\ngames = 7\n"
      "[joseki.tune]\ncoordinator = \"tune:1\"\n");
  EXPECT_THAT(Got({"--settings", file, "run", "create"}),
              ElementsAre("--settings", file, "run", "create", "--games=7"));
  EXPECT_THAT(Got({"tune", "--settings=" + file}),
              ElementsAre("tune", "--settings=" + file, "--coordinator=tune:1"));
}

TEST_F(SettingsTest, ListsAreOptionsSeveralTimesAndFlagsMaySayNo) {
  const std::string file = File("[joseki]\nlabel = [\"a=1\", \"b=2\"]\njson = false\n");
  EXPECT_THAT(Got({"--settings", file, "status", "--", "x"}),
              ElementsAre("--settings", file, "status", "--label=a=1", "--label=b=2", "--", "x"));
}

TEST_F(SettingsTest, TheParserTakesIt) {
  environment_["JOSEKI_JSON"] = "1";
  environment_["JOSEKI_LABEL"] = "room=b c";
  Arguments arguments = Got({"status", "--coordinator", "a:1"});
  std::reverse(arguments.begin(), arguments.end());
  app_.parse(std::move(arguments));
  EXPECT_TRUE(json_);
  EXPECT_EQ(address_, "a:1");
  EXPECT_THAT(labels_, ElementsAre("room=b c"));
}

TEST_F(SettingsTest, AWrongFileIsRefused) {
  const auto code = [&](const std::string& text) {
    const absl::StatusOr<Arguments> got = With({"--settings", File(text), "status"});
    EXPECT_FALSE(got.ok()) << text;
    if (got.ok()) return std::string();
    EXPECT_THAT(ProblemOf(got.status()).file, HasSubstr("joseki.toml"));
    return ProblemOf(got.status()).code;
  };
  EXPECT_EQ(code("[joseki]\ncoordinater = \"a:1\"\n"), "unknown_setting");
  EXPECT_EQ(code("[joseki.status]\ngames = 3\n"), "unknown_setting");  // of another command
  EXPECT_EQ(code("[joseki.statis]\ncoordinator = \"a:1\"\n"), "unknown_setting");
  EXPECT_EQ(code("coordinator = \"a:1\"\n"), "unknown_setting");
  EXPECT_EQ(code("[worker]\nslots = 3\n"), "unknown_setting");
  EXPECT_EQ(code("[joseki]\nhelp = true\n"), "unknown_setting");
  EXPECT_EQ(code("[joseki.nonsense]\n"), "unknown_setting");
  EXPECT_EQ(code("[joseki]\njson = \"maybe\"\n"), "bad_setting");
  EXPECT_EQ(code("[joseki]\ntls = \"certs\n"), "bad_settings");
  EXPECT_EQ(ProblemOf(With({"--settings=/no/such.toml", "status"}).status()).code, "settings_file");
}

TEST_F(SettingsTest, ErrorsHaveTheirLine) {
  const auto line = [&](const std::string& text) {
    return ProblemOf(With({"--settings", File(text), "status"}).status()).line;
  };
  EXPECT_EQ(line("[joseki]\n# a word\ncoordinater = \"a:1\"\n"), 3);
  EXPECT_EQ(line("[joseki]\n\n[jokeski]\n"), 3);
  EXPECT_EQ(line("[joseki]\njson = 7\n"), 2);
}

// The parser's errors name the place of the value.
TEST_F(SettingsTest, ABadValueHasItsPlace) {
  environment_["JOSEKI_JSON"] = "yes";
  const std::string file = File("[joseki.run.create]\n\ngames = 'abc'\n");
  Arguments arguments = Got({"--settings", file, "run", "create"});
  std::reverse(arguments.begin(), arguments.end());
  try {
    app_.parse(std::move(arguments));
    FAIL();
  } catch (const CLI::ParseError& error) {
    const Problem problem = ProblemOf(UsageError(error.what(), "joseki", places_));
    EXPECT_EQ(problem.code, "usage");
    EXPECT_EQ(problem.file, file);
    EXPECT_EQ(problem.line, 3);
    EXPECT_THAT(problem.found, HasSubstr("abc"));
  }
  EXPECT_EQ(ProblemOf(UsageError("--json: no", "joseki", places_)).file, "JOSEKI_JSON");
  EXPECT_EQ(ProblemOf(UsageError("--games-of: no", "joseki", places_)).file, "");
}

TEST_F(SettingsTest, TooFewAndTooManyValuesAreSaidInPlainWords) {
  const auto said = [this](const std::string& line) {
    try {
      app_.parse(line);
    } catch (const CLI::ParseError& error) {
      return ProblemOf(UsageError(error.what(), "joseki", {})).found;
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said("run create --games"), "--games needs a value");
  EXPECT_EQ(said("run create --games 1 --games 2"), "--games takes one value, and has 2");
  EXPECT_THAT(said("run create --games x"), HasSubstr("x"));
}

TEST_F(SettingsTest, AFlagOfTheEnvironmentIsYesOrNo) {
  environment_["JOSEKI_JSON"] = "off";
  EXPECT_THAT(Got({"status"}), ElementsAre("status"));
  environment_["JOSEKI_JSON"] = "maybe";
  const Problem problem = ProblemOf(With({"status"}).status());
  EXPECT_EQ(problem.code, "bad_setting");
  EXPECT_EQ(problem.file, "JOSEKI_JSON");
}

}  // namespace
}  // namespace joseki
