#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <string>

#include "gtest/gtest.h"

namespace joseki::testing {

// A folder of its own for one test, empty at first and gone afterwards.
class TempFolder {
 public:
  TempFolder() {
    static std::atomic<int> next{0};
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("joseki_" + std::to_string(getpid()) + "_" + std::to_string(next++));
    std::filesystem::create_directories(path_);
  }
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace joseki::testing
