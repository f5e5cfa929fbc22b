#pragma once

namespace joseki {

// What a program ends with that would end with `status`: 1, and a line on stderr, where what it
// wrote to std::cout has found no room and it would else have ended well. To be asked last.
int AfterOutput(const char* program, int status);

}  // namespace joseki
