#include "base/process_use.h"

#include <unistd.h>

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(ProcessUse, SeesThisProcess) {
  const auto use = ProcessUseOf(getpid());
  ASSERT_TRUE(use.ok()) << use.status();
  EXPECT_GT(use->resident_bytes, uint64_t{1} << 20);
  EXPECT_GE(use->most_resident_bytes, use->resident_bytes);
  EXPECT_GE(use->cpu_seconds, 0);
  EXPECT_FALSE(ProcessUseOf(-1).ok());
}

}  // namespace
}  // namespace joseki
