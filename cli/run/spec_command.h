#pragma once

#include <string>

#include "coordinator/model/messages.h"

namespace joseki::cli {

// The word as it is typed to a shell: quoted, if necessary. For commands that a user may copy.
std::string ShellWord(const std::string& word);

// Files that a specification does not name, as the user of the command has them.
struct SpecFiles {
  std::string engines = "FILE";   // for --engines, where an engine of the run came from one
  std::string opponent = "BOOK";  // the opponent's book, where it has one
};

// The options of `joseki run create` that make this specification, each with a leading blank.
// Defaults are left out. A goal stands for a policy where that is shorter. The text is quoted for a
// shell. REQUIRES: the run tunes its book.
std::string SpecOptions(const coordinator::RunSpec& spec, const SpecFiles& files);

}  // namespace joseki::cli
