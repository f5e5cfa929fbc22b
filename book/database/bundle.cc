#include "book/database/bundle.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>

#include "absl/strings/str_cat.h"
#include "base/problem.h"

namespace joseki::book {
namespace {

constexpr std::string_view kMagics[] = {"\x1f\x8b\x08",
                                        "\x28\xb5\x2f\xfd",
                                        "PK\x03\x04",
                                        "PK\x05\x06",
                                        std::string_view("7z\xbc\xaf\x27\x1c", 6),
                                        std::string_view("\xfd"
                                                         "7zXZ\0",
                                                         6),
                                        "BZh"};

constexpr size_t kTarMagicAt = 257;
constexpr std::string_view kTarMagic = "ustar";

struct Closer {
  void operator()(struct archive* reader) const { archive_read_free(reader); }
};
using Reader = std::unique_ptr<struct archive, Closer>;

// Enables only the filters that this library decodes itself; others would start programs.
bool Support(struct archive* reader) {
  return archive_read_support_filter_gzip(reader) == ARCHIVE_OK &&
         archive_read_support_filter_zstd(reader) == ARCHIVE_OK &&
         archive_read_support_filter_xz(reader) == ARCHIVE_OK &&
         archive_read_support_filter_bzip2(reader) == ARCHIVE_OK &&
         archive_read_support_format_zip_seekable(reader) == ARCHIVE_OK &&
         archive_read_support_format_7zip(reader) == ARCHIVE_OK &&
         archive_read_support_format_tar(reader) == ARCHIVE_OK &&
         archive_read_support_format_raw(reader) == ARCHIVE_OK;
}

class BundleReader {
 public:
  BundleReader(std::string_view bytes, std::string_view file, const BundleLimits& limits)
      : bytes_(bytes),
        file_(file),
        limits_(limits),
        total_(limits.free + limits.ratio * bytes.size()),
        reader_(archive_read_new()) {}

  absl::Status Read(const std::function<void(const std::string&, std::string_view)>& visit) {
    if (reader_ == nullptr || !Support(reader_.get()) ||
        archive_read_open_memory(reader_.get(), bytes_.data(), bytes_.size()) != ARCHIVE_OK) {
      return Broken();
    }
    for (;;) {
      struct archive_entry* entry = nullptr;
      const int next = archive_read_next_header(reader_.get(), &entry);
      if (next == ARCHIVE_EOF) return absl::OkStatus();
      if (next != ARCHIVE_OK && next != ARCHIVE_WARN) return Broken();
      // The bytes began like a bundle and can be read only as raw data: the bundle is damaged.
      if (archive_format(reader_.get()) == ARCHIVE_FORMAT_RAW &&
          archive_filter_count(reader_.get()) < 2) {
        return Broken();
      }
      if (++members_ > limits_.members) {
        return TooLarge(absl::StrCat("more than ", limits_.members, " files"));
      }
      if (archive_entry_filetype(entry) != AE_IFREG) continue;
      const std::string name = NameOf(entry);
      if (absl::Status read = ReadMember(name); !read.ok()) return read;
      if (!member_.empty()) visit(name, member_);
    }
  }

 private:
  std::string NameOf(struct archive_entry* entry) const {
    if (archive_format(reader_.get()) == ARCHIVE_FORMAT_RAW) return std::string(file_);
    const char* inside = archive_entry_pathname_utf8(entry);
    if (inside == nullptr) inside = archive_entry_pathname(entry);
    const std::string quoted = Quote(inside == nullptr ? "" : inside, 200);
    return absl::StrCat(std::string(file_), ":", quoted.substr(1, quoted.size() - 2));
  }

  // Reads one file of the bundle into member_.
  absl::Status ReadMember(const std::string& name) {
    member_.clear();
    for (;;) {
      char buffer[1 << 16];
      const la_ssize_t n = archive_read_data(reader_.get(), buffer, sizeof buffer);
      if (n == 0) return absl::OkStatus();
      if (n < 0) return Broken();
      read_ += static_cast<uint64_t>(n);
      if (member_.size() + static_cast<size_t>(n) > limits_.member) {
        return TooLarge(absl::StrCat("a file of more than ", limits_.member, " bytes in ", name));
      }
      if (read_ > total_) {
        return TooLarge(absl::StrCat("more than ", total_, " bytes in ", bytes_.size()));
      }
      member_.append(buffer, static_cast<size_t>(n));
    }
  }

  absl::Status Broken() const {
    const char* why = reader_ == nullptr ? nullptr : archive_error_string(reader_.get());
    return MakeProblem({.code = "bad_archive",
                        .file = std::string(file_),
                        .found = why == nullptr ? "nothing that can be unpacked" : why,
                        .expected = "a whole .gz, .zst, .xz, .bz2, .tar, .zip or .7z"});
  }
  absl::Status TooLarge(std::string found) const {
    return MakeProblem({.code = "archive_too_large",
                        .file = std::string(file_),
                        .found = std::move(found),
                        .expected = "an archive that holds records or books; unpack it to import "
                                    "it all the same"});
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const BundleLimits& limits_;
  const uint64_t total_;  // bound of the uncompressed size, in bytes
  Reader reader_;
  std::string member_;
  uint64_t read_ = 0;
  uint64_t members_ = 0;
};

}  // namespace

bool IsBundle(std::string_view bytes) {
  for (const std::string_view magic : kMagics) {
    if (bytes.substr(0, magic.size()) == magic) return true;
  }
  return bytes.size() > kTarMagicAt && bytes.substr(kTarMagicAt, kTarMagic.size()) == kTarMagic;
}

absl::Status ReadBundle(
    std::string_view bytes, std::string_view file, const BundleLimits& limits,
    const std::function<void(const std::string& name, std::string_view bytes)>& visit) {
  return BundleReader(bytes, file, limits).Read(visit);
}

}  // namespace joseki::book
