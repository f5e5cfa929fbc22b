#include "cli/book/game_filter_options.h"

#include <optional>
#include <string>

#include "base/option_range.h"
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

void AddGameFilter(CLI::App& command, book::GameFilter& filter) {
  command
      .add_option_function<int>(
          "--min-rating", [&filter](const int& rating) { filter.min_rating = rating; },
          "games only whose players both have this rating or more")
      ->check(Within(-10'000, 10'000));
  AddDay(command, "--since", filter.since, /*last=*/false,
         "games only from this day on (2019, 2019-05, 2019-05-01)");
  AddDay(command, "--until", filter.until, /*last=*/true, "games only up to this day");
  command
      .add_option_function<std::string>(
          "--result",
          [&filter](const std::string& word) {
            filter.decided = word == "decided";
            if (word == "black") filter.result = Result::kFirstWins;
            if (word == "white") filter.result = Result::kSecondWins;
            if (word == "draw") filter.result = Result::kDraw;
          },
          "games only that this side won, that were drawn, or that either side won")
      ->check(CLI::IsMember({"black", "white", "draw", "decided"}));
  command.add_option("--player", filter.players,
                     "games only of players whose name has this in it; may be given again");
}

}  // namespace joseki::cli
