#include "cli/run/run_history.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cli/move_table.h"
#include "cli/words/phrases.h"

namespace joseki::cli {

using coordinator::ExportBook;

std::string AnswerWords(const Mover& mover, const ExportBook::Move& move, const Rules& rules,
                        const Voice& voice) {
  std::string words = voice.Say(phrase::kMoveIs, voice.MoveText(rules, mover.packed, move.move),
                                ScoreWords(move.evidence, move.low, move.high, voice));
  if (move.searched == 0) return words;
  return words + voice.Say(phrase::kWorth, absl::StrFormat("%+d", move.worth), move.trials);
}

}  // namespace joseki::cli
