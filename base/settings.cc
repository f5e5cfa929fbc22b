#include "base/settings.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/problem.h"
#include "base/settings_file.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

constexpr std::string_view kSettings = "settings";
// Options that no settings may set: they end the program.
bool IsFixed(std::string_view name) {
  return name == "help" || name == "version" || name == kSettings;
}

using Path = std::vector<std::string>;  // commands, from the program's own down

// The parts of a command line that matter here: the command, and its options.
struct Given {
  std::vector<const CLI::App*> commands;  // the program itself first
  Path path;
  std::set<std::string> options;  // long names
};

Given Read(const CLI::App& app, const std::vector<std::string>& arguments) {
  Given given{.commands = {&app}};
  for (const std::string& argument : arguments) {
    if (argument == "--") break;
    if (absl::StartsWith(argument, "--")) {
      given.options.insert(argument.substr(2, argument.find('=') - 2));
      continue;
    }
    for (const CLI::App* const command : given.commands.back()->get_subcommands(nullptr)) {
      if (command->get_name() != argument) continue;
      given.commands.push_back(command);
      given.path.push_back(argument);
      break;
    }
  }
  return given;
}

// The option of a long name in the given commands, innermost first.
const CLI::Option* Find(const Given& given, const std::string& name) {
  for (auto command = given.commands.rbegin(); command != given.commands.rend(); ++command) {
    if (const CLI::Option* const option = (*command)->get_option_no_throw("--" + name)) {
      return option;
    }
  }
  return nullptr;
}

// Whether any command has an option of that name.
bool Anywhere(const CLI::App& app, const std::string& name) {
  if (app.get_option_no_throw("--" + name) != nullptr) return true;
  const std::vector<const CLI::App*> commands = app.get_subcommands(nullptr);
  return std::any_of(commands.begin(), commands.end(),
                     [&](const CLI::App* command) { return Anywhere(*command, name); });
}

const CLI::App* Command(const CLI::App& app, const Path& path) {
  const CLI::App* at = &app;
  for (const std::string& name : path) {
    const std::vector<const CLI::App*> commands = at->get_subcommands(nullptr);
    const auto found = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == name;
    });
    if (found == commands.end()) return nullptr;
    at = *found;
  }
  return at;
}

// The values of one option, with their place.
struct Values {
  std::vector<std::string> values;
  std::string place;  // the file, or the variable of the environment
  int line = 0;       // of the file
};
using ValuesByOption = std::map<std::string, Values>;

// The values that apply to the command; the deepest section wins.
absl::StatusOr<ValuesByOption> ValuesOf(const std::string& path, const CLI::App& app,
                                        const SettingsOptions& options, const Given& given) {
  ASSIGN_OR_RETURN(const std::vector<Setting> settings, ReadSettings(path));
  const bool apart = !given.path.empty() && options.apart.count(given.path.front()) != 0;
  ValuesByOption values;
  std::map<std::string, size_t> depths;
  for (const Setting& setting : settings) {
    const auto unknown = [&](const std::string& found, const std::string& expected) {
      return MakeProblem({.code = "unknown_setting",
                          .file = path,
                          .line = setting.line,
                          .found = found,
                          .expected = expected});
    };
    if (setting.section.empty()) {
      return unknown(setting.name + " before any section", absl::StrCat("[", options.section, "]"));
    }
    if (setting.section.front() != options.section) {
      if (absl::StartsWith(setting.section.front(), "joseki")) continue;
      return unknown(absl::StrCat("[", setting.section.front(), "]"),
                     "[joseki], [joseki-coordinator] or [joseki-worker]");
    }
    const Path section(setting.section.begin() + 1, setting.section.end());
    const std::string place = absl::StrCat("[", absl::StrJoin(setting.section, "."), "]");
    const CLI::App* const command = Command(app, section);
    if (command == nullptr) return unknown(place, "the name of a command");
    if (setting.name.empty()) continue;
    if (!Anywhere(*command, setting.name) || IsFixed(setting.name)) {
      return unknown(absl::StrCat(setting.name, " in ", place),
                     "an option of the command line, without its dashes");
    }
    if (section.size() > given.path.size() ||
        !std::equal(section.begin(), section.end(), given.path.begin())) {
      continue;
    }
    if (apart && section.empty()) continue;
    if (depths.count(setting.name) != 0 && depths.at(setting.name) > section.size()) continue;
    depths[setting.name] = section.size();
    values[setting.name] = {setting.values, path, setting.line};
  }
  return values;
}

// The environment's value of an option, if any.
std::optional<Values> FromEnvironment(const SettingsOptions& options, const std::string& name,
                                      const std::function<const char*(const char*)>& environment) {
  const std::string variable =
      options.prefix + absl::AsciiStrToUpper(absl::StrReplaceAll(name, {{"-", "_"}}));
  const char* const value = environment(variable.c_str());
  if (value == nullptr) return std::nullopt;
  return Values{.values = {value}, .place = variable};
}

// Whether the text contains --NAME, and not only a longer name.
bool Names(const std::string& text, const std::string& name) {
  const std::string flag = "--" + name;
  for (size_t at = text.find(flag); at != std::string::npos; at = text.find(flag, at + 1)) {
    const size_t end = at + flag.size();
    if (end == text.size() || !(absl::ascii_isalnum(text[end]) || text[end] == '-')) return true;
  }
  return false;
}

