#include "engine/xiangqi/learn/weights_file.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace joseki::xiangqi {
namespace {

// First number of each group of features, and how many numbers a line of it has.
struct Group {
  int first;
  const char* name;
  int a_line;
};
constexpr Group kGroups[] = {
    {kMaterial, "material by kind", 8},
    {kPlace, "no kind", 5},
    {kPlace + kKing * kHalfSquares, "places of the king, from the own back rank", 5},
    {kPlace + kAdviser * kHalfSquares, "of advisers", 5},
    {kPlace + kElephant * kHalfSquares, "of elephants", 5},
    {kPlace + kKnight * kHalfSquares, "of knights", 5},
    {kPlace + kRook * kHalfSquares, "of rooks", 5},
    {kPlace + kCannon * kHalfSquares, "of cannons", 5},
    {kPlace + kPawn * kHalfSquares, "of pawns", 5},
    {kRookReach, "reach of rooks", 6},
    {kCannonReach, "of cannons", 6},
    {kKnightReach, "of knights", 9},
    {kCannonAims, "aims of cannons", 1},
    {kCannonOnFile, "cannons on the king's file, by pieces between", 3},
    {kCannonOnRank, "on its rank", 3},
    {kRookOnFile, "rooks on its file", 3},
    {kRookOnRank, "on its rank", 3},
    {kHeldByKings, "held between the kings", 1},
    {kPalaceSquares, "attacked squares of the palace", 4},
    {kSiege, "besiegers by advisers", 3},
    {kRooksAdvisers, "rooks by advisers", 3},
    {kRooksElephants, "rooks by elephants", 3},
    {kCannonsAdvisers, "cannons by advisers", 3},
    {kCannonsElephants, "cannons by elephants", 3},
    {kKnightsAdvisers, "knights by advisers", 3},
    {kCannonsScreens, "cannons by own guards", 5},
    {kCannonsKnights, "cannons by knights", 3},
    {kCrossedPawns, "pawns across the river", 6},
    {kLinkedPawns, "linked pairs of them", 1},
    {kLoose, "loose pieces, to move and not", 8},
    {kUnderCheap, "attacked by cheaper ones", 8},
    {kGuarded, "guarded pieces", 8},
    {kTempo, "tempo", 1},
};

int Rounded(double weight) {
  return static_cast<int>(std::lround(std::clamp(weight, -9999.0, 9999.0)));
}

}  // namespace

std::string WeightsText(const FitResult& fit, const std::string& how) {
  std::string text = absl::StrCat(
      "#pragma once\n\n#include \"engine/xiangqi/eval/features.h\"\n\n"
      "// Written by joseki-xiangqi-learn, not by hand: ",
      how, "\n");
  absl::StrAppendFormat(&text,
                        "// %d quiet positions, and %d of a tenth of the games that were held out. "
                        "There the\n// mean log loss against results is %.4f; by material alone "
                        "%.4f. Odds e to 1 are %d points.\n",
                        fit.trained, fit.held_out, fit.loss_learned, fit.loss_material,
                        Rounded(fit.scale));
  text +=
      "namespace joseki::xiangqi {\n\n// clang-format off\n"
      "inline constexpr Weight kWeights[kFeatureCount] = {\n";
  for (size_t g = 0; g < std::size(kGroups); ++g) {
    const Group& group = kGroups[g];
    const int end = g + 1 < std::size(kGroups) ? kGroups[g + 1].first : kFeatureCount;
    absl::StrAppend(&text, "    // ", group.name, "\n");
    for (int i = group.first; i < end; ++i) {
      const bool begins = (i - group.first) % group.a_line == 0;
      const bool ends = i + 1 == end || (i + 1 - group.first) % group.a_line == 0;
      const auto& weight = fit.weights[static_cast<size_t>(i)];
      absl::StrAppendFormat(&text, "%s{%d, %d},%s", begins ? "    " : " ", Rounded(weight[0]),
                            Rounded(weight[1]), ends ? "\n" : "");
    }
  }
  text += "};\n// clang-format on\n\n}  // namespace joseki::xiangqi\n";
  return text;
}

}  // namespace joseki::xiangqi
