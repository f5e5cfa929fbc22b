#pragma once

namespace joseki {

// The exit status of a program that would end with `status`: 1, and a line on stderr, if its output
// to std::cout found no room and it would else have succeeded. Call last.
int AfterOutput(const char* program, int status);

}  // namespace joseki
