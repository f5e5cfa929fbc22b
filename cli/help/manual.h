#pragma once

#include <span>
#include <string_view>

#include "CLI/CLI.hpp"

// The parts of --help beside the options themselves: groups of commands and of options, and
// examples.
namespace joseki::cli {

// The smallest number of examples of a command; a test demands it.
inline constexpr int kLeastExamples = 2;

struct Example {
  std::string_view command;  // the command's words: "book show"
  std::string_view line;     // the command line, with "joseki"
};
// All examples, in the order in which they are shown.
std::span<const Example> Examples();

// Puts every command and option of `app` into its group, adds the examples, and sets the form of
// all help. REQUIRES: all commands are added.
void AddManual(CLI::App& app);

}  // namespace joseki::cli
