#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// The options of a program from its environment and from one TOML file, under the names that they
// have on the command line. The command line comes first, then the environment, then the file.
namespace joseki {

struct SettingsOptions {
  // The program's section of the file, such as "joseki-worker": other programs' sections are
  // theirs. Those of a command are [joseki.run.create].
  std::string section;
  // --drain-seconds is JOSEKI_WORKER_DRAIN_SECONDS after "JOSEKI_WORKER_".
  std::string prefix;
  // Commands that take settings of a section of their own alone, and nothing of the environment.
  std::set<std::string> apart = {};
};

// The file: --settings FILE, or the variable PREFIX_SETTINGS. Adds the option, so that --help has
// it.
void AddSettingsOption(CLI::App& app, const SettingsOptions& options);

// The place where an option was set that is not on the command line.
struct SettingPlace {
  std::string option;  // its long name
  std::string place;   // the file, or the variable of the environment
  int line = 0;        // of the file
};
using SettingPlaces = std::vector<SettingPlace>;

// Returns `arguments` (without the program's name) followed by "--name=value" for settings of
// environment and file. Left out are options that the command line gives, and those that exclude
// one it gives. A setting counts for every command that has the option. InvalidArgument
// "unknown_setting" for a key of the program's section that no command has, "bad_setting" for a
// flag that is neither true nor false, and the codes of ReadSettings (base/settings_file.h). Adds
// to `places`. REQUIRES: commands fall through, so that they take the options of those above them.
absl::StatusOr<std::vector<std::string>> WithSettings(
    const CLI::App& app, const SettingsOptions& options, std::vector<std::string> arguments,
    const std::function<const char*(const char*)>& environment, SettingPlaces& places);

// Settings of a program's own environment, last first, as CLI::App::parse takes them.
absl::StatusOr<std::vector<std::string>> CommandLine(const CLI::App& app,
                                                     const SettingsOptions& options, int argc,
                                                     char** argv, SettingPlaces& places);

// "usage": the parser's error of a command line, with file and line where an option that it names
// was set elsewhere. `program`: the program whose --help the error names.
absl::Status UsageError(std::string said, const std::string& program, const SettingPlaces& places);

}  // namespace joseki
