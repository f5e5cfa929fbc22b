#include <iostream>

#include "engine/search/xiangqi/default_options.h"
#include "engine/search/xiangqi/game.h"
#include "gtest/gtest.h"
#include "tests/engine/xiangqi/mates_file.h"
#include "tests/support/data.h"
#include "tests/support/xiangqi_game.h"

namespace joseki::xiangqi {
namespace {

// Counts the mates of the shared file that are found within a number of nodes, in no more moves
// than the known line.
TEST(XiangqiSlowMates, KnownMatesAreFoundWithinTheirLength) {
  const auto path = testing::SharedData("tsume/xiangqi_mates.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  constexpr uint64_t kNodes = 100'000;
  const std::vector<KnownMate> mates = KnownMates(path, 1000, 1);
  int by_checks = 0;
  int by_search = 0;
  int by_either = 0;
  MateFinder finder;
  Search<Xiangqi> search(size_t{1} << 24);
  search.SetOptions(kDefaultOptions);
  for (const KnownMate& mate : mates) {
    Position position = At(mate.fen);
    const MateProbe probe = finder.Prove(position, kNodes, nullptr);
    const bool proven = probe.move && probe.plies <= 2 * mate.moves - 1;
    search.NewGame();
    SearchLimits limits;
    limits.nodes = kNodes;
    const bool found = search.Run(position, limits).value >= MateIn(2 * mate.moves - 1);
    by_checks += proven;
    by_search += found;
    by_either += proven || found;
  }
  std::cout << mates.size() << " mates: by checks alone " << by_checks << ", by search "
            << by_search << ", by either " << by_either << "\n";
  // A third of the known lines need quiet moves, and some a weak defence.
  EXPECT_GE(by_checks, static_cast<int>(mates.size()) * 4 / 10);
  EXPECT_GE(by_either, static_cast<int>(mates.size()) * 45 / 100);
}

}  // namespace
}  // namespace joseki::xiangqi
