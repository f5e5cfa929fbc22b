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
  std::string opponent_book;  // as it is shipped; empty: none
  int workers = 1;
  int seats_per_worker = 0;  // 0: the usable cores, shared out
  bool begin_new = false;
  ProofArguments proof;
  std::string page;  // HOST:PORT; empty: none
};

struct TuneReport {
  coordinator::RunStatus run;
  bool extended = false;  // the run was done, and goes on
  uint64_t games = 0;     // accepted while this command ran
  absl::Duration time;
  bool interrupted = false;
  coordinator::PositionEvidence before;
  coordinator::PositionEvidence after;
  std::optional<Proof> proof;
  std::shared_ptr<BookPage> page;  // where one was asked for: it is served as long as this lives
};

// Tunes the book with a coordinator and workers of its own, and then proves it: goes on with the
// unfinished run of the database if that is the one that `spec` asks for; gives the newest run that
// is done more to play if that is the one, but for its budget, and can go on; begins one otherwise.
// Returns early, everything kept, once `signals` tells us to end. The page, if there is to be one,
// is the coordinator's while games are played, and then this process's.
absl::StatusOr<TuneReport> TuneBook(const TuneArguments& arguments,
                                    const coordinator::RunSpec& spec, SignalWait& signals,
                                    Context& context);

}  // namespace joseki::cli
