#pragma once

#include <cstdint>
#include <string>

#include "cli/run/spec_options.h"
#include "cli/words/voice.h"
#include "coordinator/model/messages.h"

namespace joseki::cli {

// The searches along lines that a new run leaves out, as a line for people; empty: none. Moves that
// are limited by time leave out all of them. A small budget of games leaves out those at a part of
// the book's `positions`.
std::string SearchNotice(const SpecArguments& arguments, const coordinator::RunSpec& spec,
                         uint64_t positions, const Voice& voice);

}  // namespace joseki::cli
