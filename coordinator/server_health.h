#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace joseki::coordinator {

// Asks the standard health service at "HOST:PORT": OK if it serves, Unavailable otherwise.
absl::Status CheckHealth(const std::string& address, absl::Duration timeout);

}  // namespace joseki::coordinator
