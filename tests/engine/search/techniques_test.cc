// Every technique does something where its option says so, and nothing where it does not.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/search/bench.h"
#include "engine/search/null_quiescence_schedule.h"
#include "engine/search/shogi_game.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki {
namespace {

struct Case {
  const char* option;
  int value;
  Technique technique;
};

// Options whose work is counted.
constexpr Case kCounted[] = {
    {"NullMove", 1, Technique::kNullCut},
    {"NullMove", 2, Technique::kNullCut},
    {"NullMove", 3, Technique::kNullCut},
    {"ReverseFutility", 100, Technique::kReverseFutility},
    {"Futility", 1, Technique::kFutility},
    {"Futility", 2, Technique::kFutility},
    {"Futility", 3, Technique::kFutility},
    {"Razoring", 200, Technique::kRazoring},
    {"ProbCut", 20, Technique::kProbCut},
    {"LateMovePruning", 4, Technique::kLateMovePruning},
    {"LateMoveReduction", 1, Technique::kLateMoveReduction},
    {"SeePruning", 50, Technique::kSeePruning},
    {"HistoryPruning", 500, Technique::kHistoryPruning},
    {"QuiescenceChecks", 2, Technique::kQuiescenceCheck},
    {"Mate_Nodes", 30, Technique::kMateSearch},
    {"InternalDeepening", 4, Technique::kInternalDeepening},
    {"InternalReduction", 4, Technique::kInternalReduction},
    {"CheckExtension", 1, Technique::kCheckExtension},
    {"CheckExtension", 2, Technique::kCheckExtension},
    {"Singular", 4, Technique::kSingularExtension},
    {"SingularClassic", 1, Technique::kClassicSingular},
    {"SingularClassic", 2, Technique::kClassicSingular},
    {"Recapture", 2, Technique::kRecapture},
    {"KingThreat", 1, Technique::kKingThreat},
    {"KingThreat", 4, Technique::kKingThreat},
    {"PieceEscape", 1, Technique::kPieceEscape},
    {"PieceEscape", 2, Technique::kPieceEscape},
    {"ForcedMove", 1, Technique::kForcedMove},
    {"HalfPly", 16, Technique::kHalfPly},
    {"Realization", 1, Technique::kRealization},
    {"HorizonSacrifice", 1, Technique::kHorizonSacrifice},
    {"NoDeepSacrifice", 1, Technique::kDeepSacrifice},
    {"RegretMoves", 1, Technique::kRegretMove},
    {"KillerBrother", 1, Technique::kKiller},
    {"KillerBrother", 3, Technique::kKiller},
    {"KillerPass", 1, Technique::kKiller},
    {"KillerPremove", 1, Technique::kKiller},
    {"KillerContext", 1, Technique::kKiller},
    {"KillerContext", 2, Technique::kKiller},
    {"KillerContext", 3, Technique::kKiller},
    {"KillerContext", 4, Technique::kKiller},
    {"NullQuiescence", 1, Technique::kNullQuiescenceCut},
};

// Those that change the order or the depth of things, and leave no count.
constexpr Case kUncounted[] = {
    {"Aspiration", 5, {}},     {"OrderTable", 0, {}},          {"OrderCaptures", 0, {}},
    {"OrderKillers", 0, {}},   {"OrderCounter", 0, {}},        {"OrderHistory", 0, {}},
    {"CaptureHistory", 1, {}}, {"ContinuationHistory", 1, {}}, {"ContinuationHistory", 2, {}},
    {"Formation", 1, {}},      {"Combination", 1, {}},         {"Combination", 2, {}},
    {"HandSeries", 1, {}},     {"KingNeighbours", 1, {}},      {"Pins", 1, {}},
    {"KingDistance", 1, {}},   {"EnteringKing", 1, {}},        {"FirstPlyBonus", 8, {}},
    {"DeltaMargin", 1000, {}}, {"ExtensionCap", 1, {}},        {"LateMoveReduction", 0, {}},
};

struct Outcome {
  uint64_t nodes = 0;
  uint64_t acted = 0;
  std::vector<uint64_t> counts;  // of all techniques
  std::vector<Value> values;

