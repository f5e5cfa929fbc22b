#include "cli/help/form.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/option_choice.h"
#include "cli/words/voice.h"

namespace joseki::cli {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kIndent = 24;  // column of an entry's text

// "  NAME     TEXT", the text filled over several lines; its own line feeds stay.
std::string Entry(const std::string& name, const std::string& text) {
  std::string entry = "  " + name;
  if (entry.size() + 2 > kIndent) {
    entry += '\n';
    entry.append(kIndent, ' ');
  } else {
    entry.append(kIndent - entry.size(), ' ');
  }
  size_t column = kIndent;
  const auto turn = [&] {
    while (entry.back() == ' ') entry.pop_back();
    entry += '\n';
    entry.append(kIndent, ' ');
    column = kIndent;
  };
  bool first_line = true;
  for (const std::string& line : std::vector<std::string>(absl::StrSplit(text, '\n'))) {
    if (!std::exchange(first_line, false)) turn();
    for (const std::string& word :
         std::vector<std::string>(absl::StrSplit(line, ' ', absl::SkipEmpty()))) {
      if (column > kIndent && column + Columns(word) > kColumns) turn();
      absl::StrAppend(&entry, word, " ");
      column += Columns(word) + 1;
    }
  }
  while (entry.back() == ' ') entry.pop_back();
  return entry + "\n";
}

// The type without its check: "INT" of "INT:INT in [1 - 9]", since the sentence states the check.
// "HOST:PORT" is a type without one.
std::string BeforeCheck(const std::string& type) {
  for (size_t at = type.find(':'); at != std::string::npos; at = type.find(':', at + 1)) {
    const std::string check = type.substr(at + 1);
    if (check[0] == '{' || check.find(" in [") != std::string::npos || check.find('(') == 4) {
      return type.substr(0, at);
    }
  }
  return type;
}

// The placeholder for an option's value where the option names no unit.
std::string UnitOf(const std::string& type) {
  if (type == "INT" || type == "UINT") return "N";
  return type == "FLOAT" ? "X" : type;
}

// "[1..9]" of "N[,N...]:INT in [1 - 9]", in one word.
std::string RangeOf(const std::string& type) {
  return absl::StrReplaceAll(type.substr(type.rfind('[')), {{" - ", ".."}});
}

bool IsNamed(const CLI::Option* option) { return option->nonpositional(); }

}  // namespace

HelpForm::HelpForm(std::vector<std::string> groups) : groups_(std::move(groups)) {
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpForm::make_help(const CLI::App* app, std::string name,
                                CLI::AppFormatMode mode) const {
  return absl::StrCat(make_description(app), make_usage(app, std::move(name)),
                      make_positionals(app), Groups(app), make_subcommands(app, mode), "\n",
                      make_footer(app));
}

std::string HelpForm::Groups(const CLI::App* app) const {
  // Options of the command and those above it, without the program's own, which every command has.
  std::vector<const CLI::Option*> options = app->get_options(IsNamed);
  for (const CLI::App* above = app->get_parent();
       above != nullptr && above->get_parent() != nullptr; above = above->get_parent()) {
    for (const CLI::Option* const option : above->get_options(IsNamed)) {
      if (option != above->get_help_ptr()) options.push_back(option);
    }
  }
  const auto place = [&](const CLI::Option* option) {
    const auto at = std::find(groups_.begin(), groups_.end(), option->get_group());
    return at == groups_.end() ? 0 : at - groups_.begin() + 1;
  };
  std::stable_sort(options.begin(), options.end(),
                   [&](const CLI::Option* a, const CLI::Option* b) { return place(a) < place(b); });
  std::string text;
  for (auto begin = options.begin(); begin != options.end();) {
    const std::string title = (*begin)->get_group();
    const auto end = std::find_if(begin, options.end(), [&](const CLI::Option* option) {
      return option->get_group() != title;
    });
    if (!title.empty()) text += make_group(title, /*is_positional=*/false, {begin, end});
    begin = end;
  }
  return text;
}

std::string HelpForm::make_subcommand(const CLI::App* command) const {
  return Entry(command->get_name(), command->get_description());
}

std::string HelpForm::make_option(const CLI::Option* option, bool is_positional) const {
  return Entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpForm::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0) return "";
  std::string text;
  if (const std::string type = BeforeCheck(option->get_type_name()); !type.empty()) {
    absl::StrAppend(&text, " ", ChoicesOf(*option).empty() ? UnitOf(type) : "WORD");
  }
  if (const std::string value = option->get_default_str(); !value.empty()) {
    absl::StrAppend(&text, "=", value);
  }
  if (option->get_expected_max() == CLI::detail::expected_max_vector_size) text += " ...";
  if (option->get_required()) text += " REQUIRED";
  return text;
}

std::string HelpForm::make_option_desc(const CLI::Option* option) const {
  std::string text = option->get_description();
  const auto names = [](const std::set<CLI::Option*>& options) {
    std::set<std::string> sorted;
    for (const CLI::Option* const one : options) sorted.insert(one->get_name());
    return absl::StrJoin(sorted, ", ");
  };
  if (const std::vector<std::string> words = ChoicesOf(*option); !words.empty()) {
    absl::StrAppend(&text, "\none of ", absl::StrJoin(words, ", "));
  } else if (const std::string type = option->get_type_name(); type.find(" in [") != type.npos) {
    absl::StrAppend(&text, " ", RangeOf(type));
  }
  if (!option->get_needs().empty()) {
    absl::StrAppend(&text, "\nonly with ", names(option->get_needs()));
  }
  if (!option->get_excludes().empty()) {
    absl::StrAppend(&text, "\nnot with ", names(option->get_excludes()));
  }
  return text;
}

std::string HelpForm::make_description(const CLI::App* app) const {
  return app->get_description() + "\n";
}

}  // namespace joseki::cli
