#include "cli/book/game_filter_options.h"

#include <optional>
#include <string>
#include <vector>

#include "base/option_choice.h"
#include "base/option_range.h"
#include "base/status_macros.h"
#include "cli/boards/game_view.h"
#include "engine/core/outcome.h"

namespace joseki::cli {
namespace {

void AddDay(CLI::App& command, const std::string& name, std::optional<int>& day, bool last,
            const std::string& meaning) {
  command
      .add_option_function<std::string>(
          name,
          [name, &day, last](const std::string& text) {
            const absl::StatusOr<int> parsed = book::ParseDay(text, last);
            if (!parsed.ok()) {
              throw CLI::ValidationError(name, std::string(parsed.status().message()));
            }
            day = *parsed;
          },
          meaning)
      ->type_name("DAY");
}

}  // namespace

void AddGameFilter(CLI::App& command, GameFilterArguments& arguments) {
  book::GameFilter& filter = arguments.filter;
  command
      .add_option_function<int>(
          "--min-rating", [&filter](const int& rating) { filter.min_rating = rating; },
          "games only whose players both have this rating or more")
      ->check(Within(-10'000, 10'000));
  AddDay(command, "--since", filter.since, /*last=*/false,
         "only games from this day on (2019, 2019-05, 2019-05-01)");
  AddDay(command, "--until", filter.until, /*last=*/true, "only games up to this day");
  std::vector<std::string> results = SideWords();
  results.insert(results.end(), {"draw", "decided"});
  command
      .add_option("--result", arguments.result,
                  "only games that this side won, draws, or games that either side won")
      ->check(OneOf(results));
  command.add_option("--player", filter.players,
                     "only games of players whose name contains this; may be repeated");
}

absl::StatusOr<book::GameFilter> FilterOf(const GameFilterArguments& arguments,
                                          const Rules& rules) {
  book::GameFilter filter = arguments.filter;
  filter.decided = arguments.result == "decided";
  if (arguments.result == "draw") filter.result = Result::kDraw;
  if (arguments.result.empty() || filter.decided || filter.result) return filter;
  ASSIGN_OR_RETURN(const Color winner, SideNamed(rules, arguments.result, "--result"));
  filter.result = WinFor(winner);
  return filter;
}

}  // namespace joseki::cli
