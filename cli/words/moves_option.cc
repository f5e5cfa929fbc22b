#include "cli/words/moves_option.h"

#include <string>
#include <vector>

#include "base/option_choice.h"
#include "book/records/move_notation.h"

namespace joseki::cli {

void AddMovesOption(CLI::App& command, Context& context) {
  std::vector<std::string> names;
  for (const book::MoveNotation& row : book::MoveNotations()) names.emplace_back(row.name);
  command
      .add_option_function<std::string>(
          "--moves", [&context](const std::string& name) { context.set_moves(name); },
          "how moves are written: of shogi usi (7g7f), ja (７六歩) or en (P-7f), of xiangqi iccs "
          "(H2-E2), wxf (C2=5) or zh (炮二平五); without it, or for another game's, usi and iccs "
          "in "
          "English, ja and zh in Japanese")
      ->type_name("HOW")
      ->check(OneOf(names));
}

}  // namespace joseki::cli
