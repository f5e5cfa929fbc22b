#pragma once

#include <string>

#include "coordinator/model/messages.h"

namespace joseki::cli {

// What a specification does not name: files of who asked for the run.
struct SpecFiles {
  std::string engines = "FILE";   // --engines, where an engine of the run was told by one
  std::string opponent = "BOOK";  // the opponent's book, where it has one
};

// The options with which `joseki run create` makes this specification, with a blank before each;
// those that its parser sets anyway are left out. A policy is named by a goal where that is
// shorter. For a shell: what it would change is quoted. REQUIRES: the run tunes its book.
std::string SpecOptions(const coordinator::RunSpec& spec, const SpecFiles& files);

}  // namespace joseki::cli
