#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Our only macros: return an error from the function, or go on with the value. Each evaluates its
// expression once.

#define JOSEKI_CONCAT_INNER(a, b) a##b
#define JOSEKI_CONCAT(a, b) JOSEKI_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expression)                           \
  do {                                                        \
    if (absl::Status status_ = (expression); !status_.ok()) { \
      return status_;                                         \
    }                                                         \
  } while (false)

#define ASSIGN_OR_RETURN(target, expression) \
  JOSEKI_ASSIGN_OR_RETURN(JOSEKI_CONCAT(status_or_, __LINE__), target, expression)

#define JOSEKI_ASSIGN_OR_RETURN(temporary, target, expression) \
  auto temporary = (expression);                               \
  if (!temporary.ok()) return temporary.status();              \
  target = std::move(temporary).value()
