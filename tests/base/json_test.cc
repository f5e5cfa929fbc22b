#include "base/json.h"

#include <string>

#include "gtest/gtest.h"

namespace joseki {
namespace {

using Json = nlohmann::json;

std::string Nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ParseJson, GivesWhatTheLibraryGives) {
  for (const char* const text : {"{\"a\": [1, -2, 3.5, \"x\", null, true]}", "7", "[]", "\"\""}) {
    EXPECT_EQ(ParseJson<Json>(text), Json::parse(text)) << text;
  }
  EXPECT_EQ(ParseJson<nlohmann::ordered_json>("{\"b\": 1, \"a\": 2}").begin().key(), "b");
}

TEST(ParseJson, RefusesWhatIsTooDeep) {
  EXPECT_EQ(ParseJson<Json>(Nested(kDeepestJson)), Json::parse(Nested(kDeepestJson)));
  JsonFault fault;
  EXPECT_TRUE(ParseJson<Json>(Nested(kDeepestJson + 1), &fault).is_discarded());
  EXPECT_TRUE(fault.too_deep);
  std::string objects;
  for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
  EXPECT_TRUE(ParseJson<Json>(objects, &fault).is_discarded());
  EXPECT_TRUE(fault.too_deep);
  // Side by side, not nested, there may be many.
  std::string wide = "[";
  for (int i = 0; i < 10'000; ++i) wide += "[{}],";
  EXPECT_EQ(ParseJson<Json>(wide + "0]").size(), 10'001u);
}

TEST(ParseJson, SaysWhereATextBreaks) {
  JsonFault fault;
  EXPECT_TRUE(ParseJson<Json>("{\"a\": tru}", &fault).is_discarded());
  EXPECT_FALSE(fault.too_deep);
  EXPECT_EQ(fault.at, 10u);
  EXPECT_TRUE(ParseJson<Json>("[1] 2").is_discarded());
  EXPECT_TRUE(ParseJson<Json>("").is_discarded());
}

TEST(ParseJson, TakesCommentsWhereTheyAreTaken) {
  EXPECT_TRUE(ParseJson<Json>("[1] // one").is_discarded());
  EXPECT_EQ(ParseJson<Json>("[1] // one", nullptr, JsonComments::kIgnored), Json::parse("[1]"));
}

}  // namespace
}  // namespace joseki
