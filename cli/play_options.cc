#include "cli/play_options.h"

#include "base/option_range.h"

namespace joseki::cli {

const std::map<std::string, Declaration>& Declarations() {
  static const std::map<std::string, Declaration> declarations = {
      {"none", Declaration::kNone}, {"27", Declaration::k27}, {"24", Declaration::k24}};
  return declarations;
}

std::string NameOf(Declaration declaration) {
  for (const auto& [name, value] : Declarations()) {
    if (value == declaration) return name;
  }
  return "";
}

void AddPlayOptions(CLI::App& command, PlayArguments& arguments) {
  command.add_option("--nodes", arguments.nodes, "nodes that the engine searches for each move")
      ->type_name("N")
      ->check(Within(uint64_t{1}, uint64_t{1'000'000'000}))
      ->capture_default_str();
  command
      .add_option("--move-ms", arguments.move_ms,
                  "milliseconds that the engine thinks for each move, instead of --nodes; such "
                  "games cannot be repeated")
      ->type_name("MS")
      ->check(Within(1, 600'000));
  command
      .add_option("--jitter", arguments.jitter_percent,
                  "nodes or time vary by this percentage, so that one line gives many games")
      ->type_name("PERCENT")
      ->check(Within(0, 90))
      ->capture_default_str();
  command.add_option("--max-plies", arguments.max_plies, "a game of this many plies is a draw")
      ->type_name("M")
      ->check(Within(1, 2000))
      ->capture_default_str();
  command.add_option("--declaration", arguments.declaration, "rule for declaring a win by points")
      ->check(CLI::IsMember({"27", "24", "none"}))
      ->capture_default_str();
  command
      .add_option("--resign-below", arguments.resign_below,
                  "a side whose own score is -CP or worse --resign-moves times in a row resigns; "
                  "0: never")
      ->type_name("CP")
      ->check(Within(0, 32'000))
      ->capture_default_str();
  command.add_option("--resign-moves", arguments.resign_moves, "see --resign-below")
      ->type_name("K")
      ->check(Within(1, 100))
      ->capture_default_str();
}

}  // namespace joseki::cli
