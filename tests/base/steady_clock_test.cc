#include "base/steady_clock.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

class SetClock final : public Clock {
 public:
  absl::Time Now() const override { return now; }

  absl::Time now = absl::FromUnixSeconds(1'000);
};

TEST(SteadyClock, GoesOnWhateverBecomesOfTheOther) {
  SetClock wall;
  const SteadyClock clock(wall);
  const absl::Time began = clock.Now();
  EXPECT_LT(began - wall.now, absl::Hours(1));
  wall.now += absl::Hours(9);
  const absl::Time then = clock.Now();
  EXPECT_GE(then, began);
  EXPECT_LT(then - began, absl::Hours(1));
  wall.now -= absl::Hours(18);
  EXPECT_GE(clock.Now(), then);
}

}  // namespace
}  // namespace joseki
