#include "book/openings/shogi_families.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_split.h"
#include "book/openings/openings.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"
#include "engine/shogi/turned.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

std::string NameOf(const shogi::Position& position) {
  const auto found = OpeningAt("shogi", shogi::Pack(position));
  return found ? std::string(found->name) : "";
}

// After USI moves with blanks between them; each must be legal.
shogi::Position After(std::string_view moves) {
  shogi::Position position;
  const std::vector<std::string> all = absl::StrSplit(std::string(moves), ' ', absl::SkipEmpty());
  for (const std::string& move : all) {
    const auto parsed = shogi::ParseMove(position, move);
    EXPECT_TRUE(parsed.ok()) << move << " in " << moves;
    if (!parsed.ok()) break;
    shogi::Undo undo;
    position.Do(*parsed, undo);
  }
  return position;
}

struct Line {
  std::string_view name;
  std::string_view moves;
};
// Lines as they are usually played.
constexpr Line kLines[] = {
    {"", ""},
    {"", "7g7f 3c3d"},
    {"", "7g7f 3c3d 2g2f"},
    {"相居飛車", "7g7f 8c8d 2g2f"},
    {"中飛車", "7g7f 3c3d 2g2f 4c4d 3i4h 8b5b"},
    {"ゴキゲン中飛車", "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b"},
    {"ゴキゲン中飛車", "5g5f 8c8d 7g7f 8d8e 8h7g 3c3d 2h5h"},
    {"四間飛車", "7g7f 3c3d 2g2f 4c4d 4i5h 8b4b"},
    {"四間飛車", "7g7f 8c8d 6g6f 3c3d 2h6h"},
    {"角交換四間飛車", "7g7f 3c3d 2g2f 8b4b 8h2b+ 3a2b"},
    {"三間飛車", "7g7f 3c3d 2g2f 4c4d 3i4h 8b3b"},
    {"石田流", "7g7f 3c3d 7f7e 8c8d 2h7h"},
    {"向かい飛車", "7g7f 3c3d 2g2f 4c4d 2f2e 2b3c 3i4h 8b2b"},
    {"相振り飛車", "7g7f 3c3d 6g6f 8b3b 2h7h"},
    {"横歩取り", "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d"},
    {"角換わり", "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b"},
    {"角換わり腰掛け銀",
     "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b 3i4h 2b3c 4g4f 7a6b 4h4g 6c6d 4g5f"},
    {"角換わり棒銀",
     "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b 3i3h 2b3c 3h2g 7a7b 2f2e 6c6d 2g2f 7b6c"},
    {"角換わり早繰り銀",
     "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b 3i4h 2b3c 3g3f 7a6b 4h3g 6c6d 3g4f"},
    {"右四間飛車", "7g7f 8c8d 2g2f 3c3d 6g6f 6c6d 6i7h 8b6b"},
    {"袖飛車", "2g2f 8c8d 3g3f 8d8e 6i7h 4a3b 2h3h"},
    {"棒銀", "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 3i3h 7a7b 3h2g 1c1d 2g2f"},
    {"雁木", "7g7f 8c8d 2g2f 3c3d 6g6f 7a6b 7i6h 4a3b 6i7h 5c5d 6h6g"},
    {"矢倉", "7g7f 8c8d 7i6h 3c3d 6h7g"},
    {"相掛かり", "2g2f 8c8d 2f2e 8d8e"},
    {"相掛かり", "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h"},
};

TEST(ShogiFamilies, AreKnownByTheirLines) {
  for (const Line& line : kLines) EXPECT_EQ(NameOf(After(line.moves)), line.name) << line.moves;
}

TEST(ShogiFamilies, AreTheSameForEitherSide) {
  for (const Line& line : kLines) {
    EXPECT_EQ(NameOf(shogi::Turned(After(line.moves))), line.name) << line.moves;
  }
}

TEST(ShogiFamilies, EachHasTwoNamesAndALine) {
  std::set<std::string_view> lines;
  for (const Line& line : kLines) lines.insert(line.name);
  std::set<std::string_view> names;
  for (const ShogiFamily& family : ShogiFamilies()) {
    EXPECT_TRUE(names.insert(family.name).second) << family.name;
    EXPECT_TRUE(names.insert(family.english).second) << family.english;
    EXPECT_TRUE(lines.contains(family.name)) << family.name;
  }
}

TEST(ShogiFamilies, SayNothingWithoutARookOrOfNonsense) {
  const auto bare = shogi::ParseSfen("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1");
  EXPECT_EQ(NameOf(bare.value().position), "");
  EXPECT_FALSE(ShogiFamilyAt(PackedPosition{}).has_value());
}

}  // namespace
}  // namespace joseki::book
