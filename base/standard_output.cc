#include "base/standard_output.h"

#include <iostream>

#include "base/problem.h"

namespace joseki {

int AfterOutput(const char* program, int status) {
  std::cout.flush();
  if (std::cout.good()) return status;
  const absl::Status problem = MakeProblem({.code = "file_error",
                                            .file = "standard output",
                                            .found = "what could not be written",
                                            .expected = "room on the disk, and a reader"});
  std::cerr << program << ": " << problem.message() << std::endl;
  return status == 0 ? 1 : status;
}

}  // namespace joseki
