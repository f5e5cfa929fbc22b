#include "book/database/zstd.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

struct Free {
  void operator()(struct archive* either) const { archive_free(either); }
};
struct FreeEntry {
  void operator()(struct archive_entry* entry) const { archive_entry_free(entry); }
};
using Handle = std::unique_ptr<struct archive, Free>;

la_ssize_t Append(struct archive* /*writer*/, void* to, const void* bytes, size_t size) {
  static_cast<std::string*>(to)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

absl::Status Broken(std::string_view file, std::string found) {
  return MakeProblem({.code = "bad_archive",
                      .file = std::string(file),
                      .found = std::move(found),
                      .expected = "a whole file of Zstandard"},
                     absl::StatusCode::kDataLoss);
}

}  // namespace

absl::StatusOr<std::string> Compress(std::string_view bytes) {
  std::string compressed;
  const Handle writer(archive_write_new());
  const std::unique_ptr<struct archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_pathname(entry.get(), "data");
  const bool done =
      archive_write_add_filter_zstd(writer.get()) == ARCHIVE_OK &&
      archive_write_set_filter_option(writer.get(), "zstd", "compression-level", "9") ==
          ARCHIVE_OK &&
      archive_write_set_format_raw(writer.get()) == ARCHIVE_OK &&
      archive_write_set_bytes_per_block(writer.get(), 0) == ARCHIVE_OK &&
      archive_write_open(writer.get(), &compressed, nullptr, Append, nullptr) == ARCHIVE_OK &&
      archive_write_header(writer.get(), entry.get()) == ARCHIVE_OK &&
      archive_write_data(writer.get(), bytes.data(), bytes.size()) ==
          static_cast<la_ssize_t>(bytes.size()) &&
      archive_write_close(writer.get()) == ARCHIVE_OK;
  if (!done) {
    const char* const reason = archive_error_string(writer.get());
    return absl::InternalError(absl::StrCat("cannot compress: ", reason ? reason : "no reason"));
  }
  return compressed;
}

absl::StatusOr<std::string> Decompress(std::string_view bytes, uint64_t limit,
                                       std::string_view file) {
  const Handle reader(archive_read_new());
  struct archive_entry* entry = nullptr;
  if (archive_read_support_filter_zstd(reader.get()) != ARCHIVE_OK ||
      archive_read_support_format_raw(reader.get()) != ARCHIVE_OK ||
      archive_read_open_memory(reader.get(), bytes.data(), bytes.size()) != ARCHIVE_OK ||
      archive_read_next_header(reader.get(), &entry) != ARCHIVE_OK ||
      archive_filter_count(reader.get()) < 2) {
    return Broken(file, "something else");
  }
  std::string text;
  for (;;) {
    const void* piece = nullptr;
    size_t size = 0;
    la_int64_t offset = 0;
    const int read = archive_read_data_block(reader.get(), &piece, &size, &offset);
    if (read == ARCHIVE_EOF) return text;
    if (read != ARCHIVE_OK) {
      const char* const reason = archive_error_string(reader.get());
      return Broken(file, reason ? reason : "broken bytes");
    }
    if (text.size() + size > limit) {
      return Broken(file, absl::StrCat("more than ", limit, " bytes when unpacked"));
    }
    text.append(static_cast<const char*>(piece), size);
  }
}

}  // namespace joseki::book
