#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "gtest/gtest.h"

namespace joseki::testing {

// A folder of its own for one test, empty at first and gone afterwards.
class TempFolder {
 public:
  TempFolder() {
    // Not named by the process: a killed one leaves its folder to the next that gets its number.
    std::string name = std::filesystem::path(::testing::TempDir()) / "joseki_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder: " + name);
    path_ = name;
    using std::filesystem::perms;  // as any new folder: others may look into it
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
