// Every technique acts if its option is set, and does not act otherwise.
#include <algorithm>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "base/problem.h"
#include "engine/search/papers/null_quiescence_schedule.h"
#include "engine/search/shogi/bench.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/search/shogi/game.h"
#include "gtest/gtest.h"
#include "tests/support/data.h"
#include "tests/support/shogi_game.h"

namespace joseki {
namespace {

using shogi::EngineOptions;

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
    {"CheckPruning", 50, Technique::kCheckPruning},
    {"HistoryPruning", 500, Technique::kHistoryPruning},
    {"QuiescenceChecks", 2, Technique::kQuiescenceCheck},
    {"MateInOne", 1, Technique::kMateInOne},
    {"MateInOne", 2, Technique::kMateInOne},
    {"Mate_Nodes", 30, Technique::kMateSearch},
    {"Mate_Nodes", 30, Technique::kMateVerdict},
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
    {"RegretMoves", 2, Technique::kRegretMove},
    {"RegretMoves", 3, Technique::kRegretMove},
    {"KillerBrother", 1, Technique::kKiller},
    {"KillerBrother", 3, Technique::kKiller},
    {"KillerPass", 1, Technique::kKiller},
    {"KillerPremove", 1, Technique::kKiller},
    {"KillerContext", 1, Technique::kKiller},
    {"KillerContext", 2, Technique::kKiller},
    {"KillerContext", 3, Technique::kKiller},
    {"KillerContext", 4, Technique::kKiller},
    {"KillerContext", 5, Technique::kKiller},
    {"NullQuiescence", 1, Technique::kNullQuiescenceCut},
    {"OrderGroups", 1, Technique::kOrderGroup},
    {"OrderGroups", 2, Technique::kGroupSkipped},
    {"EdgeAttack", 2, Technique::kEdgeAttack},
};

// Options that only change an order or a depth, and so have no counter.
constexpr Case kUncounted[] = {
    {"Aspiration", 5, {}},          {"OrderTable", 0, {}},
    {"OrderCaptures", 0, {}},       {"OrderKillers", 0, {}},
    {"OrderCounter", 0, {}},        {"OrderHistory", 0, {}},
    {"CaptureHistory", 0, {}},      {"ContinuationHistory", 0, {}},
    {"ContinuationHistory", 1, {}}, {"ContinuationHistory", 2, {}},
    {"OrderButterflies", 1, {}},    {"Formation", 1, {}},
    {"Formation", 2, {}},           {"Combination", 1, {}},
    {"Combination", 2, {}},         {"HandSeries", 1, {}},
    {"KingNeighbours", 1, {}},      {"Pins", 1, {}},
    {"KingDistance", 1, {}},        {"KingDistance", 2, {}},
    {"LanceMobility", 1, {}},       {"AttackedKinds", 1, {}},
    {"BishopPawns", 1, {}},         {"KingRegion", 1, {}},
    {"EnteringKing", 1, {}},        {"VanguardPawns", 1, {}},
    {"FirstPlyBonus", 8, {}},       {"DeltaMargin", 1000, {}},
    {"ExtensionCap", 1, {}},        {"CheckExtensionParts", 32, {}},
    {"NullMoveBase", 3, {}},        {"LateMoveReduction", 0, {}},
    {"ReductionPercent", 100, {}},  {"ReductionNotImproving", 0, {}},
    {"ReductionCutNode", 0, {}},    {"ReductionCaptures", 0, {}},
    {"TableReplacement", 1, {}},    {"TableReplacement", 2, {}},
    {"TableReplacement", 3, {}},    {"TableReplacement", 4, {}},
    {"TableReplacement", 5, {}},    {"TableReplacement", 6, {}},
    {"TableReplacement", 7, {}},    {"TableFull", 1, {}},
    {"Corrections", 0, {}},         {"PruneReduced", 0, {}},
    {"FutilityBase", 100, {}},      {"FutilityPly", 90, {}},
};

template <typename Function>
void ForEachOption(Function&& function) {
  for (const auto& option : shogi::EvaluationOptionTable()) function(option);
  for (const auto& option : SearchOptionTable()) function(option);
}
int ValueOf(const shogi::EvaluationOption& option, const EngineOptions& options) {
  return options.evaluation.*option.field;
}
int ValueOf(const SearchOption& option, const EngineOptions& options) {
  return options.search.*option.field;
}

struct Outcome {
  uint64_t nodes = 0;
  uint64_t acted = 0;
  std::vector<uint64_t> counts;  // of all techniques
  std::vector<Value> values;

