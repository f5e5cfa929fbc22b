#pragma once

#include "worker/loop/membership.h"
#include "worker/loop/shared.h"

namespace joseki::worker {

// Reports that the worker lives and how far its games are, and obeys the replies, until the loop
// stops. Blocks: the beat thread.
void Beat(LoopShared& shared, Membership& membership);

}  // namespace joseki::worker
