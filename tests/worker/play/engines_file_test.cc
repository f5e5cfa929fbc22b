#include "worker/play/usi/engines_file.h"

#include <string>

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<EngineEntries> Parse(const std::string& json) {
  return ParseEnginesFile(json, "/cfg", "/nowhere:/bin");
}

TEST(EnginesFile, ReadsEveryKey) {
  const auto entries = Parse(R"({
    // people write comments
    "profiles": {"mine": {"like": "gpsshogi", "go_movetime": true, "arguments": ["-n", "{nodes}"],
                          "exclusion": "multipv", "drop_sign": "@", "options": {"Book": "off"}}},
    "engines": {
      "a-1": {"command": "../bin/a", "arguments": ["-x"], "folder": "work", "profile": "mine",
              "options": {"K": "V"}, "weights": "/w/nn.bin", "hash_mb": 64, "threads": 2,
              "deterministic": true, "strict_options": true, "pin": true, "cores": 2,
              "memory_mb": 500, "allow_options": ["MultiPV"], "start_seconds": 5,
              "answer_seconds": 0.5},
      "b": {"command": "sh"}}})");
  ASSERT_TRUE(entries.ok()) << entries.status();
  const EngineEntry& a = entries->at("a-1");
  EXPECT_THAT(a.arguments, ElementsAre("/bin/a", "-x"));
  EXPECT_EQ(a.folder, "/cfg/work");
  EXPECT_EQ(a.weights, "/w/nn.bin");
  EXPECT_EQ(a.dialect.name, "mine");
  EXPECT_FALSE(a.dialect.go_nodes);
  EXPECT_TRUE(a.dialect.go_movetime);
  EXPECT_EQ(a.dialect.exclusion, Dialect::Exclusion::kMultiPv);
  EXPECT_EQ(a.dialect.drop_sign, '@');
  EXPECT_EQ(a.dialect.options.at("Book"), "off");
  EXPECT_EQ(a.dialect.options.at("BookDepth"), "0");
  EXPECT_EQ(a.options.at("K"), "V");
  EXPECT_EQ(a.hash_mb, 64);
  EXPECT_EQ(a.threads, 2);
  EXPECT_TRUE(a.deterministic && a.strict_options && a.pin);
  EXPECT_EQ(a.cores, 2u);
  EXPECT_EQ(a.memory_mb, 500u);
  EXPECT_EQ(a.allow_options.count("MultiPV"), 1u);
  EXPECT_EQ(a.start_limit, absl::Seconds(5));
  EXPECT_EQ(a.reply_limit, absl::Milliseconds(500));
  const EngineEntry& b = entries->at("b");
  EXPECT_THAT(b.arguments, ElementsAre("/bin/sh"));
  EXPECT_EQ(b.dialect.name, "generic");
  EXPECT_FALSE(b.deterministic);
}

TEST(EnginesFile, NamesWhatIsWrong) {
  const struct {
    const char* json;
    const char* key;
  } cases[] = {
      {"", ""},
      {"[]", "file"},
      {"{}", "engines"},
      {R"({"engines": []})", "engines"},
      {R"({"engines": {}, "more": 1})", "file"},
      {R"({"engines": {"A": {"command": "sh"}}})", "engines"},
      {R"({"engines": {"embedded": {"command": "sh"}}})", "engines"},
      {R"({"engines": {"a": 5}})", "engines.a"},
      {R"({"engines": {"a": {}}})", "engines.a.command"},
      {R"({"engines": {"a": {"command": "no-such-program-here"}}})", "engines.a.command"},
      {R"({"engines": {"a": {"command": "sh", "colour": "red"}}})", "engines.a"},
      {R"({"engines": {"a": {"command": "sh", "hash_mb": 0}}})", "engines.a.hash_mb"},
      {R"({"engines": {"a": {"command": "sh", "threads": "2"}}})", "engines.a.threads"},
      {R"({"engines": {"a": {"command": "sh", "pin": 1}}})", "engines.a.pin"},
      {R"({"engines": {"a": {"command": "sh", "arguments": [1]}}})", "engines.a.arguments"},
      {R"({"engines": {"a": {"command": "sh", "options": {"K": 1}}}})", "engines.a.options"},
      {R"({"engines": {"a": {"command": "sh", "options": {"K": "1\nquit"}}}})",
       "engines.a.options"},
      {R"({"engines": {"a": {"command": "sh", "start_seconds": 0}}})", "engines.a.start_seconds"},
      {R"({"engines": {"a": {"command": "sh", "profile": "x"}}})", "engines.a.profile"},
      {R"({"profiles": {"p": {"like": "x"}}, "engines": {}})", "profiles.p.like"},
      {R"({"profiles": {"p": {"exclusion": "x"}}, "engines": {}})", "profiles.p.exclusion"},
      {R"({"profiles": {"p": {"drop_sign": "@@"}}, "engines": {}})", "profiles.p.drop_sign"},
      {R"({"profiles": {"p": {"drop_sign": "+"}}, "engines": {}})", "profiles.p.drop_sign"},
      {R"({"profiles": {"p": {"drop_sign": "P"}}, "engines": {}})", "profiles.p.drop_sign"},
      {R"({"profiles": {"p": {"go": true}}, "engines": {}})", "profiles.p"},
      {R"({"profiles": [], "engines": {}})", "profiles"},
  };
  for (const auto& test : cases) {
    const auto entries = Parse(test.json);
    ASSERT_FALSE(entries.ok()) << test.json;
    EXPECT_EQ(ProblemOf(entries.status()).code, "bad_engines_file") << test.json;
    EXPECT_EQ(ProblemOf(entries.status()).file, test.key) << test.json;
  }
}

TEST(EnginesFile, RefusesWhatIsTooDeep) {
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "[";
  for (const std::string& text : {deep, R"({"profiles": )" + deep, R"({"engines": )" + deep,
                                  R"({"engines": {"a": {"command": )" + deep, "// \"\n" + deep}) {
    EXPECT_EQ(ProblemOf(Parse(text.c_str()).status()).code, "bad_engines_file");
    std::string whole = text + std::string(200'000, ']');
    whole += std::string(static_cast<size_t>(std::count(text.begin(), text.end(), '{')), '}');
    EXPECT_EQ(ProblemOf(Parse(whole.c_str()).status()).code, "bad_engines_file");
  }
}

TEST(EnginesFile, SaysWhichFile) {
  const auto entries = ReadEnginesFile("/no/such/file.json");
  ASSERT_FALSE(entries.ok());
  EXPECT_THAT(std::string(entries.status().message()), HasSubstr("/no/such/file.json"));
}

}  // namespace
}  // namespace joseki::worker
