#include "cli/play_options.h"

#include "book/play_fields.h"
#include "cli/field_flags.h"

namespace joseki::cli {

book::PlaySpec UsualPlay() {
  book::PlaySpec play;
  play.nodes = 2000;
  play.jitter_percent = 20;
  play.resign.moves = 3;
  return play;
}

void AddPlayOptions(CLI::App& command, book::PlaySpec& play) {
  FlagAdder add(command, {Flag::Of::kMatches});
  VisitFields(play, add);
  command.get_option("--nodes")->excludes("--move-ms");
}

}  // namespace joseki::cli