  auto operator<=>(const Outcome&) const = default;
};

// Searches of some positions of the benchmark.
Outcome Searched(const EngineOptions& options, Technique technique, uint64_t nodes = 30000) {
  Search<Shogi> search(size_t{1} << 20);
  options.ApplyTo(search);
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

EngineOptions With(const char* name, int value) {
  EngineOptions options;
  EXPECT_TRUE(options.Set(name, std::to_string(value)).ok()) << name << " " << value;
  return options;
}

TEST(Techniques, ActWhereTheirOptionSaysSoAndOnlyThere) {
  const Outcome plain = Searched({}, Technique::kTableCut);
  for (const Case& c : kCounted) {
    const SearchOption& option = *FindOption(SearchOptionTable(), c.option);
    EXPECT_GT(Searched(With(c.option, c.value), c.technique).acted, 0u)
        << c.option << " " << c.value;
    const bool off = SearchOptions().*option.field == option.least;
    const uint64_t without = off ? plain.counts[static_cast<size_t>(c.technique)]
                                 : Searched(With(c.option, option.least), c.technique).acted;
    EXPECT_EQ(without, 0u) << c.option;
  }
}

TEST(Techniques, ChangeTheSearch) {
  const Outcome plain = Searched({}, Technique::kTableCut);
  for (const Case& c : kUncounted) {
    EXPECT_NE(Searched(With(c.option, c.value), Technique::kTableCut), plain)
        << c.option << " " << c.value;
  }
}

// A table that is kept makes the second search of a position smaller.
TEST(Techniques, AForgetfulTableServesOneSearch) {
  uint64_t nodes[2] = {0, 0};
  for (const int forgets : {0, 1}) {
    Search<Shogi> search(size_t{1} << 20);
    With("TableForgets", forgets).ApplyTo(search);
    SearchLimits limits;
    limits.depth = 8;
    for (const char* sfen : BenchPositions().first(8)) {
      search.Run(shogi::At(sfen), limits);
      nodes[forgets] += search.Run(shogi::At(sfen), limits).nodes;
    }
  }
  EXPECT_GT(5 * nodes[1], 6 * nodes[0]);
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
      {"OrderGroups", 1, "OrderGroupLimits", 1},
      {"HalfPly", 16, "HalfPlyPerfect", 1},
      {"HalfPly", 16, "HalfPlyMoves", 2},
      {"KillerContext", 1, "KillerFirst", 1},
      {"KillerContext", 1, "KillerFirst", 2},
      {"KillerContext", 1, "KillerQuiescence", 4},
      {"KillerContext", 1, "KillerMain", 0},
      {"KillerContext", 1, "KillerLearnQuiescence", 1},
      {"NullQuiescence", 2, "NullQuiescenceChecks", 1},
      {"NullQuiescence", 2, "NullQuiescenceMoveFirst", 1},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 1},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 2},
      {"InternalDeepening", 4, "InternalDeepeningForm", 1},
      {"InternalDeepening", 4, "InternalDeepeningForm", 2},
      {"NullQuiescence", 2, "NullQuiescenceDeepening", 1},
      {"NullQuiescence", 2, "NullQuiescenceFutility", 1},
      {"NullQuiescence", 2, "NullQuiescenceFutility", 2},
      {"NullQuiescence", 2, "NullQuiescenceMaterial", 1},
      {"NullQuiescence", 2, "NullQuiescenceExtensions", 1},
      {"NullQuiescence", 2, "NullQuiescenceExtensions", 2},
      {"KillerContext", 1, "KillerReplacement", 1},
      {"KillerPremove", 1, "KillerPromotion", 1},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 3},
      {"NullQuiescence", 2, "NullQuiescenceSchedule", 4},
      {"Mate_Nodes", 50, "MatePlies", 5},
      {"Mate_Nodes", 50, "MateNodesByDepth", 1},
      {"TableFull", 1, "TableFullStops", 1},
      {"SingularClassic", 1, "SingularMarginPv", 300},
      {"SingularClassic", 2, "SingularMarginCut", 300},
      {"Recapture", 2, "RecaptureWindow", 0},
      {"KingThreat", 1, "KingThreatSquares", 6},
      {"NullMove", 2, "NullRecursion", 1},
      {"CheckExtension", 0, "QuiescenceEvasions", 0},
  };
  for (const Form& form : kForms) {
    EngineOptions options = With(form.option, form.value);
    const Outcome before = Searched(options, Technique::kTableCut);
    EXPECT_TRUE(options.Set(form.form, std::to_string(form.other)).ok()) << form.form;
    EXPECT_NE(Searched(options, Technique::kTableCut), before) << form.form << " " << form.other;
  }
}

