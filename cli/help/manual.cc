#include "cli/help/manual.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "cli/help/form.h"

namespace joseki::cli {
namespace {

constexpr char kOthers[] = "Other commands";

struct Group {
  std::string title;
  std::vector<std::string_view> names;

  bool Has(std::string_view name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
  }
};

// Groups of the commands of `joseki` itself; the subcommands of a command are one group.
const std::vector<Group>& CommandGroups() {
  static const std::vector<Group> groups = {
      {"Commands to make, see and tune a book",
       {"import", "book", "tune", "report", "export", "match", "page"}},
      {"Commands for a cluster", {"run", "status", "workers", "games", "certs"}},
      {"Commands to keep a book safe", {"backup", "restore", "archive", "audit"}},
      {"Commands to measure", {"simulate", "simulate-lines", "experiment", "loadgen"}},
      {kOthers, {"doctor", "completion", "help"}},
  };
  return groups;
}

// Groups of options by long name, for every command, in the order in which they are shown. Options
// without a group come first.
const std::vector<Group>& OptionGroups() {
  static const std::vector<Group> groups = {
      {"How a move is limited",
       {"nodes", "move-ms", "jitter", "nodes-a", "move-ms-a", "nodes-b", "move-ms-b"}},
      {"How a game ends",
       {"max-plies", "declaration", "repetition", "resign-below", "resign-moves", "play-on"}},
      {"Which engine", {"engine", "engines", "option", "set", "no-scores"}},
      {"Where lines go",
       {"start", "deviation", "max-book-plies", "re-entry", "re-entry-games", "fixed-book"}},
      {"How books are played",
       {"choice", "choice-a", "choice-b", "range", "starts", "start-plies"}},
      {"What the book is tuned for",
       {"goal", "own-limit", "policy", "policy-option", "seed", "take-over"}},
      {"Searches",
       {"search-share", "search-nodes", "no-search", "priors", "prior-nodes", "prior-positions"}},
      {"When it ends",
       {"games", "hours", "settle", "settle-margin", "stop-gain", "stop-change", "pairs", "sprt",
        "elo-model", "alpha", "beta"}},
      {"An opponent",
       {"opponent", "side", "opponent-choice", "opponent-range", "opponent-nodes",
        "opponent-move-ms", "opponent-option"}},
      {"Workers",
       {"workers", "slots-per-worker", "verify", "priority", "weight", "require-memory",
        "require-cores", "require-label"}},
      {"Proof", {"proof", "proof-sprt", "verify-nodes", "proof-concurrency", "proof-coordinator"}},
      {"Which games",
       {"min-rating", "since", "until", "result", "player", "professional", "filter", "plies",
        "variations", "evaluations", "again"}},
      {"Coordinator", {"coordinator", "tls", "tls-ca", "tls-cert", "tls-key", "http-proxy"}},
  };
  return groups;
}

// A command with fewer options than this shows them as one list.
constexpr size_t kFewOptions = 14;

void GroupOptions(CLI::App& command) {
  const std::vector<CLI::Option*> options = command.get_options();
  const bool few = options.size() < kFewOptions;
  for (CLI::Option* const option : options) {
    for (const Group& group : OptionGroups()) {
      // Such a list sets only the options that reach a coordinator apart.
      if (few && &group != &OptionGroups().back()) continue;
      const std::vector<std::string>& names = option->get_lnames();
      if (std::any_of(names.begin(), names.end(),
                      [&](const std::string& name) { return group.Has(name); })) {
        option->group(group.title);
      }
    }
  }
}

void AddExamples(CLI::App& command, const std::string& path) {
  std::string text;
  for (const Example& example : Examples()) {
    if (example.command != path) continue;
    absl::StrAppend(&text, text.empty() ? "Examples:\n" : "\n", "  ", std::string(example.line));
  }
  if (text.empty()) return;
  if (const std::string& footer = command.get_footer(); !footer.empty()) {
    text = absl::StrCat(footer, "\n\n", text);
  }
  command.footer(text);
}

void AddManual(CLI::App& command, const std::string& path) {
  GroupOptions(command);
  AddExamples(command, path);
  for (CLI::App* const one : command.get_subcommands(nullptr)) {
    if (!path.empty()) one->group("Commands");
    AddManual(*one, absl::StrCat(path, path.empty() ? "" : " ", one->get_name()));
  }
}

void SetForm(CLI::App& command, const std::shared_ptr<HelpForm>& form) {
  command.formatter(form);
  for (CLI::App* const one : command.get_subcommands(nullptr)) SetForm(*one, form);
}

}  // namespace

void AddManual(CLI::App& app) {
  std::vector<std::string> titles;
  for (const Group& group : OptionGroups()) titles.push_back(group.title);
  SetForm(app, std::make_shared<HelpForm>(std::move(titles)));
  AddManual(app, "");
  for (CLI::App* const command : app.get_subcommands(nullptr)) {
    command->group(kOthers);
    for (const Group& group : CommandGroups()) {
      if (group.Has(command->get_name())) command->group(group.title);
    }
  }
  app.footer("joseki help COMMAND, or joseki COMMAND --help, has options and examples of each.");
}

}  // namespace joseki::cli
