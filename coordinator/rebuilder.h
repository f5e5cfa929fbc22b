#pragma once

#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "coordinator/gate.h"
#include "coordinator/waker.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// Computes a run's evidence anew when a worker's games leave it or come back, and makes the priors
// of large books. Both read and work without the mutex, while games go on, and are taken over by
// the run in pieces.
class Rebuilder {
 public:
  // `gate`, `rules` and `clock` must outlive this; the clock is for the log.
  Rebuilder(std::string db_path, const Rules& rules, const Clock& clock, Gate& gate);
  ~Rebuilder();  // stops

  // Starts a thread of its own, which does RunOne whenever it is woken and there is something to
  // do.
  void Start();
  void Wake() { waker_.Wake(); }
  // Breaks off what is under way; the thread is joined.
  void Stop();

  // Rebuilds one run, or makes the priors of one; false if there is nothing to do, or it cannot be
  // done now.
  bool RunOne() { return RebuildOne() || MakePriors(); }

 private:
  void Run();
  // A run whose evidence is of an earlier trust.
  bool RebuildOne();
  // A run whose priors are due.
  bool MakePriors();

  const std::string db_path_;
  const Rules& rules_;
  const Clock& clock_;
  Gate& gate_;
  Waker waker_;
  std::stop_source stop_;
  std::thread thread_;
};

}  // namespace joseki::coordinator
