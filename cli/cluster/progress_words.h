#pragma once

#include <string>

#include "coordinator/model/messages.h"

namespace joseki::cli {

// "899 of 5000 games (17 %)", with what searches along lines are worth of them.
std::string ProgressWords(const coordinator::RunStatus& run);

}  // namespace joseki::cli
