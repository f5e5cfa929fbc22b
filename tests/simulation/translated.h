#pragma once

#include "coordinator/coordinator.h"
#include "worker/coordinator_port.h"

// Converts between the worker's and the coordinator's types, as the wire would.
namespace joseki::testing {

coordinator::JoinInput Translated(const worker::JoinInput& input);
worker::Session Translated(const coordinator::JoinOutput& output);
coordinator::AcquireInput Translated(worker::SessionId session, const worker::AcquireInput& input);
worker::AcquireOutput Translated(const coordinator::AcquireOutput& output);
coordinator::SubmittedGame Translated(const worker::FinishedGame& game);
worker::GameVerdict Translated(const coordinator::GameVerdict& verdict);
worker::SubmitOutput Translated(const coordinator::SubmitOutput& output);

}  // namespace joseki::testing