// Options that act only together with others.
TEST(Techniques, CountWhatTheyDoWithOthers) {
  struct Form {
    SearchOptions options;
    Technique technique;
  };
  const Form kForms[] = {
      {{.singular = 4, .singular_memory = 1}, Technique::kSingularMemory},
      {{.singular_classic = 2, .singular_memory = 1}, Technique::kSingularMemory},
      {{.null_quiescence = 2, .null_quiescence_deepening = 1}, Technique::kNullQuiescenceDeepening},
      {{.null_quiescence = 2, .null_quiescence_futility = 1}, Technique::kNullQuiescenceFutility},
      {{.null_quiescence = 2, .null_quiescence_material = 1}, Technique::kNullQuiescenceMaterial},
      {{.null_quiescence = 2, .null_quiescence_extensions = 1},
       Technique::kNullQuiescenceExtension},
      {{.null_quiescence = 3, .null_quiescence_extensions = 2}, Technique::kNullQuiescenceSingular},
      {{.killer_premove = 1, .killer_replacement = 1}, Technique::kKillerKept},
      {{.iid = 4, .iid_form = 2}, Technique::kInternalDeepening},
      {{.table_full = 1, .table_full_stops = 1}, Technique::kTableStop},
  };
  for (const Form& form : kForms) {
    EXPECT_GT(Searched({.search = form.options}, form.technique).acted, 0u)
        << TechniqueNames()[static_cast<size_t>(form.technique)];
  }
}

TEST(Techniques, MateCutsChangeTheMateSearchInTheNodes) {
  const SearchOptions by_depth = {.mate_nodes = 100, .mate_plies = 5};
  SearchOptions cut = by_depth;
  cut.mate_cuts = 31;
  EXPECT_NE(Searched({.search = by_depth}, Technique::kTableCut),
            Searched({.search = cut}, Technique::kTableCut));
}

// White's king stands behind the edge, the pawns face each other.
TEST(Techniques, AnEdgeAttackIsSearchedDeeperWhereTheRootIsRipe) {
  Search<Shogi> search(size_t{1} << 20);
  SearchLimits limits;
  limits.depth = 8;
  auto acted = [&](const char* sfen, const SearchOptions& options, Technique technique) {
    search.SetOptions(options);
    search.NewGame();
    search.Run(shogi::At(sfen), limits);
    return search.counts()[technique];
  };
  constexpr char kRipe[] =
      "lnsg4l/1k1s1rg2/1ppp1p1pp/p5p2/9/P1P1P1P2/1PSP1P1P1/1KG1G2R1/LN5NL b B2Pbsn 1";
  EXPECT_GT(acted(kRipe, {.edge_attack = 1}, Technique::kEdgeAttackExtension), 0u);
  EXPECT_EQ(acted(kRipe, {.edge_attack = 0}, Technique::kEdgeAttack), 0u);
  EXPECT_EQ(acted(BenchPositions()[0], {.edge_attack = 1}, Technique::kEdgeAttack), 0u);
}

