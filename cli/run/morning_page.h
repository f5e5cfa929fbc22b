#pragma once

#include <string>

#include "cli/run/proof.h"
#include "cli/run/run_history.h"
#include "cli/words/voice.h"
#include "coordinator/offline/exporter.h"
#include "coordinator/offline/spending.h"
#include "engine/core/rules.h"

namespace joseki::cli {

// All that a report on a run says.
struct MorningReport {
  std::string book;     // file name
  std::string version;  // of this program
  std::string epoch;    // of the book
  std::string engines;  // file with the run's engines; empty: none was named
  const coordinator::TunedRun* run = nullptr;
  const RunHistory* history = nullptr;
  const Movers* movers = nullptr;
  const coordinator::SpendingReport* spending = nullptr;
  const Proof* proof = nullptr;  // null: none was asked for
};

// The commands that give the same again, one a line: the run anew, its check, its book.
std::string ReproduceCommands(const MorningReport& report);

// One HTML file that asks nobody for anything: what was asked, what was played, what moved, what is
// proven, what went wrong, how to reproduce it, with plots as inline SVG. Light and dark, in the
// language of `voice`.
std::string MorningPage(const MorningReport& report, const Rules& rules, const Voice& voice);

}  // namespace joseki::cli
