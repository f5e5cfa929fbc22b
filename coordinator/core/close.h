#pragma once

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// Ends every event. Counts the sessions that serve the runs, advances the runs that the event
// touched, and serves held calls if there may be work for them. Returns the event's effects.
Effects Close(Tables& tables);

}  // namespace joseki::coordinator
