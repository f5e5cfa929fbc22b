#include "book/database/import_format.h"

#include "book/records/kif_games.h"
#include "book/records/record.h"

namespace joseki::book {
namespace {

struct FormatName {
  std::string_view name;
  ImportFormat format;
};
constexpr FormatName kFormatNames[] = {
    {"auto", ImportFormat::kByContent}, {"csa", ImportFormat::kCsa},
    {"kif", ImportFormat::kKif},        {"ki2", ImportFormat::kKi2},
    {"jkf", ImportFormat::kJkf},        {"usi", ImportFormat::kUsi},
    {"ybb", ImportFormat::kYbb},        {"yaneuraou-db", ImportFormat::kYaneuraouDb},
    {"apery", ImportFormat::kApery},    {"gikou", ImportFormat::kGikou},
    {"sbk", ImportFormat::kSbk},        {"probe", ImportFormat::kProbe},
    {"json", ImportFormat::kJson},
};

// The end of the last `mark` in `bytes`, or 0.
size_t EndOfLast(std::string_view bytes, std::string_view mark, size_t length) {
  const size_t at = bytes.rfind(mark);
  return at == std::string_view::npos ? 0 : at + length;
}

// The end of the last line that is a '/', or 0.
size_t EndOfLastSlash(std::string_view bytes) {
  for (size_t at = bytes.rfind("\n/"); at != std::string_view::npos;) {
    const std::string_view rest = bytes.substr(at + 2);
    if (rest.substr(0, 1) == "\n") return at + 3;
    if (rest.substr(0, 2) == "\r\n") return at + 4;
    if (at == 0) break;
    at = bytes.rfind("\n/", at - 1);
  }
  return 0;
}

}  // namespace

std::vector<std::string> ImportFormatNames() {
  std::vector<std::string> names;
  for (const FormatName& format : kFormatNames) names.emplace_back(format.name);
  return names;
}

std::optional<ImportFormat> ImportFormatOf(std::string_view name) {
  for (const FormatName& format : kFormatNames) {
    if (name == format.name) return format.format;
  }
  return std::nullopt;
}

ImportFormat FormatOfContent(std::string_view bytes) {
  if (const std::optional<book::BookFormat> found = book::BookFormatOf(bytes)) {
    for (const FormatName& known : kFormatNames) {
      if (BookFormatOf(known.format) == found) return known.format;
    }
  }
  switch (book::DetectRecordFormat(bytes)) {
    case book::RecordFormat::kCsa:
      return ImportFormat::kCsa;
    case book::RecordFormat::kKif:
      return ImportFormat::kKif;
    case book::RecordFormat::kKi2:
      return ImportFormat::kKi2;
    case book::RecordFormat::kJkf:
      return ImportFormat::kJkf;
    case book::RecordFormat::kUsi:
      return ImportFormat::kUsi;
    case book::RecordFormat::kUnknown:
      break;
  }
  return ImportFormat::kByContent;
}

std::optional<book::BookFormat> BookFormatOf(ImportFormat format) {
  switch (format) {
    case ImportFormat::kYaneuraouDb:
      return book::BookFormat::kYaneuraouDb;
    case ImportFormat::kYbb:
      return book::BookFormat::kYbb;
    case ImportFormat::kApery:
      return book::BookFormat::kApery;
    case ImportFormat::kGikou:
      return book::BookFormat::kGikou;
    case ImportFormat::kSbk:
      return book::BookFormat::kSbk;
    case ImportFormat::kProbe:
      return book::BookFormat::kProbe;
    case ImportFormat::kJson:
      return book::BookFormat::kJson;
    default:
      return std::nullopt;
  }
}

size_t CutOf(std::string_view bytes, ImportFormat format) {
  switch (format) {
    case ImportFormat::kUsi:
      return EndOfLast(bytes, "\n", 1);
    case ImportFormat::kCsa:
      return EndOfLastSlash(bytes);
    case ImportFormat::kKif:
      return book::KifCutOf(bytes, /*relative=*/false);
    case ImportFormat::kKi2:
      return book::KifCutOf(bytes, /*relative=*/true);
    case ImportFormat::kYaneuraouDb:
      return EndOfLast(bytes, "\nsfen ", 1);
    default:
      return 0;
  }
}

}  // namespace joseki::book
