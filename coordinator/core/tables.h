#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "base/rng.h"
#include "coordinator/core/effects.h"
#include "coordinator/core/ledger.h"
#include "coordinator/model/rows.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/scheduling/fair_share.h"
#include "coordinator/scheduling/fault_rates.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/pressure.h"
#include "coordinator/scheduling/rate_meter.h"
#include "coordinator/scheduling/residuals.h"
#include "coordinator/scheduling/servers.h"
#include "coordinator/scheduling/session_table.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/scheduling/verification.h"
#include "coordinator/scheduling/wait_list.h"
#include "coordinator/store/disk.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A run with the coordinator's counts of it.
struct ActiveRun {
  RunState state;
  RateMeter rate;
  uint64_t duplicates = 0;  // since this coordinator's start
  uint64_t conflicts = 0;   // that were kept
  Verification verification = Verification(0, 0);
  uint64_t copies = 0;                      // copies that were equal
  uint64_t mismatches = 0;                  // copies that differed
  absl::Time swept = absl::InfinitePast();  // the last start of a checkpoint
  bool sweeping = false;                    // whether its checkpoint is being written
  std::string last_fault;                   // its text; empty: none since this coordinator's start
};

// The time of an event, and the load of the disk then.
struct Moment {
  absl::Time now;              // never goes back
  int64_t wall_ms = 0;         // by the wall clock, which may be set: for people and rows
  size_t queued_games = 0;     // waiting for the writer
  uint64_t written_games = 0;  // since the coordinator's start
};

// Everything that a coordinator holds in memory. The functions of this folder change it, one event
// at a time, without thread, lock, SQL or clock. Debts to the database go to `ledger`, all other
// requests of an event to `effects`.
//
// Runs are never removed: references to one are valid as long as the tables are.
struct Tables {
  struct Settings {
    absl::Duration acquire_wait;     // how long an Acquire is held
    absl::Duration lease_term;       // minimum
    uint32_t slots_per_lease = 0;    // maximum
    double quarantine_outliers = 0;  // residuals.h; 0: no quarantine of outliers
    Pressure::Options pressure;
    uint64_t seed = 0;  // for the jitter of retries
  };

  Tables(const Rules& the_rules, const Settings& the_settings, absl::Time now)
      : rules(the_rules),
        settings(the_settings),
        moment{.now = now},
        serving{.pressure = Pressure(settings.pressure), .rng = Rng(settings.seed)} {}

  ActiveRun* FindRun(RunId run) {
    const auto at = runs.find(run);
    return at == runs.end() ? nullptr : &at->second;
  }
  const ActiveRun* FindRun(RunId run) const {
    const auto at = runs.find(run);
    return at == runs.end() ? nullptr : &at->second;
  }

  // Notes a run whose next stage or end may be reached, or whose row has changed.
  void Touch(RunId run) { notes.runs.try_emplace(run, false); }
  void TouchRow(RunId run) { notes.runs[run] = true; }

  const Rules& rules;
  const Settings settings;
  Moment moment;  // the time of the current event

  LeaseTable leases;
  SessionTable sessions;
  Servers servers;  // those heard of recently that do not drain
  std::map<RunId, ActiveRun> runs;
  Marks marks;

  // State of calls for work: those that wait, the run to serve next, and the load.
  struct Serving {
    WaitList waiters;
    FairShare shares;
    Pressure pressure;
    Rng rng;  // for the jitter of retries
  } serving;

  // Reasons why no games are granted, to anyone or to some workers.
  struct Holds {
    bool stopping = false;   // nothing new begins
    bool book_lost = false;  // another coordinator has the book: no game may be written
    bool drain_all = false;
    std::set<std::string> draining;  // workers
    std::string storage;             // the problem of writing; empty: it works
    DiskLevel disk = DiskLevel::kPlenty;
    std::string disk_problem;  // empty: there is plenty of room
  } holds;

  // Knowledge about workers by name, independent of their sessions.
  struct Standing {
    // Outcomes of a worker's games, and of its copies of others', since the coordinator's start.
    struct Tally {
      uint64_t copies = 0;
      uint64_t mismatches = 0;
      uint32_t conflicts = 0;  // that were kept
    };
    // A worker that Join refused.
    struct Refused {
      uint32_t seats = 0;
      std::string build;
      std::string reason;
      absl::Time seen;
    };
    Trust trust;
    Residuals residuals;
    FaultRates faults;
    // A worker that breaks most of what it plays. Its process gets no more slots; what it brought
    // stays. A new process is tried again.
    struct Faulty {
      uint64_t process = 0;
      std::string reason;
    };
    std::map<std::string, Faulty> faulty;
    std::map<std::string, Tally> tallies;
    std::map<std::string, Refused> refused;
  } standing;

  Ledger ledger;
  Effects effects;

  // Work that an event leaves to its end (Close in close.h).
  struct Notes {
    std::map<RunId, bool> runs;    // those to be advanced; true: the row has changed already
    std::set<SessionId> sessions;  // those that may serve other runs than before, or have ended
    bool serve = false;            // held calls may find work

    bool any() const { return !runs.empty() || !sessions.empty() || serve; }
  } notes;
};

}  // namespace joseki::coordinator
