#pragma once

#include <string>

#include "coordinator/offline/exporter.h"
#include "engine/core/rules.h"

namespace joseki::coordinator {

// The JSON form of a book (docs/reference/formats.md), with every fact as it is. It has one line
// per position, so that line tools can read a large book.
std::string ExportJson(const ExportBook& book, const Rules& rules);

}  // namespace joseki::coordinator
