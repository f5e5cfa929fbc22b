#include "engine/search/corrections.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "engine/search/shogi/knowledge.h"
#include "gtest/gtest.h"
#include "tests/support/shogi_game.h"

namespace joseki {
namespace {

constexpr Corrections::Parts kSome = {0x11111111, 0x22222222, 0x33333333, 0x44444444};

Corrections Learned(Value worth, int times) {
  Corrections corrections;
  corrections.Clear();
  for (int i = 0; i < times; ++i) {
    corrections.Learn(kSome, Color::kFirst, worth - corrections.Of(kSome, Color::kFirst), 4);
  }
  return corrections;
}

TEST(Corrections, ComeNearToWhatSearchesSay) {
  for (const Value worth : {-120, -40, 30, 150}) {
    const Corrections corrections = Learned(worth, 40);
    EXPECT_NEAR(corrections.Of(kSome, Color::kFirst), worth, 8) << worth;
  }
}

TEST(Corrections, AreBounded) {
  for (const Value worth : {-20000, 20000}) {
    const Value value = Learned(worth, 1000).Of(kSome, Color::kFirst);
    EXPECT_EQ(value > 0, worth > 0);
    EXPECT_LE(std::abs(value), 256);
  }
}

TEST(Corrections, OfOnePartAreAQuarterAndTheOtherSideHasItsOwn) {
  Corrections corrections = Learned(120, 40);
  EXPECT_EQ(corrections.Of(kSome, Color::kSecond), 0);
  const Corrections::Parts shared_one = {kSome[0], 0x99999999, 0x88888888, 0x77777777};
  EXPECT_NEAR(corrections.Of(shared_one, Color::kFirst), 30, 4);
  corrections.Clear();
  EXPECT_EQ(corrections.Of(kSome, Color::kFirst), 0);
}

// A part stays the same exactly where nothing that it stands for has changed.
TEST(PartsOf, ChangeWithWhatTheyStandFor) {
  auto parts = [](const char* sfen) { return shogi::PartsOf(shogi::At(sfen)); };
  const auto start = parts("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
  struct Case {
    const char* sfen;
    bool changes[4];
  };
  for (const Case& c : {
           Case{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", {}},
           Case{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2R4/LNSGKGSNL b - 1", {}},
           Case{"lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1",
                {false, true, false, false}},
           Case{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL b - 1",
                {false, false, true, false}},
           Case{"lnsgkg1nl/1r4sb1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                {false, false, false, true}},
           Case{"lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b b 1",
                {true, false, false, false}},
       }) {
    const auto changed = parts(c.sfen);
    for (size_t i = 0; i < changed.size(); ++i) {
      EXPECT_EQ(changed[i] != start[i], c.changes[i]) << c.sfen << " " << i;
    }
  }
}

}  // namespace
}  // namespace joseki
