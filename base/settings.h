#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Options of a program from its environment and from one TOML file, under their names on the
// command line. The command line takes precedence, then the environment, then the file.
namespace joseki {

struct SettingsOptions {
  // The program's section of the file, such as "joseki-worker"; other programs ignore it. The
  // section of a command is [joseki.run.create].
  std::string section;
  // The prefix of variables: with "JOSEKI_WORKER_", --drain-seconds is JOSEKI_WORKER_DRAIN_SECONDS.
  std::string prefix;
  // Commands that take settings only from a section of their own, and none from the environment.
  std::set<std::string> apart = {};
};

// Adds the option --settings FILE, or variable PREFIX_SETTINGS, that names the file, so that --help
// lists it.
void AddSettingsOption(CLI::App& app, const SettingsOptions& options);

// The place that set an option other than the command line.
struct SettingPlace {
  std::string option;  // long name
  std::string place;   // the file, or the environment variable
  int line = 0;        // of the file
};
using SettingPlaces = std::vector<SettingPlace>;

// Returns `arguments` (without the program's name), followed by "--name=value" for each setting of
// the environment and the file. Left out are options given on the command line, and those that
// exclude one of these. A setting applies to every command that has the option. Adds to `places`.
// InvalidArgument "unknown_setting" for a key of the program's section that no command has, or
// "bad_setting" for a flag that is neither true nor false. Other codes are those of ReadSettings
// (base/settings_file.h). REQUIRES: commands fall through, so that they accept the options of those
// above them.
absl::StatusOr<std::vector<std::string>> WithSettings(
    const CLI::App& app, const SettingsOptions& options, std::vector<std::string> arguments,
    const std::function<const char*(const char*)>& environment, SettingPlaces& places);

// WithSettings for the program's own environment, last argument first, as CLI::App::parse takes
// them.
absl::StatusOr<std::vector<std::string>> CommandLine(const CLI::App& app,
                                                     const SettingsOptions& options, int argc,
                                                     char** argv, SettingPlaces& places);

// "usage": the parser's error, with file and line where an option that it names was set outside the
// command line. `program`: the program whose --help the error names.
absl::Status UsageError(std::string said, const std::string& program, const SettingPlaces& places);

}  // namespace joseki
