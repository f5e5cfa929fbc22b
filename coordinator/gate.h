#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "base/mutex.h"
#include "coordinator/core/close.h"
#include "coordinator/core/tables.h"
#include "coordinator/table_mutex.h"

namespace joseki::coordinator {

// The tables behind the one mutex that guards them, reached only through this class, one event at a
// time. An event holds the mutex for microseconds, at most about one millisecond. Longer work is
// done in pieces, and others get the mutex in between. After an event its Effects are performed,
// without the mutex.
//
// Thread-safe. Lock order: this mutex, then the writer's own.
class Gate {
 public:
  struct World {
    std::function<Moment()> moment;         // the current time; its `now` may go back
    std::function<void(Effects&)> perform;  // performs an event's effects
  };

  Gate(Tables tables, World world) : world_(std::move(world)), tables_(std::move(tables)) {}

  // Runs one event: event(Tables&), whose result is returned.
  template <typename Event>
  auto Do(Event event) {
    Effects effects;
    const absl::Cleanup perform = [&] { world_.perform(effects); };
    const ScopedLock lock(mutex_);
    Begin(tables_);
    const absl::Cleanup close = [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
      effects = Close(tables_);
    };
    return event(tables_);
  }

  // Runs one event in pieces: piece(Tables&) returns whether there is more to do.
  template <typename Piece>
  void DoInPieces(Piece piece) {
    Effects effects;
    {
      const ScopedLock lock(mutex_);
      for (bool more = true; more;) {
        Begin(tables_);
        more = piece(tables_);
        effects.Append(Close(tables_));
        if (more) mutex_.LetOthers();
      }
    }
    world_.perform(effects);
  }

  // Reads without a change: look(const Tables&), whose result is returned.
  template <typename View>
  auto Look(View look) const {
    const ScopedLock lock(mutex_);
    return look(std::as_const(tables_));
  }
  template <typename Piece>
  void LookInPieces(Piece piece) const {
    const ScopedLock lock(mutex_);
    while (piece(std::as_const(tables_))) mutex_.LetOthers();
  }

  // If others wait for the mutex, returns once one of them has had it.
  void LetOthers() const {
    const ScopedLock lock(mutex_);
    mutex_.LetOthers();
  }

 private:
  void Begin(Tables& tables) const {
    const absl::Time before = tables.moment.now;
    tables.moment = world_.moment();
    tables.moment.now = std::max(before, tables.moment.now);
  }

  const World world_;
  mutable TableMutex mutex_;
  Tables tables_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace joseki::coordinator
