#include "cli/help/usage.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/closest_word.h"
#include "base/problem.h"

namespace joseki::cli {
namespace {

struct Place {
  const CLI::App* command;
  std::string name;  // "joseki run create"
};

// The innermost command that the command line names.
Place Innermost(const CLI::App& app) {
  Place place{&app, app.get_name()};
  while (!place.command->get_subcommands().empty()) {
    place.command = place.command->get_subcommands().back();
    absl::StrAppend(&place.name, " ", place.command->get_name());
  }
  return place;
}

std::vector<std::string> CommandsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* const one : command.get_subcommands(nullptr)) {
    names.push_back(one->get_name());
  }
  return names;
}

// The long options of the command and of those above it, which it accepts as well.
std::vector<std::string> OptionsOf(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* at = &command; at != nullptr; at = at->get_parent()) {
    for (const CLI::Option* const option : at->get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  }
  return names;
}

// The sentence about an unknown command, which may exist one level below: "shwo" of `joseki book`.
std::string NoCommand(const Place& place, const std::string& word) {
  std::string meant = DidYouMean(word, CommandsOf(*place.command));
  for (const CLI::App* const inner : place.command->get_subcommands(nullptr)) {
    if (!meant.empty()) break;
    if (const std::string closest = ClosestWord(word, CommandsOf(*inner)); !closest.empty()) {
      meant = absl::StrCat("; did you mean ", inner->get_name(), " ", closest, "?");
    }
  }
  return absl::StrCat(Quote(word), " is no command of ", place.name, meant);
}

// The sentence about leftover words. An option among them is named rather than its value.
std::string Unexpected(const Place& place, const std::vector<std::string>& words) {
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return absl::StartsWith(word, "-");
  });
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return absl::StrCat(place.name, " has no option ", Quote(name),
                        DidYouMean(name, OptionsOf(*place.command)));
  }
  if (!CommandsOf(*place.command).empty()) return NoCommand(place, words.front());
  return absl::StrCat(place.name, " takes no further word ", Quote(words.front()));
}

}  // namespace

absl::Status UsageProblem(const CLI::ParseError& error, const CLI::App& app,
                          const SettingPlaces& places) {
  const Place place = Innermost(app);
  const std::vector<std::string> unknown = app.remaining(/*recurse=*/true);
  std::string sentence = error.what();
  const bool needs_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                             absl::StrContains(sentence, "ubcommand");
  // A missing option may be a misspelt one: name the unknown word first.
  if (!unknown.empty() && (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr ||
                           dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)) {
    sentence = Unexpected(place, unknown);
  } else if (needs_command) {
    sentence = place.name + " needs a command";
  }
  return UsageError(std::move(sentence), place.name, places);
}

absl::StatusOr<const CLI::App*> FindCommand(const CLI::App& app,
                                            const std::vector<std::string>& words) {
  Place place{&app, app.get_name()};
  for (const std::string& word : words) {
    const std::vector<const CLI::App*> commands = place.command->get_subcommands(nullptr);
    const auto next = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == word;
    });
    if (next == commands.end()) return UsageError(NoCommand(place, word), place.name, {});
    place = {*next, absl::StrCat(place.name, " ", word)};
  }
  return place.command;
}

}  // namespace joseki::cli
