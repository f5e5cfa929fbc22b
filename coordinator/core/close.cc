#include "coordinator/core/close.h"

#include <utility>

#include "coordinator/core/course.h"
#include "coordinator/core/grant.h"
#include "coordinator/core/serving.h"

namespace joseki::coordinator {

Effects Close(Tables& tables) {
  do {
    CountServers(tables);
    AdvanceRuns(tables);
    if (std::exchange(tables.notes.serve, false)) ServeWaiters(tables);
  } while (tables.notes.any());
  return std::exchange(tables.effects, {});
}

}  // namespace joseki::coordinator
