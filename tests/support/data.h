#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/file.h"
#include "gtest/gtest.h"

namespace joseki::testing {

// Path of a file in tests/data, which is part of the project.
inline std::filesystem::path TestData(const std::string& name) {
  return std::filesystem::path(JOSEKI_SOURCE_DIR) / "tests" / "data" / name;
}

// Path of a file in the larger data set beside a checkout (JOSEKI_SHARED_DATA, or ../shared/data),
// which is not part of the project. Empty if it does not exist.
inline std::filesystem::path SharedData(const std::string& name) {
  const char* set = std::getenv("JOSEKI_SHARED_DATA");
  const std::filesystem::path root =
      set != nullptr ? std::filesystem::path(set)
                     : std::filesystem::path(JOSEKI_SOURCE_DIR) / ".." / "shared" / "data";
  const std::filesystem::path path = root / name;
  return std::filesystem::exists(path) ? path : std::filesystem::path();
}

// Content of a file, which must exist.
inline std::string Bytes(const std::filesystem::path& path) {
  absl::StatusOr<std::string> bytes = ReadFile(path.string());
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *std::move(bytes) : std::string();
}

}  // namespace joseki::testing

// Skips the test, with a reason that can be counted, if the data set does not exist.
#define JOSEKI_REQUIRE_SHARED_DATA(path) \
  if ((path).empty()) GTEST_SKIP() << "shared data is not beside this checkout"
