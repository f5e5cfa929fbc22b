#pragma once

#include <string>

#include "book/simulation/simulate.h"

namespace joseki::cli {

// The standard error with so many decimals; "?" for one book alone.
std::string ErrorText(const book::Mean& mean, int decimals);

}  // namespace joseki::cli
