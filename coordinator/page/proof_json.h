#pragma once

#include <string>

#include "coordinator/model/messages.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// The matches with which `joseki tune` and `joseki report` proved a run's book. They are read from
// files in the folder `db_path`.logs (docs/reference/matches.md): [{opponent, limit, played_ms,
// pairs, games, wins, draws, losses, elo, elo_low, elo_high, llr, lower, upper}]. Results are from
// the tuned book's side, except for "opponent-input". `opponent` is the file's word: "input",
// "bookless", "frequency", "opponent" or "opponent-input". `played_ms` is the file's last
// modification, in Unix ms. Newest matches come first. All proved books of the run are included, so
// that each opponent has its history. Empty if there are none; unreadable files are skipped.
Json ProofJson(const std::string& db_path, RunId run);

// The names, sizes and last modifications of these files: while it is equal, so is ProofJson.
std::string ProofVersion(const std::string& db_path, RunId run);

}  // namespace joseki::coordinator