  auto operator<=>(const Outcome&) const = default;
};

// Searches of some positions of the benchmark.
Outcome Searched(const SearchOptions& options, Technique technique, uint64_t nodes = 30000) {
  Search<Shogi> search(size_t{1} << 20);
  search.SetOptions(options);
  Outcome outcome;
  for (size_t i = 0; i < 20; i += 7) {
    SearchLimits limits;
    limits.nodes = nodes;
    const SearchResult result = search.Run(shogi::At(BenchPositions()[i]), limits);
    outcome.nodes += result.nodes;
    outcome.values.push_back(result.value);
    outcome.values.push_back(result.depth);
  }
  outcome.acted = search.counts()[technique];
  for (size_t i = 0; i < kTechniqueCount; ++i) outcome.counts.push_back(search.counts().at(i));
  return outcome;
}

SearchOptions With(const char* name, int value) {
  SearchOptions options;
  EXPECT_TRUE(SetSearchOption(name, std::to_string(value), options).ok()) << name << " " << value;
  return options;
}

TEST(Techniques, ActWhereTheirOptionSaysSoAndOnlyThere) {
  const Outcome plain = Searched(SearchOptions(), Technique::kTableCut);
  for (const Case& c : kCounted) {
    const SearchOption& option = *FindSearchOption(c.option);
    EXPECT_GT(Searched(With(c.option, c.value), c.technique).acted, 0u)
        << c.option << " " << c.value;
    const bool off = SearchOptions().*option.field == option.least;
    const uint64_t without = off ? plain.counts[static_cast<size_t>(c.technique)]
                                 : Searched(With(c.option, option.least), c.technique).acted;
    EXPECT_EQ(without, 0u) << c.option;
  }
}

TEST(Techniques, ChangeTheSearch) {
  const Outcome plain = Searched(SearchOptions(), Technique::kTableCut);
  for (const Case& c : kUncounted) {
    EXPECT_NE(Searched(With(c.option, c.value), Technique::kTableCut), plain)
        << c.option << " " << c.value;
  }
}

// Options that say how another one works: with the other, they change the search.
TEST(Techniques, FormsDiffer) {
  struct Form {
    const char* option;
    int value;
    const char* form;
    int other;
  };
  constexpr Form kForms[] = {
      {"HalfPly", 16, "HalfPlyPerfect", 1},
      {"KillerContext", 1, "KillerFirst", 1},
      {"KillerContext", 1, "KillerQuiescence", 4},
      {"KillerContext", 1, "KillerMain", 0},
      {"KillerContext", 1, "KillerLearnQuiescence", 1},
      {"NullQuiescence", 2, "NullQuiescenceChecks", 1},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 1},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 2},
      {"SingularClassic", 1, "SingularMarginPv", 300},
      {"SingularClassic", 2, "SingularMarginCut", 300},
      {"Recapture", 2, "RecaptureWindow", 0},
      {"KingThreat", 1, "KingThreatSquares", 6},
      {"NullMove", 2, "NullRecursion", 1},
  };
  for (const Form& form : kForms) {
    SearchOptions options = With(form.option, form.value);
    const Outcome before = Searched(options, Technique::kTableCut);
    options.*FindSearchOption(form.form)->field = form.other;
    EXPECT_NE(Searched(options, Technique::kTableCut), before) << form.form << " " << form.other;
  }
}

TEST(Techniques, AKillerIsNotReducedWhereTheOptionSaysSo) {
  auto nodes = [](const SearchOptions& options) {
    Search<Shogi> search(size_t{1} << 20);
    search.SetOptions(options);
    uint64_t sum = 0;
    for (const char* text : BenchPositions()) {
      SearchLimits limits;
      limits.depth = 5;
      search.NewGame();
      sum += search.Run(shogi::At(text), limits).nodes;
    }
    return sum;
  };
  EXPECT_NE(nodes({.killer_brother = 1}), nodes({.killer_brother = 1, .killer_unreduced = 1}));
}

