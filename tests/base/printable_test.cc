#include "base/printable.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Printable, LeavesNothingThatCommandsATerminal) {
  EXPECT_EQ(Printable("plain text, 駒"), "plain text, 駒");
  EXPECT_EQ(Printable("a\nb\tc\x1b[2J\x7f"), "a b c [2J ");
  EXPECT_EQ(Printable(std::string_view("\0x", 2)), " x");
  EXPECT_EQ(Printable("\xc2\x9b"
                      "2J"),
            " 2J")
      << "the one-character form of an escape";
  EXPECT_EQ(Printable("\xc2\xa0\xc2"), "\xc2\xa0\xc2");
}

}  // namespace
}  // namespace joseki