struct OneMove : AlikeMoves<Shogi> {
  size_t At(const shogi::Position& /*position*/, std::span<Move> moves) const override {
    moves[0] = Move::Board(shogi::MakeSquare(9, 7), shogi::MakeSquare(9, 6));
    return 1;
  }
};

TEST(Techniques, MovesOfAlikePositionsAreTriedEarly) {
  const OneMove alike;
  Search<Shogi> search(size_t{1} << 20);
  SearchLimits limits;
  limits.depth = 5;
  const uint64_t without = search.Run(shogi::Position(), limits).nodes;
  search.SetAlike(&alike);
  search.NewGame();
  const uint64_t with = search.Run(shogi::Position(), limits).nodes;
  EXPECT_GT(search.counts()[Technique::kPartialBook], 0u);
  EXPECT_NE(with, without);
  search.SetAlike(nullptr);
  search.NewGame();
  EXPECT_EQ(search.Run(shogi::Position(), limits).nodes, without);
  EXPECT_EQ(search.counts()[Technique::kPartialBook], 0u);
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
  auto phases = [](int schedule, int full_width = 2) {
    std::vector<int> all;
    for (int iteration = 1; iteration <= 6; ++iteration) {
      const SearchPhase phase = PhaseOf(schedule, iteration, 3, full_width);
      all.push_back(10 * phase.plies + phase.null_plies);
    }
    return all;
  };
  EXPECT_EQ(phases(0), (std::vector<int>{10, 13, 23, 33, 43, 53}));
  EXPECT_EQ(phases(1), (std::vector<int>{11, 12, 13, 23, 33, 43}));
  EXPECT_EQ(phases(2), (std::vector<int>{11, 21, 22, 23, 33, 43}));
  EXPECT_EQ(phases(2, 1), phases(1));
  EXPECT_EQ(phases(2, 3), (std::vector<int>{11, 21, 31, 32, 33, 43}));
  EXPECT_EQ(phases(3), (std::vector<int>{11, 21, 22, 23, 24, 25})) << "it grows alone";
  EXPECT_EQ(phases(3, 3), (std::vector<int>{11, 21, 31, 32, 33, 34}));
  EXPECT_EQ(phases(4), (std::vector<int>{11, 21, 22, 32, 33, 43})) << "by turns";
}

// With everything switched on at once nothing breaks, and the limit stays exact.
TEST(Techniques, BearOneAnother) {
  EngineOptions options;
  ForEachOption([&](const auto& option) {
    const int value = option.is_switch() ? 1 : std::min(option.most, option.least + 3);
    EXPECT_TRUE(options.Set(option.name, std::to_string(value)).ok()) << option.name;
  });
  for (const Case& c : kCounted) EXPECT_TRUE(options.Set(c.option, std::to_string(c.value)).ok());
  Search<Shogi> search(size_t{1} << 20);
  options.ApplyTo(search);
  for (const char* text : BenchPositions()) {
    SearchLimits limits;
    limits.nodes = 1500;
    const shogi::Position position = shogi::At(text);
    const SearchResult result = search.Run(position, limits);
    EXPECT_LE(result.nodes, 1500u);
    EXPECT_TRUE(result.declare || position.IsLegal(result.best)) << text;
  }
}

