#include "cli/experiment/thesis_tables.h"

namespace joseki::cli {
namespace {

constexpr ThesisRootMove kRootMoves[] = {
    {"7g7f", 25554, true}, {"2g2f", 3564, true}, {"5g5f", 182, true}, {"2h5h", 105, true},
    {"1g1f", 39, true},    {"9g9f", 26, true},   {"2h6h", 14, true},  {"3i4h", 4, false}};

constexpr ThesisStageMove kStageMoves[] = {{"7g7f", {{{145, 79}, {462, 213}, {781, 385}}}},
                                           {"2g2f", {{{164, 80}, {454, 242}, {713, 368}}}},
                                           {"5g5f", {{{148, 71}, {443, 197}, {731, 327}}}},
                                           {"2h5h", {{{137, 69}, {424, 216}, {719, 348}}}},
                                           {"1g1f", {{{141, 68}, {427, 210}, {687, 341}}}},
                                           {"9g9f", {{{132, 66}, {387, 195}, {676, 338}}}},
                                           {"2h6h", {{{133, 62}, {401, 194}, {691, 335}}}}};

struct Named {
  std::string_view book;
  ThesisScore score;
};

constexpr Named kAgainstType1[] = {
    {"Type-2", {61, 100}},        {"Type-3", {56, 100}},        {"Type-4", {50, 100}},
    {"Type-5a", {47, 100}},       {"Type-5b", {54, 100}},       {"Type-5c", {53, 100}},
    {"Type-6[1-1]", {57, 100}},   {"Type-6[1-2]", {60.5, 100}}, {"Type-6[1-3]", {56.5, 100}},
    {"Type-6[1-4]", {62, 100}},   {"Type-6[1-5]", {67.5, 100}}, {"Type-6[2-1]", {51, 100}},
    {"Type-6[2-2]", {61, 100}},   {"Type-6[2-3]", {61, 100}},   {"Type-6[3-1]", {55, 100}},
    {"Type-6[3-2]", {61.5, 100}}, {"Type-6[3-3]", {60, 100}},   {"Type-6[4-1]", {70.5, 100}},
    {"Type-6[4-2]", {63, 100}},   {"Type-6[4-3]", {73, 100}},   {"Type-6[5-1]", {62.5, 100}},
    {"Type-6[5-2]", {65, 100}},   {"Type-6[5-3]", {61.5, 100}}};

constexpr Named kAgainstType1Again[] = {{"Type-2", {49, 100}},
                                        {"Type-6[1-1]", {51, 100}},
                                        {"Type-6[2-1]", {55, 100}},
                                        {"Type-7[1-1]", {64, 100}},
                                        {"Type-7[2-1]", {57, 100}}};

constexpr ThesisRange kRanges[] = {{"Type-6[4-3]", {202.5, 500}, {249, 500}},
                                   {"Type-6[5-3]", {226, 500}, {232.5, 500}}};

constexpr Named kAgainstTodai[] = {{"Type-1", {219, 1000}},
                                   {"Type-2", {83, 300}},
                                   {"Type-6[4-3]", {68, 300}},
                                   {"Type-6[5-3]", {84, 300}}};

std::optional<ThesisScore> Find(std::span<const Named> table, std::string_view book) {
  for (const Named& named : table) {
    if (named.book == book) return named.score;
  }
  return std::nullopt;
}

}  // namespace

std::span<const ThesisRootMove> ThesisRootMoves() { return kRootMoves; }
std::span<const ThesisStageMove> ThesisStageMoves() { return kStageMoves; }
std::optional<int> ThesisColumn(int j) {
  if (j == 1) return 0;
  if (j == 3) return 1;
  if (j == 5) return 2;
  return std::nullopt;
}
std::optional<ThesisScore> ThesisAgainstType1(std::string_view book) {
  return Find(kAgainstType1, book);
}
std::optional<ThesisScore> ThesisAgainstType1Again(std::string_view book) {
  return Find(kAgainstType1Again, book);
}
std::span<const ThesisRange> ThesisRanges() { return kRanges; }
std::optional<ThesisScore> ThesisAgainstTodai(std::string_view book) {
  return Find(kAgainstTodai, book);
}

}  // namespace joseki::cli