TEST(Techniques, TheTableOfTheSearchBeforeIsAskedToo) {
  Search<Shogi> search(size_t{1} << 20);
  search.SetOptions({.two_tables = 1});
  SearchLimits limits;
  limits.nodes = 3000;
  const shogi::Position position = shogi::At(BenchPositions()[5]);
  search.Run(position, limits);
  EXPECT_EQ(search.counts()[Technique::kOlderTable], 0u) << "there was no search before";
  search.Run(position, limits);
  const uint64_t all = search.counts()[Technique::kOlderTable];
  EXPECT_GT(all, 0u);
  search.NewGame();
  search.SetOptions({.two_tables = 1, .two_tables_plies = 1});
  search.Run(position, limits);
  search.Run(position, limits);
  EXPECT_LT(search.counts()[Technique::kOlderTable], all) << "deep in the tree it is not asked";
}

TEST(NullQuiescence, SchedulesGrowAsTheyShould) {
  auto phases = [](int schedule) {
    std::vector<int> all;
    for (int iteration = 1; iteration <= 6; ++iteration) {
      const SearchPhase phase = PhaseOf(schedule, iteration, 3);
      all.push_back(10 * phase.plies + phase.null_plies);
    }
    return all;
  };
  EXPECT_EQ(phases(0), (std::vector<int>{13, 23, 33, 43, 53, 63}));
  EXPECT_EQ(phases(1), (std::vector<int>{11, 12, 13, 23, 33, 43}));
  EXPECT_EQ(phases(2), (std::vector<int>{11, 21, 22, 23, 33, 43}));
}

// With everything switched on at once nothing breaks, and the limit stays exact.
TEST(Techniques, BearOneAnother) {
  SearchOptions options;
  for (const SearchOption& option : SearchOptionTable()) {
    options.*option.field = option.is_switch() ? 1 : std::min(option.most, option.least + 3);
  }
  for (const Case& c : kCounted) options.*FindSearchOption(c.option)->field = c.value;
  Search<Shogi> search(size_t{1} << 20);
  search.SetOptions(options);
  for (const char* text : BenchPositions()) {
    SearchLimits limits;
    limits.nodes = 1500;
    const shogi::Position position = shogi::At(text);
    const SearchResult result = search.Run(position, limits);
    EXPECT_LE(result.nodes, 1500u);
    EXPECT_TRUE(result.declare || position.IsLegal(result.best)) << text;
  }
}

TEST(SearchOptions, AreNamedOnceAndHaveTheirDefaultInRange) {
  const SearchOptions defaults;
  std::set<std::string> names;
  for (const SearchOption& option : SearchOptionTable()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_LE(option.least, defaults.*option.field) << option.name;
    EXPECT_GE(option.most, defaults.*option.field) << option.name;
    EXPECT_EQ(FindSearchOption(option.name), &option);
  }
  EXPECT_EQ(names.size(), sizeof(SearchOptions) / sizeof(int)) << "every field has its row";
}

TEST(SearchOptions, RefuseWhatIsOutOfRange) {
  for (const SearchOption& option : SearchOptionTable()) {
    SearchOptions options;
    for (const int value : {option.least - 1, option.most + 1}) {
      const absl::Status status = SetSearchOption(option.name, std::to_string(value), options);
      EXPECT_EQ(ProblemOf(status).code, "bad_option") << option.name << " " << value;
    }
    EXPECT_FALSE(SetSearchOption(option.name, "much", options).ok());
    EXPECT_TRUE(SetSearchOption(option.name, std::to_string(option.most), options).ok());
    EXPECT_EQ(options.*option.field, option.most) << option.name;
  }
  SearchOptions options;
  EXPECT_EQ(ProblemOf(SetSearchOption("NoSuchOption", "1", options)).code, "unknown_option");
  EXPECT_TRUE(SetSearchOption("MultiCut", "true", options).ok());
  EXPECT_EQ(options.multi_cut, 1);
}

TEST(Counts, EveryTechniqueHasItsName) {
  std::set<std::string> names(TechniqueNames().begin(), TechniqueNames().end());
  EXPECT_EQ(names.size(), kTechniqueCount);
}

}  // namespace
}  // namespace joseki
