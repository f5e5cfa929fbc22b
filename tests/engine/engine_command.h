#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "base/file.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::testing {

// Outcome of running a command of the built engine.
struct CommandOutcome {
  int status = -1;  // exit status; -1 if it did not exit by itself
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
};

// Runs joseki-engine as a user or a script does, with its own folder for files.
class EngineCommand : public ::testing::Test {
 protected:
  // `arguments` as a shell reads them. `environment` precedes the program, as NAME=value.
  CommandOutcome RunEngine(const std::string& arguments, const std::string& input = "",
                           const std::string& environment = "") {
    const std::string in = folder_ / "in";
    const std::string out = folder_ / "out";
    const std::string err = folder_ / "err";
    EXPECT_TRUE(WriteFileAtomically(in, input).ok());
    const int status = std::system((environment + " " JOSEKI_BINARY_DIR "/joseki-engine " +
                                    arguments + " >" + out + " 2>" + err + " <" + in)
                                       .c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *ReadFile(out), *ReadFile(err)};
  }
  // Creates a file with this text; returns its path.
  std::string File(const std::string& text) {
    const std::string path = folder_ / "rows.tsv";
    EXPECT_TRUE(WriteFileAtomically(path, text).ok());
    return path;
  }

  TempFolder folder_;
};

}  // namespace joseki::testing
