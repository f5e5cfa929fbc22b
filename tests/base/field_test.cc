#include "base/field.h"

#include <cmath>
#include <optional>
#include <string>

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

enum class Colour : uint8_t { kRed = 1, kBlue = 2 };
constexpr std::string_view kColours[] = {"", "red", "blue"};

constexpr TextRule kShort = {[](std::string_view text) { return text.size() < 3; }, "two letters"};

struct Part {
  double share = 0.5;
};
struct Thing {
  uint32_t limit = 0;
  uint64_t count = 7;
  int plies = 1;
  Colour colour = Colour::kBlue;
  std::string name;
  std::string hash;
  Pairs options;
  std::optional<Part> part;
};

template <SameBut<Part> T, typename Visitor>
void VisitFields(T& part, Visitor& visit) {
  visit({.name = "share", .most = 1}, part.share);
}

template <SameBut<Thing> T, typename Visitor>
void VisitFields(T& thing, Visitor& visit) {
  visit({.name = "limit", .least = 5, .most = 10, .or_none = true}, thing.limit);
  visit({.name = "count", .least = 1, .most = 9, .applies = thing.limit == 0}, thing.count);
  visit({.name = "plies", .least = 1, .most = 100}, thing.plies);
  visit({.name = "colour", .least = 1, .most = 2, .names = kColours}, thing.colour);
  visit({.name = "name", .rule = &kShort}, thing.name);
  visit({.name = "hash", .or_none = true, .hash = true}, thing.hash);
  visit({.name = "options", .bytes = 4, .entries = 2}, thing.options);
  visit.Object({.name = "part"}, thing.part);
}

// "code place: found, expected"; empty: nothing is wrong.
std::string Wrong(const Thing& thing) {
  FieldCheck check({.code = "bad", .status = absl::StatusCode::kDataLoss}, "thing.");
  VisitFields(thing, check);
  if (check.status().ok()) return "";
  EXPECT_TRUE(absl::IsDataLoss(check.status()));
  const Problem problem = ProblemOf(check.status());
  return problem.code + " " + problem.file + ": " + problem.found + ", " + problem.expected;
}

std::string Wrong(void (*change)(Thing&)) {
  Thing thing;
  change(thing);
  return Wrong(thing);
}

TEST(FieldCheck, HoldsEachFieldToItsRow) {
  EXPECT_EQ(Wrong(Thing()), "");
  EXPECT_EQ(Wrong([](Thing& t) { t.limit = 4; }), "bad thing.limit: 4, 0 to 10");
  EXPECT_EQ(Wrong([](Thing& t) { t.limit = 5; }), "bad thing.count: 7, 0 to 0");
  EXPECT_EQ(Wrong([](Thing& t) { t.limit = 5, t.count = 0; }), "");
  EXPECT_EQ(Wrong([](Thing& t) { t.count = 10; }), "bad thing.count: 10, 1 to 9");
  EXPECT_EQ(Wrong([](Thing& t) { t.plies = -1; }), "bad thing.plies: -1, 1 to 100");
  EXPECT_EQ(Wrong([](Thing& t) { t.colour = Colour(3); }),
            "bad thing.colour: 3, 1 (red) or 2 (blue)");
  EXPECT_EQ(Wrong([](Thing& t) { t.name = "abc"; }), "bad thing.name: 'abc', two letters");
  EXPECT_EQ(Wrong([](Thing& t) { t.hash = "x"; }),
            "bad thing.hash: 1 bytes, the 32 bytes of a SHA-256");
  EXPECT_EQ(Wrong([](Thing& t) { t.hash = std::string(32, 'x'); }), "");
}

TEST(FieldCheck, HoldsPairsToTheirRow) {
  EXPECT_EQ(Wrong([](Thing& t) { t.options = {{"a", "1234"}}; }), "");
  EXPECT_EQ(Wrong([](Thing& t) {
              t.options = {{"a", "12345"}};
            }),
            "bad thing.options['a']: 5 bytes, at most 4");
  EXPECT_EQ(Wrong([](Thing& t) {
              t.options = {{"a", "\n"}};
            }),
            "bad thing.options['a']: '\\x0a', no control characters");
  EXPECT_EQ(Wrong([](Thing& t) {
              t.options = {{"", "1"}};
            }),
            "bad thing.options: an empty name, an option's name");
  EXPECT_EQ(Wrong([](Thing& t) {
              t.options = {{"a", ""}, {"b", ""}, {"c", ""}};
            }),
            "bad thing.options: 3 entries, at most 2");
}

TEST(FieldCheck, LooksIntoObjectsThatAreThere) {
  EXPECT_EQ(Wrong([](Thing& t) { t.part = Part{.share = 1}; }), "");
  EXPECT_EQ(Wrong([](Thing& t) { t.part = Part{.share = 1.5}; }), "bad part.share: 1.5, 0 to 1");
  EXPECT_EQ(Wrong([](Thing& t) { t.part = Part{.share = std::nan("")}; }),
            "bad part.share: nan, 0 to 1");
}

TEST(FieldText, IsReadAsTheSameValue) {
  const Field field = {.name = "max_plies", .names = kColours};
  EXPECT_EQ(field.told(), "max plies");
  EXPECT_EQ(FieldText(field, Colour::kRed), "red");
  EXPECT_EQ(FieldText(field, uint64_t{12}), "12");
  EXPECT_EQ(FieldText(field, 0.1), "0.1");
  EXPECT_EQ(std::stod(FieldText(field, 1.0 / 3)), 1.0 / 3);
  EXPECT_EQ(FieldText(field, Pairs{{"a", "1"}, {"b", "2"}}), "a=1,b=2");
  EXPECT_EQ(FieldText(field, Pairs()), "(none)");
}

TEST(NamedValue, FindsWhatNameInSays) {
  EXPECT_EQ(NameIn(kColours, Colour::kBlue), "blue");
  EXPECT_EQ(NamedValue<Colour>(kColours, "blue"), Colour::kBlue);
  EXPECT_EQ(NamedValue<Colour>(kColours, "green"), std::nullopt);
  EXPECT_EQ(NamedValue<Colour>(kColours, ""), std::nullopt) << "a value that is none";
}

}  // namespace
}  // namespace joseki
