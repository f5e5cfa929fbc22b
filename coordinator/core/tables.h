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
#include "coordinator/model/messages.h"
#include "coordinator/runs/run_state.h"
#include "coordinator/scheduling/fair_share.h"
#include "coordinator/scheduling/fault_rates.h"
#include "coordinator/scheduling/lease_table.h"
#include "coordinator/scheduling/pressure.h"
#include "coordinator/scheduling/rate_meter.h"
#include "coordinator/scheduling/residuals.h"
#include "coordinator/scheduling/session_table.h"
#include "coordinator/scheduling/trust.h"
#include "coordinator/scheduling/verification.h"
#include "coordinator/scheduling/wait_list.h"
#include "coordinator/store/disk.h"
#include "coordinator/store/run_store.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// A run with what the coordinator counts of it.
struct ActiveRun {
  RunState state;
  std::string request_id;
  RateMeter rate;
  uint64_t duplicates = 0;  // since this coordinator started
  uint64_t conflicts = 0;   // that were kept
  Verification verification = Verification(0, 0);
  uint64_t copies = 0;      // copies that were the same game
  uint64_t mismatches = 0;  // and others
  uint32_t servers = 0;     // sessions that were heard of lately, can serve it and do not drain
  absl::Time swept = absl::InfinitePast();  // when its checkpoint was last begun
  bool sweeping = false;                    // its checkpoint is being written
};

// When an event happens, and what waits for the disk by then.
struct Moment {
  absl::Time now;              // never goes back
  int64_t wall_ms = 0;         // by the wall clock, which may be set: for people and rows
  size_t queued_games = 0;     // that wait to be written
  uint64_t written_games = 0;  // since the coordinator started
};

// Everything that a coordinator holds in memory. The functions of this room change it, an event at
// a time: they know no thread, lock, SQL or clock. Debts to the database go to `ledger`, everything
// else that the world should see of an event to `effects`.
//
// A run, once it is here, stays: references to one are valid as long as the tables are.
struct Tables {
  struct Settings {
    absl::Duration acquire_wait;     // how long an Acquire is held
    absl::Duration lease_term;       // at least
    uint32_t slots_per_lease = 0;    // at most
    double quarantine_outliers = 0;  // residuals.h; 0: nobody is quarantined for them
    Pressure::Options pressure;
    uint64_t seed = 0;  // for the jitter of retries
  };

  Tables(const Rules& the_rules, const Settings& the_settings, absl::Time now)
      : rules(the_rules),
        settings(the_settings),
        moment{.now = now},
        pressure(settings.pressure),
        rng(settings.seed) {}

  ActiveRun* FindRun(RunId run) {
    const auto at = runs.find(run);
    return at == runs.end() ? nullptr : &at->second;
  }
  const ActiveRun* FindRun(RunId run) const {
    const auto at = runs.find(run);
    return at == runs.end() ? nullptr : &at->second;
  }

  const Rules& rules;
  const Settings settings;
  Moment moment;  // when the event under way happens

  LeaseTable leases;
  SessionTable sessions;
  std::map<RunId, ActiveRun> runs;
  WaitList waiters;
  FairShare shares;
  Pressure pressure;
  Rng rng;
  RunStore::Marks marks;

  struct Drain {
    bool all = false;
    std::set<std::string> workers;
  } drain;

  // Reasons why games are not given out.
  struct Storage {
    std::string problem;  // empty: writing works
    DiskLevel disk = DiskLevel::kPlenty;
    std::string disk_problem;  // empty: there is plenty of room
  } storage;

  // Knowledge of workers, by their names, beyond their sessions.
  struct Standing {
    // Outcomes of a worker's games, and of its copies of others', since the coordinator started.
    struct Tally {
      uint64_t copies = 0;
      uint64_t mismatches = 0;
      uint32_t conflicts = 0;  // that were kept
    };
    // A worker that Join turned away.
    struct Refused {
      uint32_t seats = 0;
      std::string build;
      std::string reason;
      absl::Time seen;
    };
    Trust trust;
    Residuals residuals;
    FaultRates faults;
    std::map<std::string, Tally> tallies;
    std::map<std::string, Refused> refused;
  } standing;

  bool stopping = false;  // nothing new begins
  Ledger ledger;
  Effects effects;
};

}  // namespace joseki::coordinator
