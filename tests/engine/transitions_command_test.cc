#include "engine/transitions_command.h"

#include <fstream>
#include <sstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace joseki {
namespace {

using ::testing::HasSubstr;

// The king has five quiet moves in the first position, and in the second: one category each time.
// The last game ends at a move that is none.
TEST(Transitions, CountACategoryOnceAPosition) {
  testing::TempFolder folder;
  const std::string games = folder / "games";
  std::ofstream(games) << "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i4i 5a4a\n"
                          "sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h 5a5i\n";
  std::ostringstream out;
  std::ostringstream err;
  ASSERT_TRUE(CountTransitions({games}, out, err).ok());
  EXPECT_THAT(out.str(), HasSubstr("2 games, 3 positions.\n"));
  // The opening's last category: another king's move.
  EXPECT_THAT(out.str(), HasSubstr("{3, 3}},\n"));
  EXPECT_EQ(err.str(), "2 games, 3 positions, 1 games broken off\n");
}

}  // namespace
}  // namespace joseki
