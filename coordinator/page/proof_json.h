#pragma once

#include <string>

#include "coordinator/model/messages.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// The matches by which `joseki tune` and `joseki report` proved a run's book, as their files in the
// folder `db_path`.logs say (docs/reference/matches.md): [{opponent, limit, played_ms, pairs,
// games, wins, draws, losses, elo, elo_low, elo_high, llr, lower, upper}], from the tuned book's
// side but for "opponent-input". `opponent` is the file's word for it: "input", "bookless",
// "frequency", "opponent" and "opponent-input"; `played_ms` is when the file was last written,
// Unix. The newest first; every book of the run that was proved is in it, so that each opponent has
// its course. Empty where there are none; a file that cannot be read is passed over.
Json ProofJson(const std::string& db_path, RunId run);

}  // namespace joseki::coordinator
