// A replacement for the bundled page in builds without npm.
#include "coordinator/page/page_file.h"

namespace joseki::coordinator {

std::string_view PageFile() {
  return "<!doctype html><meta charset=utf-8><title>Joseki</title>"
         "<p>This coordinator was built without its page: npm was not there. "
         "<a href=/api/status>/api/status</a> answers all the same.";
}

}  // namespace joseki::coordinator
