#pragma once

#include "coordinator/core/tables.h"

namespace joseki::coordinator {

// The one exit of every event: counts who serves the runs, advances the runs that the event
// touched, serves held calls if there may be work for them, and returns the event's effects.
Effects Close(Tables& tables);

}  // namespace joseki::coordinator
