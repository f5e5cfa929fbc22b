#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cli/commands.h"

namespace joseki::cli {
namespace {

// The words that may follow a command: its commands, or its options.
void AddCases(const CLI::App& command, const std::string& path,
              const std::vector<std::string>& inherited, std::string& names, std::string& cases) {
  std::vector<std::string> options = inherited;
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  }
  std::vector<std::string> commands;
  for (const CLI::App* const one : command.get_subcommands(nullptr)) {
    commands.push_back(one->get_name());
    absl::StrAppend(&names, names.empty() ? "" : " | ", "\"", path, " ", one->get_name(), "\"");
    AddCases(*one, absl::StrCat(path, " ", one->get_name()), {"--json"}, names, cases);
  }
  absl::StrAppend(&cases, "    \"", path, "\") commands=\"", absl::StrJoin(commands, " "),
                  "\" options=\"", absl::StrJoin(options, " "), "\" ;;\n");
}

std::string BashScript(const CLI::App& app) {
  std::string names;
  std::string cases;
  AddCases(app, "", {}, names, cases);
  return absl::StrCat(R"(# Completion of joseki: source <(joseki completion bash)
_joseki() {
  local word=${COMP_WORDS[COMP_CWORD]} path="" commands="" options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$path ${COMP_WORDS[i]}" in
    )",
                      names, R"() path="$path ${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
)",
                      cases, R"(  esac
  # What is neither a command nor an option is completed as a file.
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$commands" -- "$word"))
  fi
}
complete -o default -F _joseki joseki
)");
}

}  // namespace

void AddCompletion(CLI::App& app, Context& context) {
  auto shell = std::make_shared<std::string>();
  CLI::App* const command = app.add_subcommand(
      "completion",
      "Prints what a shell needs to complete commands: source <(joseki completion bash)");
  command->add_option("shell", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  command->callback([shell, &app, &context] {
    const std::string script =
        (*shell == "zsh" ? "autoload -U +X bashcompinit && bashcompinit\n" : "") + BashScript(app);
    if (context.json()) return context.PrintJson({{"shell", *shell}, {"script", script}});
    context.out() << script;
  });
}

}  // namespace joseki::cli
