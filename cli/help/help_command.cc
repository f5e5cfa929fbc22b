#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/help/usage.h"

namespace joseki::cli {

void AddHelp(CLI::App& app, Context& context) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* const command = app.add_subcommand("help", "What a command does, and its options");
  command->add_option("command", *words, "the words of a command, such as book show");
  command->callback([words, &app, &context] {
    const absl::StatusOr<const CLI::App*> named = FindCommand(app, *words);
    if (!named.ok()) return context.Finish(named.status(), kBadUsage);
    std::string before = "joseki";
    for (size_t i = 0; i + 1 < words->size(); ++i) before += " " + (*words)[i];
    const std::string name = words->empty() ? before : before + " " + words->back();
    // make_help is called directly: App::help shows the command that was called, which is this one.
    const std::string text =
        (*named)->get_formatter()->make_help(*named, name, CLI::AppFormatMode::Normal);
    if (context.json()) return context.PrintJson({{"command", *words}, {"help", text}});
    context.out() << text;
  });
}

}  // namespace joseki::cli
