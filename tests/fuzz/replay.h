#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/rng.h"
#include "gtest/gtest.h"

// Runs a fuzzer's function without libFuzzer as an ordinary test, on its seeds and on deterministic
// mutations of them. A failure ends the process.
namespace joseki::testing {

struct Fuzzer {
  std::string name;
  int (*run)(const uint8_t*, size_t) = nullptr;
  std::vector<std::string> seeds;  // folders in tests/
};

// The name alone: the bytes of a fuzzer hold addresses.
inline void PrintTo(const Fuzzer& fuzzer, std::ostream* out) { *out << fuzzer.name; }

// Names the test cases.
inline std::string NameOf(const ::testing::TestParamInfo<Fuzzer>& info) { return info.param.name; }

// Mutates an input: bytes are changed, removed, duplicated or copied from another seed; it may be
// truncated.
inline std::string Damaged(std::string input, const std::string& other, Rng& rng) {
  for (uint64_t i = 1 + rng.Below(4); i > 0 && !input.empty(); --i) {
    const size_t at = rng.Below(input.size());
    const size_t length = 1 + rng.Below(std::min<size_t>(input.size() - at, 16));
    switch (rng.Below(6)) {
      case 0:
        input[at] = static_cast<char>(rng.Below(256));
        break;
      case 1:
        input[at] = static_cast<char>(input[at] ^ 1 << rng.Below(8));
        break;
      case 2:
        input.erase(at, length);
        break;
      case 3:
        input.insert(at, input.substr(at, length));
        break;
      case 4:
        if (!other.empty()) input.insert(at, other.substr(rng.Below(other.size()), 16));
        break;
      default:
        input.resize(at);
    }
  }
  return input;
}

class ReplayTest : public ::testing::TestWithParam<Fuzzer> {
 protected:
  static void Run(const std::string& input) {
    EXPECT_EQ(GetParam().run(reinterpret_cast<const uint8_t*>(input.data()), input.size()), 0);
  }
  // Sorted, so that the order does not depend on the file system.
  static std::vector<std::string> Seeds() {
    std::set<std::filesystem::path> paths;
    for (const std::string& folder : GetParam().seeds) {
      const auto files =
          std::filesystem::directory_iterator(std::string(JOSEKI_SOURCE_DIR) + "/tests/" + folder);
      for (const auto& file : files) {
        if (file.is_regular_file()) paths.insert(file.path());
      }
    }
    std::vector<std::string> seeds;
    for (const auto& path : paths) seeds.push_back(ReadFile(path.string()).value());
    return seeds;
  }
};

TEST_P(ReplayTest, TakesEverySeed) {
  const std::vector<std::string> seeds = Seeds();
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds) Run(seed);
  Run("");
}

TEST_P(ReplayTest, TakesDamagedSeeds) {
  constexpr int kInputs = 2000;
  const std::vector<std::string> seeds = Seeds();
  ASSERT_FALSE(seeds.empty());
  Rng rng(1);
  for (int i = 0; i < kInputs; ++i) {
    Run(Damaged(seeds[rng.Below(seeds.size())], seeds[rng.Below(seeds.size())], rng));
  }
}

}  // namespace joseki::testing
