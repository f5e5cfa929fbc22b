#pragma once

namespace joseki {

// The exit status of a program that is about to end with `status`. If that is 0 but the output to
// std::cout failed, prints a line on stderr and returns 1. Call last.
int AfterOutput(const char* program, int status);

}  // namespace joseki
