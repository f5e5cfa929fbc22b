#include "tests/engine/shogi/perft_file.h"
#include "tests/support/data.h"

namespace joseki::shogi {
namespace {

TEST(Perft, PublishedCounts) {
  CheckPerftFile(testing::TestData("perft/shogi_perft.tsv"), 0, kQuickPerft);
}

TEST(Perft, SharedCounts) {
  const auto path = testing::SharedData("perft/shogi_perft.tsv");
  JOSEKI_REQUIRE_SHARED_DATA(path);
  CheckPerftFile(path, 0, kQuickPerft);
}

}  // namespace
}  // namespace joseki::shogi
