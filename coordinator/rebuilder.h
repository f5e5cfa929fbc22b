#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <thread>

#include "absl/time/time.h"
#include "coordinator/core/recompute.h"
#include "coordinator/gate.h"
#include "coordinator/waker.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Recomputes a run's evidence when a worker's games leave it or come back, and makes the priors of
// large books. The work is done without the mutex, while games go on. The run adopts the
// result in pieces.
class Rebuilder {
 public:
  // `gate` and `rules` must outlive this object.
  Rebuilder(std::string db_path, const Rules& rules, Gate& gate);
  ~Rebuilder();  // stops

  // Starts a thread that calls RunOne whenever it is woken, until there is nothing to do.
  void Start();
  void Wake() { waker_.Wake(); }
  // Aborts the current work and joins the thread.
  void Stop();

  // Rebuilds one run, or makes the priors of one. False if there is nothing to do, or it is not
  // possible now. A run whose rows or archives cannot be read is tried again later, after others.
  bool RunOne() { return RebuildOne() || MakePriors(); }

 private:
  void Run();
  void PutOffRebuild(const DueRebuild& due);
  // Rebuilds a run whose evidence is of an earlier trust.
  bool RebuildOne();
  // Makes the priors of a run where they are due.
  bool MakePriors();

  const std::string db_path_;
  const Rules& rules_;
  Gate& gate_;
  Waker waker_;
  std::stop_source stop_;
  // Runs that could not be rebuilt, and how long each was put off last.
  PutOff put_off_;
  std::map<RunId, absl::Duration> delays_;
  std::thread thread_;
};

}  // namespace joseki::coordinator