TEST(EngineOptions, AreNamedOnceAndHaveTheirDefaultInRange) {
  const EngineOptions defaults;
  std::set<std::string> names;
  ForEachOption([&](const auto& option) {
    const int value = ValueOf(option, defaults);
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_LE(option.least, value) << option.name;
    EXPECT_GE(option.most, value) << option.name;
    EXPECT_TRUE(EngineOptions::Has(option.name)) << option.name;
  });
  EXPECT_EQ(names.size(), sizeof(EngineOptions) / sizeof(int)) << "every field has its row";
}

TEST(EngineOptions, RefuseWhatIsOutOfRange) {
  ForEachOption([](const auto& option) {
    EngineOptions options;
    for (const int value : {option.least - 1, option.most + 1}) {
      const absl::Status status = options.Set(option.name, std::to_string(value));
      EXPECT_EQ(ProblemOf(status).code, "bad_option") << option.name << " " << value;
    }
    EXPECT_FALSE(options.Set(option.name, "much").ok());
    EXPECT_TRUE(options.Set(option.name, std::to_string(option.most)).ok());
    EXPECT_EQ(ValueOf(option, options), option.most) << option.name;
  });
  EngineOptions options;
  EXPECT_EQ(ProblemOf(options.Set("NoSuchOption", "1")).code, "unknown_option");
  EXPECT_FALSE(EngineOptions::Has("NoSuchOption"));
  EXPECT_TRUE(options.Set("MultiCut", "true").ok());
  EXPECT_EQ(options.search.multi_cut, 1);
}

TEST(EngineOptions, AreSetByOneTextEachUpToTheFirstThatIsWrong) {
  EngineOptions options;
  const std::string settings[] = {"Pins", "NullMove=0", "NullMove=x", "Singular=3"};
  EXPECT_EQ(ProblemOf(SetAll(settings, options)).code, "bad_option");
  EXPECT_EQ(options.evaluation.pins, 1);
  EXPECT_EQ(options.search.null_move, 0);
  EXPECT_EQ(options.search.singular, SearchOptions().singular);
}

// The list of tests/option_series is readable and complete. It lacks only options that act by the
// clock or while the other side thinks, the evaluation (docs/reference/evaluation.md), and what
// needs a book.
TEST(EngineOptions, AllComeUpInTheSeriesOfMatches) {
  std::ifstream file(testing::TestData("option_series.txt"));
  std::set<std::string> played = {
      "StableMove",      "ScoreDrop",      "LearnedEvaluation", "Formation",
      "Combination",     "HandSeries",     "KingNeighbours",    "Pins",
      "KingDistance",    "EnteringKing",   "VanguardPawns",     "PartialBookMoves",
      "LanceMobility",   "AttackedKinds",  "BishopPawns",       "KingRegion",
      "TwoTablesPonder", "ScoreDropMoves", "ScoreDropGrowth",   "ScoreDropTrouble"};
  std::set<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    EXPECT_TRUE(lines.insert(line).second) << line << " twice";
    std::istringstream sides(line);
    EngineOptions options[2];
    std::string side;
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(sides >> side) << line;
      std::istringstream settings(side == "-" ? "" : side);
      for (std::string setting; std::getline(settings, setting, ',');) {
        const size_t equals = setting.find('=');
        ASSERT_NE(equals, std::string::npos) << line;
        const std::string name = setting.substr(0, equals);
        EXPECT_TRUE(options[i].Set(name, setting.substr(equals + 1)).ok()) << line;
        played.insert(name);
      }
    }
    EXPECT_FALSE(sides >> side) << line;
    bool same = true;
    ForEachOption([&](const auto& option) {
      same = same && ValueOf(option, options[0]) == ValueOf(option, options[1]);
    });
    EXPECT_FALSE(same) << line;
  }
  ForEachOption(
      [&](const auto& option) { EXPECT_TRUE(played.contains(option.name)) << option.name; });
}

TEST(Counts, EveryTechniqueHasItsName) {
  std::set<std::string> names(TechniqueNames().begin(), TechniqueNames().end());
  EXPECT_EQ(names.size(), kTechniqueCount);
}

}  // namespace
}  // namespace joseki
