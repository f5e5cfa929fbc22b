#pragma once

#include <span>
#include <string_view>

#include "CLI/CLI.hpp"

// What --help says beside the options themselves: groups of commands and of options, and examples.
namespace joseki::cli {

// How many examples each command has at least; a test demands it.
inline constexpr int kLeastExamples = 2;

struct Example {
  std::string_view command;  // its words: "book show"
  std::string_view line;     // as it is typed, from "joseki" on
};
// In the order in which they are shown.
std::span<const Example> Examples();

// Puts every command of `app` and every option into its group, gives each command its examples, and
// sets the form of all help. REQUIRES: all commands are added.
void AddManual(CLI::App& app);

}  // namespace joseki::cli
