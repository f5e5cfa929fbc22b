#pragma once

#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace joseki::cli {

// The layout of help. Groups of options have a fixed order, an option's words stand within its
// sentence, and lines fit a terminal of usual width.
class HelpForm : public CLI::Formatter {
 public:
  // `groups`: titles in the order in which they are shown; other groups come before them.
  explicit HelpForm(std::vector<std::string> groups);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_description(const CLI::App* app) const override;

 private:
  std::string Groups(const CLI::App* app) const;

  const std::vector<std::string> groups_;
};

}  // namespace joseki::cli
