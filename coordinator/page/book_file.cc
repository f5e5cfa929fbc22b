#include "coordinator/page/book_file.h"

#include <memory>
#include <utility>

#include "base/status_macros.h"
#include "book/database/store.h"
#include "coordinator/store/run_store.h"

namespace joseki::coordinator {

absl::StatusOr<Json> BookFilesJson(const std::vector<BookFile>& files) {
  Json shown = Json::array();
  for (const BookFile& file : files) {
    ASSIGN_OR_RETURN(const std::unique_ptr<book::Store> store,
                     book::Store::Open(file.db_path, book::OpenMode::kReadOnly));
    ASSIGN_OR_RETURN(const std::vector<RunRow> rows, RunStore(*store).runs().ReadAll());
    Json runs = Json::array();
    for (const RunRow& row : rows) {
      if (row.spec.match || row.state == "failed") continue;
      runs.push_back({{"run", row.run}, {"name", row.spec.name}});
    }
    shown.push_back({{"name", file.name}, {"runs", std::move(runs)}});
  }
  return Json{{"files", std::move(shown)}};
}

}  // namespace joseki::coordinator
