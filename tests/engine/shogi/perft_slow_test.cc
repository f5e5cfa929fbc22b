#include "tests/engine/shogi/perft_file.h"
#include "tests/support/data.h"

namespace joseki::shogi {
namespace {

// The start position to depth 6 and the strange positions one ply deeper.
TEST(PerftSlow, PublishedCountsToTheEnd) {
  CheckPerftFile(testing::TestData("perft/shogi_perft.tsv"), kQuickPerft, UINT64_MAX);
}

}  // namespace
}  // namespace joseki::shogi
