#include "cli/experiment/error_text.h"

#include <cmath>

#include "absl/strings/str_format.h"

namespace joseki::cli {

std::string ErrorText(const book::Mean& mean, int decimals) {
  return std::isfinite(mean.standard_error) ? absl::StrFormat("%.*f", decimals, mean.standard_error)
                                            : "?";
}

}  // namespace joseki::cli
