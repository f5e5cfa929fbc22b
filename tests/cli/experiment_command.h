#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "base/file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::cli {

// Runs joseki in a folder of its own.
class ExperimentCommand : public ::testing::Test {
 protected:
  // Returns the exit status; output_ holds the output, and json_ its parsed form if it is JSON.
  int Run(const std::vector<std::string>& arguments) {
    std::string command = "cd " + folder_.path().string() + " && " JOSEKI_BINARY_DIR "/joseki";
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = folder_ / "out";
    const std::string err = folder_ / "err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    output_ = *ReadFile(out) + *ReadFile(err);
    json_ = nlohmann::json::parse(*ReadFile(out), nullptr, false);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  joseki::testing::TempFolder folder_;
  std::string output_;
  nlohmann::json json_;
};

}  // namespace joseki::cli
