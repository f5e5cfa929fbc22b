#include "base/option_range.h"

#include <string>

#include "gtest/gtest.h"

namespace joseki {
namespace {

bool Takes(const CLI::Validator& check, const std::string& text) { return check(text).empty(); }

TEST(Within, TakesBothEnds) {
  EXPECT_TRUE(Takes(Within(0.5, 1.0), "0.5"));
  EXPECT_TRUE(Takes(Within(0.5, 1.0), "1"));
  EXPECT_FALSE(Takes(Within(0.5, 1.0), "1.001"));
  EXPECT_TRUE(Takes(Within(1, 3), "3"));
  EXPECT_FALSE(Takes(Within(1, 3), "4"));
  EXPECT_FALSE(Takes(Within(1, 3), "x"));
}

TEST(Within, RefusesWhatIsNoNumber) {
  for (const char* const text : {"nan", "-nan", "NaN", "nan(1)", "inf", "-inf", ""}) {
    EXPECT_FALSE(Takes(Within(0.0, 1e6), text)) << text;
  }
}

TEST(Within, TakesWholeNumbersInTheirUsualFormAlone) {
  for (const char* const text :
       {"010", "0x10", "-1", "+1", "1e3", "1.0", " 1", "1 ", "99999999999999999999"}) {
    EXPECT_FALSE(Takes(Within(0, 1000), text)) << text;
    EXPECT_FALSE(Takes(AnyWhole(), text)) << text;
  }
  EXPECT_TRUE(Takes(Within(-5, 5), "-5"));
  EXPECT_TRUE(Takes(AnyWhole(), "18446744073709551615"));
  EXPECT_EQ(AnyWhole().get_description(), "");
}

TEST(Within, DescribesItsRange) {
  EXPECT_EQ(Within(0.0, 1.0).get_description(), CLI::Range(0.0, 1.0).get_description());
  EXPECT_EQ(Within(1, 3)("7"), "'7' is no number from 1 to 3");
  EXPECT_EQ(Within(0.5, 2.0)("x"), "'x' is no number from 0.5 to 2");
}

}  // namespace
}  // namespace joseki
