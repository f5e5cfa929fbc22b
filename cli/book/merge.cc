#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "cli/commands.h"
#include "cli/match/game_of_books.h"
#include "coordinator/offline/merger.h"

namespace joseki::cli {
namespace {

using coordinator::MergeInput;
using coordinator::MergeLayer;

struct MergeArguments {
  std::string book;
  std::vector<std::string> user;
  std::vector<std::string> tuned;
  std::vector<std::string> master;
  bool again = false;
};

// The input of a merge: FILE, or FILE#R for the tuned book of its run R.
absl::StatusOr<MergeInput> InputOf(MergeLayer layer, const std::string& name) {
  MergeInput input{.layer = layer, .path = name, .run = 0};
  const size_t hash = name.rfind('#');
  if (hash == std::string::npos) return input;
  input.path = name.substr(0, hash);
  if (!absl::SimpleAtoi(name.substr(hash + 1), &input.run) || input.run == 0) {
    return MakeProblem({.code = "usage",
                        .file = name,
                        .found = Quote(name.substr(hash)),
                        .expected = "a database, or a database and #R for its run R"});
  }
  return input;
}

absl::Status RunMerge(const MergeArguments& arguments, Context& context) {
  std::vector<MergeInput> inputs;
  const auto add = [&](MergeLayer layer, const std::vector<std::string>& names) -> absl::Status {
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(MergeInput input, InputOf(layer, name));
      inputs.push_back(std::move(input));
    }
    return absl::OkStatus();
  };
  RETURN_IF_ERROR(add(MergeLayer::kUser, arguments.user));
  RETURN_IF_ERROR(add(MergeLayer::kTuned, arguments.tuned));
  RETURN_IF_ERROR(add(MergeLayer::kMaster, arguments.master));
  for (const auto* const names : {&arguments.user, &arguments.tuned, &arguments.master}) {
    RETURN_IF_ERROR(UseGameOfBooks(context, *names));
  }
  ASSIGN_OR_RETURN(
      const coordinator::MergeReport report,
      coordinator::MergeBooks(context.rules(), inputs, arguments.book, arguments.again));
  if (context.json()) {
    Json object;
    object["book"] = arguments.book;
    object["positions"] = report.counts.positions;
    object["moves"] = report.counts.moves;
    object["sources"] = report.counts.sources;
    object["known_sources"] = report.counts.known_sources;
    object["games"] = report.games;
    context.PrintJson(object);
    return absl::OkStatus();
  }
  context.out() << absl::StreamFormat("%d positions and %d moves from %d sources\n",
                                      report.counts.positions, report.counts.moves,
                                      report.counts.sources);
  if (report.counts.known_sources > 0) {
    context.out() << absl::StreamFormat("%d sources were in several of the books: taken once\n",
                                        report.counts.known_sources);
  }
  if (report.games > 0) {
    context.out() << absl::StreamFormat("%d different games of runs\n", report.games);
  }
  return absl::OkStatus();
}

}  // namespace

void AddBookMerge(CLI::App& book, Context& context) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* command = book.add_subcommand(
      "merge",
      "Makes one book of several: the user's over what was tuned over what masters played");
  AddBookOption(*command, arguments->book)->description("the book to make; there must be none yet");
  const auto layer = [command](const char* name, std::vector<std::string>& paths,
                               const char* help) {
    return command->add_option(name, paths, help)->type_name("FILE[#R]")->expected(1, 1000);
  };
  CLI::Option* user = layer("--user", arguments->user, "books that stand over all others");
  CLI::Option* tuned = layer("--tuned", arguments->tuned, "books or runs that were tuned");
  CLI::Option* master = layer("--master", arguments->master, "books that stand below all others");
  command->add_flag("--again", arguments->again, "merge sources that share some of their files");
  command->callback([=, &context] {
    if (user->empty() && tuned->empty() && master->empty()) {
      throw CLI::RequiredError("one of --user, --tuned and --master");
    }
    context.Finish(RunMerge(*arguments, context));
  });
}

}  // namespace joseki::cli
