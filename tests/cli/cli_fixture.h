#pragma once

// The built joseki program, run as a user or a script does.

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/support/temp_folder.h"

namespace joseki::cli {

using Json = nlohmann::json;

inline constexpr char kCsaGame[] = "V2.2\nPI\n+\n+7776FU\n-3334FU\n+2726FU\n-8384FU\n%TORYO\n";
inline constexpr char kCsaIllegal[] = "V2.2\nPI\n+\n+7776FU\n-3335FU\n%TORYO\n";
inline constexpr char kUsiGames[] =
    "startpos moves 7g7f 3c3d 2g2f\nstartpos moves 7g7f 3c3d\nstartpos moves 2g2f 8c8d\n";

struct Outcome {
  int status = -1;  // exit status; -1 if it did not exit by itself
  std::string out;
  std::string err;

  Json json() const { return Json::parse(out, nullptr, false); }
};

class CliTest : public ::testing::Test {
 protected:
  Outcome Joseki(const std::vector<std::string>& arguments) {
    std::string command = as_ + JOSEKI_BINARY_DIR + "/joseki";
    for (const std::string& argument : arguments) command += " '" + argument + "'";
    const std::string out = output_ + ".out";
    const std::string err = output_ + ".err";
    const int status = std::system((command + " >" + out + " 2>" + err + " </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, *ReadFile(out), *ReadFile(err)};
  }

  std::string Write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  std::string MakeBook() {
    const Outcome made = Joseki({"import", "--book", book_, Write("sample.usi", kUsiGames)});
    EXPECT_EQ(made.status, 0) << made.err;
    return book_;
  }
  // The files of the test's folder but for those of this fixture.
  std::vector<std::string> Files() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.') names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  // The command fails with `status` and one line on stderr that names `code` and `place`; under
  // --json with an object that does.
  void ExpectError(std::vector<std::string> arguments, int status, const std::string& code,
                   const std::string& place) {
    const Outcome plain = Joseki(arguments);
    EXPECT_EQ(plain.status, status) << plain.err;
    EXPECT_EQ(std::count(plain.err.begin(), plain.err.end(), '\n'), 1) << plain.err;
    EXPECT_THAT(plain.err, ::testing::StartsWith("joseki: "));
    EXPECT_THAT(plain.err, ::testing::HasSubstr(code));
    EXPECT_THAT(plain.err, ::testing::HasSubstr(place));
    EXPECT_THAT(plain.out, ::testing::IsEmpty());
    arguments.push_back("--json");
    const Outcome json = Joseki(arguments);
    EXPECT_EQ(json.status, status);
    ASSERT_TRUE(json.json().is_object()) << json.out;
    EXPECT_EQ(json.json()["schema"], 1);
    const Json error = json.json()["error"];
    EXPECT_EQ(error["code"], code);
    for (const char* key : {"file", "line", "found", "expected", "message"}) {
      EXPECT_TRUE(error.contains(key)) << key;
    }
    EXPECT_THAT(error["message"].get<std::string>(), ::testing::HasSubstr(place));
  }

  joseki::testing::TempFolder folder_;
  const std::string book_ = folder_ / "book.sqlite";
  std::string output_ = folder_ / "";  // where a command's output goes, less the ending
  std::string as_;                     // what makes the command another user's
};

}  // namespace joseki::cli
