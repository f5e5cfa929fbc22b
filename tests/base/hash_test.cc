#include "base/hash.h"

#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(Hex(Sha256Of("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Hex(Sha256Of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Hash64, IsTheFrontOfIt) { EXPECT_EQ(Hash64("abc"), 0xba7816bf8f01cfeau); }

}  // namespace
}  // namespace joseki