// The sentence about an option's number of values, which CLI11 words with its inner names:
// "--nodes: 1 required N:UINT in [1 - 1000000000] missing", "--book: At Most 1 required but
// received 2".
std::string WithPlainCounts(std::string said) {
  constexpr std::string_view kMissing = ": 1 required ";
  constexpr std::string_view kTooMany = ": At Most 1 required but received ";
  if (const size_t at = said.find(kMissing);
      at != std::string::npos && absl::EndsWith(said, " missing")) {
    return absl::StrCat(said.substr(0, at), " needs a value");
  }
  if (const size_t at = said.find(kTooMany); at != std::string::npos) {
    return absl::StrCat(said.substr(0, at), " takes one value, and has ",
                        said.substr(at + kTooMany.size()));
  }
  return said;
}

bool IsFlag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

// Appends an option to the command line. A flag set to false is left out.
absl::Status Append(const CLI::Option& option, const std::string& name, const Values& values,
                    std::vector<std::string>& arguments) {
  if (!IsFlag(option)) {
    for (const std::string& value : values.values) {
      arguments.push_back(absl::StrCat("--", name, "=", value));
    }
    return absl::OkStatus();
  }
  const std::string value =
      values.values.size() == 1 ? absl::AsciiStrToLower(values.values.front()) : "a list";
  if (value == "true" || value == "1" || value == "yes" || value == "on") {
    arguments.push_back("--" + name);
  } else if (value != "false" && value != "0" && value != "no" && value != "off") {
    return MakeProblem({.code = "bad_setting",
                        .file = values.place,
                        .line = values.line,
                        .found = absl::StrCat(name, " ", Quote(value)),
                        .expected = "true or false"});
  }
  return absl::OkStatus();
}

}  // namespace

void AddSettingsOption(CLI::App& app, const SettingsOptions& options) {
  // No effect here: WithSettings reads the file before the parser runs.
  app.add_option_function<std::string>(
         "--settings", [](const std::string&) {},
         absl::StrCat("TOML file of further options, in its section [", options.section,
                      "]; each may stand in the environment, too: ", options.prefix,
                      "SETTINGS is this one"))
      ->type_name("FILE");
}

absl::StatusOr<std::vector<std::string>> WithSettings(
    const CLI::App& app, const SettingsOptions& options, std::vector<std::string> arguments,
    const std::function<const char*(const char*)>& environment, SettingPlaces& places) {
  const Given given = Read(app, arguments);
  std::string path;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--settings" && i + 1 < arguments.size()) path = arguments[i + 1];
    if (absl::StartsWith(arguments[i], "--settings=")) path = arguments[i].substr(11);
  }
  if (path.empty()) {
    if (const auto named = FromEnvironment(options, std::string(kSettings), environment)) {
      path = named->values.front();
    }
  }
  ValuesByOption values;
  if (!path.empty()) {
    ASSIGN_OR_RETURN(values, ValuesOf(path, app, options, given));
  }
  if (given.path.empty() || options.apart.count(given.path.front()) == 0) {
    for (const CLI::App* const command : given.commands) {
      for (const CLI::Option* const option : command->get_options()) {
        for (const std::string& name : option->get_lnames()) {
          if (IsFixed(name)) continue;
          if (auto value = FromEnvironment(options, name, environment)) {
            values[name] = *std::move(value);
          }
        }
      }
    }
  }
  std::vector<std::string> added;
  for (const auto& [name, value] : values) {
    const CLI::Option* const option = Find(given, name);
    if (option == nullptr || given.options.count(name) != 0) continue;
    const std::set<CLI::Option*>& excluded = option->get_excludes();
    const bool in_the_way = std::any_of(excluded.begin(), excluded.end(), [&](CLI::Option* other) {
      return std::any_of(other->get_lnames().begin(), other->get_lnames().end(),
                         [&](const std::string& one) { return given.options.count(one) != 0; });
    });
    if (in_the_way) continue;
    RETURN_IF_ERROR(Append(*option, name, value, added));
    places.push_back({name, value.place, value.line});
  }
  // Insert before "--", after which nothing is an option.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  arguments.insert(end, added.begin(), added.end());
  return arguments;
}

absl::StatusOr<std::vector<std::string>> CommandLine(const CLI::App& app,
                                                     const SettingsOptions& options, int argc,
                                                     char** argv, SettingPlaces& places) {
  ASSIGN_OR_RETURN(std::vector<std::string> arguments,
                   WithSettings(app, options, std::vector<std::string>(argv + 1, argv + argc),
                                std::getenv, places));
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

absl::Status UsageError(std::string said, const std::string& program, const SettingPlaces& places) {
  std::replace(said.begin(), said.end(), '\n', ' ');
  said = WithPlainCounts(std::move(said));
  Problem problem{.code = "usage", .expected = absl::StrCat("see ", program, " --help")};
  for (const SettingPlace& setting : places) {
    if (!Names(said, setting.option)) continue;
    problem.file = setting.place;
    problem.line = setting.line;
    break;
  }
  problem.found = std::move(said);
  return SentenceProblem(std::move(problem));
}

}  // namespace joseki
