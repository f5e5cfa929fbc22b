#include "engine/core/isa.h"

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(Isa, WithoutAWishTheBest) {
  EXPECT_EQ(*ChooseIsa(nullptr, Isa::kAvx2), Isa::kAvx2);
  EXPECT_EQ(*ChooseIsa("", Isa::kBaseline), Isa::kBaseline);
}

TEST(Isa, AWishIsGrantedWhereTheProcessorHasIt) {
  EXPECT_EQ(*ChooseIsa("x86-64-v2", Isa::kAvx2), Isa::kBaseline);
  EXPECT_EQ(*ChooseIsa("avx2", Isa::kAvx2), Isa::kAvx2);
  EXPECT_EQ(ProblemOf(ChooseIsa("avx2", Isa::kBaseline).status()).code, "bad_isa");
}

TEST(Isa, RefusesWhatItDoesNotKnow) {
  for (const char* name : {"avx", "AVX2", "x86-64-v3", " "}) {
    const auto isa = ChooseIsa(name, Isa::kAvx2);
    EXPECT_EQ(ProblemOf(isa.status()).code, "bad_isa") << name;
    EXPECT_EQ(ProblemOf(isa.status()).file, "JOSEKI_ISA");
  }
}

}  // namespace
}  // namespace joseki
