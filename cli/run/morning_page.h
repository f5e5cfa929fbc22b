#pragma once

#include <string>
#include <vector>

#include "cli/run/gains.h"
#include "cli/run/proof.h"
#include "cli/run/run_history.h"
#include "cli/words/voice.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/spending.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// The data of a report on a run.
struct MorningReport {
  std::string book;     // file name
  std::string version;  // version of this program
  std::string epoch;    // epoch of the book
  std::string engines;  // file with the run's engines; empty: none was named
  const coordinator::TunedRun* run = nullptr;
  const RunHistory* history = nullptr;
  const Movers* movers = nullptr;
  const coordinator::SpendingReport* spending = nullptr;
  const Proof* proof = nullptr;  // null: no proof was asked for
  std::vector<Gain> gains;
};

// The commands that reproduce the result, one per line: the run, its check, its book.
std::string ReproduceCommands(const MorningReport& report);

// A self-contained HTML file with plots as inline SVG: the run's settings, its games, changed
// answers, the proof, faults, and how to reproduce it. The page is in the language of `voice`, with
// a light and a dark scheme.
std::string MorningPage(const MorningReport& report, const Rules& rules, const Voice& voice);

}  // namespace joseki::cli
