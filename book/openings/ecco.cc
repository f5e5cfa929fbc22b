#include "book/openings/ecco.h"

#include <algorithm>
#include <map>

#include "absl/strings/ascii.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/position.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::book {
namespace {

constexpr EccoRow kEccoRows[] = {
    {"A01", "上仕局", "Advisor Opening", "f0e1"},
    {"A02", "边马局", "Edge Knight Opening", "h0i2"},
    {"A03", "边炮局", "Edge Cannon Opening", "h2i2"},
    {"A04", "巡河炮局", "Riverbank Cannon Opening", "h2h4"},
    {"A05", "过河炮局", "Cross-River Cannon Opening", "h2h6"},
    {"A06", "兵底炮局", "Cannon Behind the 3rd Pawn", "h2g2"},
    {"A07", "金钩炮局", "Golden Hook Cannon", "h2c2"},
    {"A08", "边兵局", "Edge Pawn Opening", "i3i4"},
    {"A10", "飞相局", "Elephant Opening", "g0e2"},
    {"A11", "顺相局", "Elephant Opening, Same Direction", "g0e2 g9e7"},
    {"A12", "列相局", "Elephant Opening, Opposite Direction", "g0e2 c9e7"},
    {"A13", "飞相对进左马", "Elephant Opening vs Left Knight", "g0e2 h9g7"},
    {"A14", "飞相对进右马", "Elephant Opening vs Right Knight", "g0e2 b9c7"},
    {"A15", "飞相进三兵对进右马", "Elephant Opening with 3rd Pawn vs Right Knight",
     "g0e2 b9c7 g3g4"},
    {"A16", "飞相进七兵对进右马", "Elephant Opening with 7th Pawn vs Right Knight",
     "g0e2 b9c7 c3c4"},
    {"A20", "飞相对左士角炮", "Elephant Opening vs Left Palcorner Cannon", "g0e2 h7f7"},
    {"A21", "飞相对右士角炮", "Elephant Opening vs Right Palcorner Cannon", "g0e2 b7d7"},
    {"A22", "飞相进左马对右士角炮", "Elephant Opening with Left Knight vs Right Palcorner Cannon",
     "g0e2 b7d7 b0c2"},
    {"A23", "飞相左边马对右士角炮",
     "Elephant Opening with Left Edge Knight vs Right Palcorner Cannon", "g0e2 b7d7 b0a2"},
    {"A24", "飞相横车对右士角炮", "Elephant Opening with Ranked Rook vs Right Palcorner Cannon",
     "g0e2 b7d7 a0a1"},
    {"A25", "飞相进三兵对右士角炮", "Elephant Opening with 3rd Pawn vs Right Palcorner Cannon",
     "g0e2 b7d7 g3g4"},
    {"A26", "飞相进七兵对右士角炮", "Elephant Opening with 7th Pawn vs Right Palcorner Cannon",
     "g0e2 b7d7 c3c4"},
    {"A27", "飞相对左中炮", "Elephant Opening vs Left Central Cannon", "g0e2 h7e7"},
    {"A29", "飞相对右中炮", "Elephant Opening vs Right Central Cannon", "g0e2 b7e7"},
    {"A30", "飞相对左过宫炮", "Elephant Opening vs Left Crosspalace Cannon", "g0e2 h7d7"},
    {"A31", "飞相进右马对左过宫炮", "Elephant Opening with Right Knight vs Left Crosspalace Cannon",
     "g0e2 h7d7 h0g2"},
    {"A32", "飞相进右马对左过宫炮——红直车对黑进７卒",
     "Elephant Opening with Filed Rook vs Left Crosspalace Cannon and 7th Pawn",
     "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5"},
    {"A33", "飞相进右马对左过宫炮——红直车边炮对黑进７卒",
     "Elephant Opening with Filed Rook and Edge Cannon vs Left Crosspalace Cannon and 7th Pawn",
     "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 h2i2"},
    {"A34", "飞相进右马对左过宫炮——互进七兵",
     "Elephant Opening vs Left Crosspalace Cannon, 7th Pawns",
     "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 c3c4"},
    {"A35", "飞相对右过宫炮", "Elephant Opening vs Right Crosspalace Cannon", "g0e2 b7f7"},
    {"A36", "飞相对进７卒", "Elephant Opening vs 7th Pawn", "g0e2 g6g5"},
    {"A37", "飞相进左马对进７卒", "Elephant Opening with Left Knight vs 7th Pawn",
     "g0e2 g6g5 b0c2"},
    {"A38", "飞相互进七兵局", "Elephant Opening, 7th Pawns", "g0e2 g6g5 c3c4"},
    {"A39", "飞相对进３卒", "Elephant Opening vs 3rd Pawn", "g0e2 c6c5"},
    {"A40", "起马局", "Knight Opening", "h0g2"},
    {"A41", "起马对进７卒", "Knight Opening vs 7th Pawn", "h0g2 g6g5"},
    {"A42", "起马转边炮对进７卒", "Knight Opening to Edge Cannon vs 7th Pawn", "h0g2 g6g5 h2i2"},
    {"A43", "起马转仕角炮对进７卒", "Knight Opening to Palcorner Cannon vs 7th Pawn",
     "h0g2 g6g5 b2d2"},
    {"A44", "起马转中炮对进７卒", "Knight Opening to Central Cannon vs 7th Pawn", "h0g2 g6g5 b2e2"},
    {"A45", "起马互进七兵局", "Knight Opening, 7th Pawns", "h0g2 g6g5 c3c4"},
    {"A50", "仕角炮局", "Palcorner Cannon Opening", "h2f2"},
    {"A51", "仕角炮对进左马", "Palcorner Cannon vs Left Knight", "h2f2 h9g7"},
    {"A52", "仕角炮对右中炮", "Palcorner Cannon vs Right Central Cannon", "h2f2 b7e7"},
    {"A54", "仕角炮对进７卒", "Palcorner Cannon vs 7th Pawn", "h2f2 g6g5"},
    {"A60", "过宫炮局", "Crosspalace Cannon Opening", "h2d2"},
    {"A61", "过宫炮对进左马", "Crosspalace Cannon vs Left Knight", "h2d2 h9g7"},
    {"A62", "过宫炮对横车", "Crosspalace Cannon vs Ranked Rook", "h2d2 i9i8"},
    {"A63", "过宫炮对左中炮", "Crosspalace Cannon vs Left Central Cannon", "h2d2 h7e7"},
    {"A65", "过宫炮直车对左中炮横车",
     "Crosspalace Cannon with Filed Rook vs Left Central Cannon with Ranked Rook",
     "h2d2 h7e7 h0g2 h9g7 i0h0 i9i8"},
    {"B00", "中炮局", "Central Cannon Opening", "h2e2"},
    {"B01", "中炮对进右马", "Central Cannon vs Right Knight", "h2e2 b9c7 h0g2"},
    {"B02", "中炮对进右马先上士", "Central Cannon vs Right Knight, Early Advisor",
     "h2e2 b9c7 h0g2 g6g5 i0h0 f9e8"},
    {"B02", "中炮对进右马先上士", "Central Cannon vs Right Knight, Early Advisor",
     "h2e2 b9c7 h0g2 g6g5 i0h0 d9e8"},
    {"B02", "中炮对进右马先上士", "Central Cannon vs Right Knight, Early Advisor",
     "h2e2 b9c7 h0g2 c6c5 i0h0 f9e8"},
    {"B02", "中炮对进右马先上士", "Central Cannon vs Right Knight, Early Advisor",
     "h2e2 b9c7 h0g2 c6c5 i0h0 d9e8"},
    {"B03", "中炮对鸳鸯炮", "Central Cannon vs Coupled Cannons", "h2e2 b9c7 h0g2 g6g5 i0h0 i9i7"},
    {"B03", "中炮对鸳鸯炮", "Central Cannon vs Coupled Cannons", "h2e2 b9c7 h0g2 c6c5 i0h0 i9i7"},
    {"B04", "中炮对右三步虎", "Central Cannon vs Right Three-Step Tiger", "h2e2 b9c7 h0g2 b7a7"},
    {"B05", "中炮对进左马", "Central Cannon vs Left Knight", "h2e2 h9g7"},
    {"B12", "中炮对单提马横车", "Central Cannon vs Single Knight with Ranked Rook",
     "h2e2 b9c7 h0g2 i9i8 i0h0 i8d8"},
    {"B13", "中炮巡河炮对单提马横车",
     "Central Cannon with Riverbank Cannon vs Single Knight with Ranked Rook",
     "h2e2 b9c7 h0g2 i9i8 i0h0 i8d8 b2b4"},
    {"B14", "中炮进七兵对单提马横车",
     "Central Cannon with 7th Pawn vs Single Knight with Ranked Rook",
     "h2e2 b9c7 h0g2 i9i8 i0h0 i8d8 c3c4"},
    {"D00", "顺炮缓开车对其他", "Same Direction Cannons", "h2e2 h7e7"},
    {"D03", "顺炮横车对缓开车", "Same Direction Cannons with Ranked Rook", "h2e2 h7e7 i0i1"},
    {"D03", "顺炮横车对缓开车", "Same Direction Cannons with Ranked Rook",
     "h2e2 h7e7 h0g2 h9g7 i0i1"},
    {"D50", "中炮对列炮", "Opposite Direction Cannons", "h2e2 b7e7"},
    {"E00", "仙人指路局", "Pawn Opening", "g3g4"},
    {"E01", "仙人指路对飞象", "Pawn Opening vs Elephant", "g3g4 c9e7"},
    {"E01", "仙人指路对飞象", "Pawn Opening vs Elephant", "g3g4 g9e7"},
    {"E02", "仙人指路对飞象", "Pawn Opening with Right Knight vs Elephant", "g3g4 c9e7 h0g2"},
    {"E02", "仙人指路对飞象", "Pawn Opening with Right Knight vs Elephant", "g3g4 g9e7 h0g2"},
    {"E03", "仙人指路对中炮", "Pawn Opening vs Central Cannon", "g3g4 h7e7"},
    {"E03", "仙人指路对中炮", "Pawn Opening vs Central Cannon", "g3g4 b7e7"},
    {"E04", "仙人指路对仕角炮或过宫炮", "Pawn Opening vs Palcorner or Crosspalace Cannon",
     "g3g4 h7f7"},
    {"E04", "仙人指路对仕角炮或过宫炮", "Pawn Opening vs Palcorner or Crosspalace Cannon",
     "g3g4 b7d7"},
    {"E04", "仙人指路对仕角炮或过宫炮", "Pawn Opening vs Palcorner or Crosspalace Cannon",
     "g3g4 h7d7"},
    {"E04", "仙人指路对仕角炮或过宫炮", "Pawn Opening vs Palcorner or Crosspalace Cannon",
     "g3g4 b7f7"},
    {"E05", "仙人指路对金钩炮", "Pawn Opening vs Golden Hook Cannon", "g3g4 b7g7"},
    {"E06", "仙人指路对进右马", "Pawn Opening vs Right Knight", "g3g4 b9c7"},
    {"E07", "仙人指路互进右马局", "Pawn Opening, Right Knights", "g3g4 b9c7 h0g2"},
    {"E08", "两头蛇对进右马", "Two-Headed Snake vs Right Knight", "g3g4 b9c7 c3c4"},
    {"E09", "两头蛇对进右马转卒底炮", "Two-Headed Snake vs Right Knight and Cannon Behind the Pawn",
     "g3g4 b9c7 c3c4 h7g7"},
    {"E10", "仙人指路对卒底炮", "Pawn Opening vs Cannon Behind the Pawn", "g3g4 h7g7"},
    {"E11", "仙人指路飞相对卒底炮", "Pawn Opening with Elephant vs Cannon Behind the Pawn",
     "g3g4 h7g7 g0e2"},
    {"E11", "仙人指路飞相对卒底炮", "Pawn Opening with Elephant vs Cannon Behind the Pawn",
     "g3g4 h7g7 c0e2"},
    {"E12", "仙人指路转右中炮对卒底炮",
     "Pawn Opening to Right Central Cannon vs Cannon Behind the Pawn", "g3g4 h7g7 h2e2"},
    {"E13", "仙人指路转左中炮对卒底炮",
     "Pawn Opening to Left Central Cannon vs Cannon Behind the Pawn", "g3g4 h7g7 b2e2"},
    {"E14", "仙人指路转左中炮对卒底炮飞右象",
     "Pawn Opening to Left Central Cannon vs Cannon Behind the Pawn with Right Elephant",
     "g3g4 h7g7 b2e2 c9e7"},
    {"E15", "仙人指路转左中炮对卒底炮飞右象——红右边马",
     "Pawn Opening to Left Central Cannon vs Right Elephant, Right Edge Knight",
     "g3g4 h7g7 b2e2 c9e7 h0i2"},
    {"E16", "仙人指路转左中炮对卒底炮飞右象——互进边马",
     "Pawn Opening to Left Central Cannon vs Right Elephant, Edge Knights",
     "g3g4 h7g7 b2e2 c9e7 h0i2 h9i7"},
    {"E17", "仙人指路转左中炮对卒底炮转顺炮",
     "Pawn Opening to Left Central Cannon, Same Direction Cannons", "g3g4 h7g7 b2e2 b7e7"},
    {"E20", "仙人指路转左中炮对卒底炮飞左象",
     "Pawn Opening to Left Central Cannon vs Cannon Behind the Pawn with Left Elephant",
     "g3g4 h7g7 b2e2 g9e7"},
    {"E21", "仙人指路转左中炮对卒底炮飞左象——红先上仕",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Early Advisor",
     "g3g4 h7g7 b2e2 g9e7 f0e1"},
    {"E22", "仙人指路转左中炮对卒底炮飞左象——红进左马",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Left Knight",
     "g3g4 h7g7 b2e2 g9e7 b0c2"},
    {"E23", "仙人指路转左中炮对卒底炮飞左象——红进左马对黑右横车",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Left Knight vs Right Ranked Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 a9a8"},
    {"E24", "仙人指路转左中炮对卒底炮飞左象——红左直车对黑右横车",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Left Filed Rook vs Right Ranked Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 a9a8 a0b0 a8h8 h0g2 h9f8"},
    {"E25", "仙人指路转左中炮对卒底炮飞左象——红左直车右马盘河对黑右横车上士",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Right Knight on the River vs Advisor",
     "g3g4 h7g7 b2e2 g9e7 b0c2 a9a8 a0b0 a8h8 h0g2 h9f8 h2i2 b9a7 g2f4 f9e8"},
    {"E26", "仙人指路转左中炮对卒底炮飞左象——红左直车右马盘河对黑右横车过河",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Right Knight on the River vs Rook "
     "across the River",
     "g3g4 h7g7 b2e2 g9e7 b0c2 a9a8 a0b0 a8h8 h0g2 h9f8 h2i2 b9a7 g2f4 h8h2"},
    {"E27", "仙人指路转左中炮对卒底炮飞左象——红左直车右马盘河对黑右横车边卒",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Right Knight on the River vs Edge Pawn",
     "g3g4 h7g7 b2e2 g9e7 b0c2 a9a8 a0b0 a8h8 h0g2 h9f8 h2i2 b9a7 g2f4 a6a5"},
    {"E30", "仙人指路转左中炮对卒底炮飞左象——黑进７卒",
     "Pawn Opening to Left Central Cannon vs Left Elephant and 7th Pawn",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5"},
    {"E31", "仙人指路转左中炮对卒底炮飞左象——黑连进７卒",
     "Pawn Opening to Left Central Cannon vs Left Elephant and 7th Pawn across the River",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4"},
    {"E31", "仙人指路转左中炮对卒底炮飞左象——黑连进７卒",
     "Pawn Opening to Left Central Cannon vs Left Elephant and 7th Pawn across the River",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 a0b0 g5g4"},
    {"E32", "仙人指路转左中炮对卒底炮飞左象——红左直车右边马对黑连进７卒拐角马",
     "Pawn Opening to Left Central Cannon vs 7th Pawn across the River, Filed Rook and Right Edge "
     "Knight vs Palace Corner Knight",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4 a0b0 h9f8"},
    {"E33", "仙人指路转左中炮对卒底炮飞左象——红左直车右边马对黑连进７卒右横车",
     "Pawn Opening to Left Central Cannon vs 7th Pawn across the River, Filed Rook and Right Edge "
     "Knight vs Right Ranked Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4 a0b0 a9a8"},
    {"E34", "仙人指路转左中炮对卒底炮飞左象——红左直车右边马上仕对黑连进７卒右横车",
     "Pawn Opening to Left Central Cannon vs 7th Pawn across the River, Advisor vs Right Ranked "
     "Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4 a0b0 a9a8 f0e1"},
    {"E35", "仙人指路转左中炮对卒底炮飞左象——红巡河车右边马对黑连进７卒右横车",
     "Pawn Opening to Left Central Cannon vs 7th Pawn across the River, Riverbank Rook vs Right "
     "Ranked Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4 a0b0 a9a8 b0b4"},
    {"E36", "仙人指路转左中炮对卒底炮飞左象——红双直车右边马对黑连进７卒右横车",
     "Pawn Opening to Left Central Cannon vs 7th Pawn across the River, Two Filed Rooks vs Right "
     "Ranked Rook",
     "g3g4 h7g7 b2e2 g9e7 b0c2 g6g5 h0i2 g5g4 a0b0 a9a8 i0h0"},
    {"E37", "仙人指路转左中炮对卒底炮飞左象——红右边马",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Right Edge Knight",
     "g3g4 h7g7 b2e2 g9e7 h0i2"},
    {"E38", "仙人指路转左中炮对卒底炮飞左象——红炮打中卒",
     "Pawn Opening to Left Central Cannon vs Left Elephant, Cannon Takes Central Pawn",
     "g3g4 h7g7 b2e2 g9e7 e2e6"},
    {"E40", "对兵局", "Opposing Pawns", "g3g4 c6c5"},
    {"E41", "对兵进右马局", "Opposing Pawns with Right Knight", "g3g4 c6c5 h0g2"},
    {"E42", "对兵互进右马局", "Opposing Pawns, Right Knights", "g3g4 c6c5 h0g2 b9c7"},
    {"E43", "对兵对进右马局——红飞相", "Opposing Pawns, Right Knights with Elephant",
     "g3g4 c6c5 h0g2 b9c7 g0e2"},
    {"E43", "对兵对进右马局——红飞相", "Opposing Pawns, Right Knights with Elephant",
     "g3g4 c6c5 h0g2 b9c7 c0e2"},
    {"E44", "对兵对进右马局——红横车", "Opposing Pawns, Right Knights with Ranked Rook",
     "g3g4 c6c5 h0g2 b9c7 i0i1"},
    {"E45", "对兵对进右马局——红边炮", "Opposing Pawns, Right Knights with Edge Cannon",
     "g3g4 c6c5 h0g2 b9c7 h2i2"},
    {"E46", "对兵转兵底炮", "Opposing Pawns, Cannon Behind the Pawn", "g3g4 c6c5 b2c2"},
    {"E47", "对兵转兵底炮对右中炮",
     "Opposing Pawns, Cannon Behind the Pawn vs Right Central Cannon", "g3g4 c6c5 b2c2 b7e7"},
    {"E48", "对兵转兵底炮对左中炮", "Opposing Pawns, Cannon Behind the Pawn vs Left Central Cannon",
     "g3g4 c6c5 b2c2 h7e7"},
};

using EccoIndex = std::map<PackedPosition, const EccoRow*>;

// Indexes each row by its position and by the mirror image. An earlier row takes precedence.
EccoIndex MakeIndex() {
  EccoIndex index;
  for (const EccoRow& row : kEccoRows) {
    xiangqi::Position position;
    // Moves of four letters separated by blanks.
    for (size_t at = 0; at < row.moves.size(); at += 5) {
      xiangqi::Undo undo;
      position.Do(*xiangqi::MoveFromUcci(row.moves.substr(at, 4)), undo);
    }
    index.emplace(xiangqi::Pack(position), &row);
    index.emplace(xiangqi::Pack(xiangqi::Mapped(xiangqi::Symmetry::kMirror, position)), &row);
  }
  return index;
}

}  // namespace

std::span<const EccoRow> EccoRows() { return kEccoRows; }

std::optional<OpeningName> EccoAt(const PackedPosition& packed) {
  static const EccoIndex index = MakeIndex();
  const auto at = index.find(packed);
  if (at == index.end()) return std::nullopt;
  const EccoRow& row = *at->second;
  return OpeningName{row.code, row.name, row.english};
}

std::optional<std::string_view> EccoLine(std::string_view called) {
  const auto is = [&](std::string_view name) {
    return std::equal(name.begin(), name.end(), called.begin(), called.end(), [](char a, char b) {
      return absl::ascii_tolower(static_cast<unsigned char>(a)) ==
             absl::ascii_tolower(static_cast<unsigned char>(b));
    });
  };
  std::optional<std::string_view> line;
  for (const EccoRow& row : kEccoRows) {
    if (!is(row.code) && !is(row.name) && !is(row.english)) continue;
    if (line) return std::nullopt;
    line = row.moves;
  }
  return line;
}

bool IsEccoCode(std::string_view text) {
  return text.size() == 3 && absl::ascii_isalpha(static_cast<unsigned char>(text[0])) &&
         absl::ascii_isdigit(static_cast<unsigned char>(text[1])) &&
         absl::ascii_isdigit(static_cast<unsigned char>(text[2]));
}

}  // namespace joseki::book
