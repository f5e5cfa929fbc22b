#include "book/formats/book_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/formats/apery.h"
#include "book/formats/gikou.h"
#include "book/formats/json_book.h"
#include "book/formats/probe_file.h"
#include "book/formats/sbk.h"
#include "book/formats/yaneuraou_db.h"
#include "book/formats/ybb.h"

namespace joseki::book {
namespace {

bool IsYaneuraouDb(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  constexpr std::string_view kMagic = "#YANEURAOU-DB2016";
  if (bytes.substr(0, kMagic.size()) == kMagic) return true;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (!line.empty() && line[0] != '#' && line.substr(0, 2) != "//" && line != "\r") {
      return line.substr(0, 5) == "sfen " && line.find(" moves ") == std::string_view::npos;
    }
    bytes.remove_prefix(std::min(bytes.size(), line.size() + 1));
  }
  return false;
}

absl::Status ReadAperyBook(std::string_view bytes, std::string_view file, const DbSink& sink) {
  std::vector<AperyRecord> unreached;
  RETURN_IF_ERROR(ReadApery(bytes, file, {}, sink, &unreached));
  for (const AperyRecord& record : unreached) {
    sink.reject(MakeProblem({.code = "unreached_position",
                             .file = std::string(file),
                             .found = absl::StrCat("key ", absl::Hex(record.key, absl::kZeroPad16)),
                             .expected = "a position that legal moves lead to from the start"}));
  }
  return absl::OkStatus();
}

}  // namespace

std::optional<BookFormat> BookFormatOf(std::string_view bytes) {
  if (IsYaneuraouDb(bytes)) return BookFormat::kYaneuraouDb;
  if (IsYbb(bytes)) return BookFormat::kYbb;
  if (IsProbeFile(bytes)) return BookFormat::kProbe;
  if (IsSbk(bytes)) return BookFormat::kSbk;
  if (IsGikou(bytes)) return BookFormat::kGikou;
  if (IsJsonBook(bytes)) return BookFormat::kJson;
  if (bytes.find('\0') != std::string_view::npos && IsApery(bytes)) return BookFormat::kApery;
  return std::nullopt;
}

absl::Status ReadBook(BookFormat format, std::string_view bytes, std::string_view file,
                      const DbSink& sink) {
  switch (format) {
    case BookFormat::kYbb:
      return ReadYbb(bytes, file, sink);
    case BookFormat::kApery:
      return ReadAperyBook(bytes, file, sink);
    case BookFormat::kGikou:
      return ReadGikou(bytes, file, {}, sink);
    case BookFormat::kSbk:
      return ReadSbk(bytes, file, sink);
    case BookFormat::kProbe:
      return ReadProbeFile(bytes, file, sink);
    case BookFormat::kJson:
      return ReadJsonBook(bytes, file, sink);
    case BookFormat::kYaneuraouDb:
      break;
  }
  return ReadYaneuraouDb(bytes, file, sink);
}

}  // namespace joseki::book
