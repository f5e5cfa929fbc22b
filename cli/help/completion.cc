#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "base/option_choice.h"
#include "cli/commands.h"

namespace joseki::cli {
namespace {

// The shell functions ask this program for candidates, so that completion follows the program's own
// checks. A shell offers files where there are none.
constexpr std::string_view kBash = R"sh(# source <(joseki completion bash)
_joseki() {
  local IFS=$'\n'
  COMPREPLY=($(joseki completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _joseki joseki
)sh";
constexpr std::string_view kZsh = R"sh(#compdef joseki
# source <(joseki completion zsh), after compinit
_joseki() {
  local -a found
  found=(${(f)"$(joseki completion words -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _joseki joseki
)sh";
constexpr std::string_view kFish = R"sh(# joseki completion fish | source
function __joseki_words
  set -l words (commandline -opc) (commandline -ct)
  joseki completion words -- $words[2..-1] 2>/dev/null
end
complete -c joseki -a '(__joseki_words)'
)sh";

// The option of a name, such as --book, of `command` or a command above it; null if there is none.
const CLI::Option* OptionOf(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent()) {
    if (const CLI::Option* const option = command->get_option_no_throw(name)) return option;
  }
  return nullptr;
}

const CLI::App* CommandOf(const CLI::App& command, const std::string& name) {
  for (const CLI::App* const one : command.get_subcommands(nullptr)) {
    if (one->get_name() == name) return one;
  }
  return nullptr;
}

// The words that may complete the last of `words`.
std::vector<std::string> Candidates(const CLI::App& app, std::vector<std::string> words) {
  if (words.empty()) words.emplace_back();
  const std::string begun = words.back();
  words.pop_back();
  const CLI::App* command = &app;
  const CLI::App* helped = nullptr;      // the command named behind `help`
  const CLI::Option* waiting = nullptr;  // an option without its value yet
  for (const std::string& word : words) {
    if (word == "=") continue;  // bash takes --name=value for three words
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (absl::StartsWith(word, "-")) {
      const CLI::Option* const option = OptionOf(command, word);
      if (option != nullptr && option->get_items_expected_max() > 0) waiting = option;
    } else if (const CLI::App* const inner =
                   CommandOf(helped != nullptr ? *helped : *command, word)) {
      (helped != nullptr ? helped : command) = inner;
      if (command->get_name() == "help" && helped == nullptr) helped = &app;
    }
  }
  std::vector<std::string> all;
  if (waiting != nullptr) {
    all = ChoicesOf(*waiting);
  } else if (absl::StartsWith(begun, "-")) {
    for (const CLI::App* at = command; at != nullptr; at = at->get_parent()) {
      for (const CLI::Option* const option : at->get_options()) {
        for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
      }
    }
  } else {
    for (const CLI::App* const one :
         (helped != nullptr ? helped : command)->get_subcommands(nullptr)) {
      all.push_back(one->get_name());
    }
    for (const CLI::Option* const option : command->get_options()) {
      if (!option->get_positional()) continue;
      for (std::string& word : ChoicesOf(*option)) all.push_back(std::move(word));
    }
  }
  std::vector<std::string> fitting;
  for (std::string& one : all) {
    if (absl::StartsWith(one, begun == "=" ? std::string() : begun))
      fitting.push_back(std::move(one));
  }
  return fitting;
}

std::string_view ScriptOf(std::string_view shell) {
  if (shell == "zsh") return kZsh;
  return shell == "fish" ? kFish : kBash;
}

}  // namespace

void AddCompletion(CLI::App& app, Context& context) {
  auto shell = std::make_shared<std::string>();
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = app.add_subcommand(
      "completion", "Prints what a shell needs to complete commands, options and their values");
  command->add_option("shell", *shell, "words: what may stand for the last of the words behind --")
      ->required()
      ->check(OneOf({"bash", "zsh", "fish", "words"}));
  command->add_option("word", *words, "of a command line, without its joseki");
  command->callback([shell, words, &app, &context] {
    if (*shell == "words") {
      const std::vector<std::string> found = Candidates(app, *words);
      if (context.json()) return context.PrintJson({{"words", found}});
      for (const std::string& word : found) context.out() << word << "\n";
      return;
    }
    const std::string script(ScriptOf(*shell));
    if (context.json()) return context.PrintJson({{"shell", *shell}, {"script", script}});
    context.out() << script;
  });
}

}  // namespace joseki::cli
