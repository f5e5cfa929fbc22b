#include "tests/simulation/translated.h"

namespace joseki::testing {

coordinator::JoinInput Translated(const worker::JoinInput& input) {
  coordinator::JoinInput out;
  out.worker = input.worker;
  out.protocol = coordinator::kProtocol;
  out.seats = input.seats;
  out.process = input.process;
  for (const worker::EngineIdentity& engine : input.engines) {
    out.engines.push_back(
        {engine.id, engine.name, engine.signature, engine.weights_sha256, engine.build});
  }
  return out;
}

worker::Session Translated(const coordinator::JoinOutput& output) {
  return {
      .session = output.session, .epoch = output.epoch, .beat = output.beat, .wait = output.wait};
}

coordinator::AcquireInput Translated(worker::SessionId session, const worker::AcquireInput& input) {
  return {.session = session,
          .want_slots = input.want_slots,
          .known_runs = input.known_runs,
          .after_lease = input.after_lease};
}

worker::AcquireOutput Translated(const coordinator::AcquireOutput& output) {
  worker::AcquireOutput out;
  for (const coordinator::Lease& lease : output.leases) {
    worker::Lease& to = out.leases.emplace_back();
    to.lease = lease.lease;
    to.run = lease.run;
    for (const coordinator::Slot& slot : lease.slots) {
      to.slots.push_back({.slot = slot.slot,
                          .start = slot.start,
                          .line = slot.line,
                          .excluded = slot.excluded,
                          .seed = slot.seed});
    }
  }
  out.runs = output.runs;
  out.retry = output.retry;
  out.drain = output.drain;
  out.ahead = output.ahead;
  return out;
}

coordinator::SubmittedGame Translated(const worker::FinishedGame& game) {
  coordinator::SubmittedGame out;
  out.run = game.run;
  out.lease = game.lease;
  out.slot = game.slot;
  out.moves = game.moves;
  out.claim = game.ending;
  out.nodes = game.nodes;
  out.think_ms = game.think_ms;
  out.fault = game.fault;
  return out;
}

worker::GameVerdict Translated(const coordinator::GameVerdict& verdict) {
  return {.lease = verdict.lease,
          .slot = verdict.slot,
          .verdict = static_cast<worker::Verdict>(verdict.verdict),
          .reason = verdict.reason};
}

worker::SubmitOutput Translated(const coordinator::SubmitOutput& output) {
  worker::SubmitOutput out;
  for (const coordinator::GameVerdict& verdict : output.verdicts) {
    out.verdicts.push_back(Translated(verdict));
  }
  if (output.work) out.work = Translated(*output.work);
  return out;
}

}  // namespace joseki::testing
