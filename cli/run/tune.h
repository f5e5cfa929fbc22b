#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cli/cluster/local_cluster.h"
#include "cli/context.h"
#include "cli/page/book_page.h"
#include "cli/run/opponent_options.h"
#include "cli/run/proof.h"
#include "cli/run/spec_options.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

struct TuneArguments {
  std::string book;
  SpecArguments spec;
  OpponentArguments opponent;
  std::string opponent_book;  // in shipped form; empty: none
  int workers = 1;
  int seats_per_worker = 0;  // 0: the usable cores, divided among the workers
  bool begin_new = false;
  ProofArguments proof;
  std::string page;  // HOST:PORT; empty: none
};

struct TuneReport {
  coordinator::RunStatus run;
  bool extended = false;  // the run was done and has been extended
  uint64_t games = 0;     // accepted during this command
  absl::Duration time;
  bool interrupted = false;
  coordinator::PositionEvidence before;
  coordinator::PositionEvidence after;
  std::optional<Proof> proof;
  std::shared_ptr<BookPage> page;  // the page, if asked for; it is served during the lifetime of
                                   // this object
};

// Tunes the book with a coordinator and workers of its own, and then proves it. Three cases:
// - the database's unfinished run equals `spec`: resumes it;
// - its newest finished run equals `spec` but for the budget, and can be extended: extends it;
// - otherwise: begins a new run.
// After a signal to end it returns early, with all games kept. The page, if asked for, is served by
// the coordinator during the run, and afterwards by this process.
absl::StatusOr<TuneReport> TuneBook(const TuneArguments& arguments,
                                    const coordinator::RunSpec& spec, SignalWait& signals,
                                    Context& context);

}  // namespace joseki::cli
