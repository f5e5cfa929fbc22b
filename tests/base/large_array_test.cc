#include "base/large_array.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "gtest/gtest.h"

namespace joseki {
namespace {

struct Entry {
  uint32_t key = 7;
  uint32_t value = 0;
};

bool LiesOn(const void* memory, uintptr_t boundary) {
  return reinterpret_cast<uintptr_t>(memory) % boundary == 0;
}

TEST(LargeArray, BeginsWithWhatAnElementBeginsWith) {
  for (const size_t count : {size_t{1}, size_t{1000}, size_t{400'000}}) {
    const LargeArray<Entry> entries = MakeLargeArray<Entry>(count);
    EXPECT_TRUE(std::all_of(entries.get(), entries.get() + count,
                            [](const Entry& e) { return e.key == 7 && e.value == 0; }));
    const LargeArray<int16_t> numbers = MakeLargeArray<int16_t>(count);
    EXPECT_EQ(std::count(numbers.get(), numbers.get() + count, 0), count);
  }
}

TEST(LargeArray, LiesOnALineAndIfItIsLargeOnALargePage) {
  EXPECT_TRUE(LiesOn(MakeLargeArray<char>(1).get(), 64));
  EXPECT_TRUE(LiesOn(MakeLargeArray<char>((size_t{2} << 20) - 1).get(), 64));
  EXPECT_TRUE(LiesOn(MakeLargeArray<char>(size_t{2} << 20).get(), size_t{2} << 20));
  EXPECT_TRUE(LiesOn(MakeLargeArray<char>(size_t{5} << 20).get(), size_t{2} << 20));
}

}  // namespace
}  // namespace joseki
