#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "gtest/gtest.h"

namespace joseki::testing {

// A folder for one test, initially empty and deleted afterwards.
class TempFolder {
 public:
  TempFolder() {
    // The name does not depend on the process id, because a killed process leaves its folder behind
    // and its id is reused.
    std::string name = std::filesystem::path(::testing::TempDir()) / "joseki_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
    path_ = name;
    using std::filesystem::perms;  // default permissions: others may read it
    std::filesystem::permissions(path_, perms::owner_all | perms::group_read | perms::group_exec |
                                            perms::others_read | perms::others_exec);
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
