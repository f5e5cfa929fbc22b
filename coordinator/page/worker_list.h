#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "coordinator/model/messages.h"
#include "coordinator/page/json.h"

namespace joseki::coordinator {

// {"workers": [WorkerJson], "matching": N}. Workers that need attention come first (quarantined,
// faulty, refused, silent, draining, then the rest), and within a state those with the most games.
// Lists at most `most` workers that have `match` in their name, state or build.
Json WorkerListJson(const std::vector<WorkerStatus>& workers, std::string_view match, size_t most);

}  // namespace joseki::coordinator
