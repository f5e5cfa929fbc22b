#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// {"workers": [WorkerJson], "matching": N}: those first that need somebody to look at them
// (quarantined, refused, silent, draining, then the rest), within that those with the most games.
// Only workers that have `match` in their name, state or build, and of these `most` at most.
Json WorkerListJson(const std::vector<WorkerStatus>& workers, std::string_view match, size_t most);

}  // namespace joseki::coordinator
