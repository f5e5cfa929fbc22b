#include "book/database/bundle.h"

#include <archive.h>
#include <archive_entry.h>

#include <string>
#include <utility>
#include <vector>

#include "base/problem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace joseki::book {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

using Files = std::vector<std::pair<std::string, std::string>>;

la_ssize_t Append(struct archive*, void* out, const void* bytes, size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(bytes), size);
  return static_cast<la_ssize_t>(size);
}

// A bundle of `files`; `format` and `filter` are libarchive's names.
std::string Archive(const char* format, const char* filter, const Files& files) {
  std::string out;
  struct archive* writer = archive_write_new();
  EXPECT_EQ(archive_write_set_format_by_name(writer, format), ARCHIVE_OK);
  if (*filter != '\0') {
    EXPECT_EQ(archive_write_add_filter_by_name(writer, filter), ARCHIVE_OK);
  }
  archive_write_set_bytes_in_last_block(writer, 1);
  EXPECT_EQ(archive_write_open(writer, &out, nullptr, Append, nullptr), ARCHIVE_OK);
  for (const auto& [name, bytes] : files) {
    struct archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, name.back() == '/' ? AE_IFDIR : AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(bytes.size()));
    EXPECT_EQ(archive_write_header(writer, entry), ARCHIVE_OK);
    EXPECT_EQ(archive_write_data(writer, bytes.data(), bytes.size()),
              static_cast<la_ssize_t>(bytes.size()));
    archive_entry_free(entry);
  }
  EXPECT_EQ(archive_write_free(writer), ARCHIVE_OK);
  return out;
}

struct Read {
  Files files;
  absl::Status status;
};

Read ReadAll(const std::string& bytes, const BundleLimits& limits = {}) {
  Read read;
  read.status =
      ReadBundle(bytes, "a", limits, [&](const std::string& name, std::string_view content) {
        read.files.emplace_back(name, content);
      });
  return read;
}

const Files& Two() {
  static const Files files = {
      {"deep/", ""}, {"deep/one.csa", "+7776FU\n"}, {"two.usi", "7g7f\n"}, {"empty", ""}};
  return files;
}

TEST(Archive, GivesTheFilesInIt) {
  const std::pair<const char*, const char*> kinds[] = {
      {"zip", ""},       {"7zip", ""},    {"ustar", ""},     {"ustar", "gzip"},
      {"ustar", "zstd"}, {"ustar", "xz"}, {"ustar", "bzip2"}};
  for (const auto& [format, filter] : kinds) {
    SCOPED_TRACE(std::string(format) + filter);
    const std::string bytes = Archive(format, filter, Two());
    EXPECT_TRUE(IsBundle(bytes));
    const Read read = ReadAll(bytes);
    EXPECT_TRUE(read.status.ok()) << read.status;
    EXPECT_THAT(read.files,
                ElementsAre(Pair("a:deep/one.csa", "+7776FU\n"), Pair("a:two.usi", "7g7f\n")));
  }
}

TEST(Archive, GivesACompressedFileUnderItsOwnName) {
  for (const char* filter : {"gzip", "zstd", "xz", "bzip2"}) {
    const std::string bytes = Archive("raw", filter, {{"x", "+7776FU\n"}});
    EXPECT_TRUE(IsBundle(bytes)) << filter;
    EXPECT_THAT(ReadAll(bytes).files, ElementsAre(Pair("a", "+7776FU\n"))) << filter;
  }
  EXPECT_FALSE(IsBundle(""));
  EXPECT_FALSE(IsBundle("+7776FU\n"));
  EXPECT_FALSE(IsBundle("PK"));
}

TEST(Archive, RefusesWhatIsBroken) {
  for (const char* format : {"zip", "7zip"}) {
    const std::string bytes = Archive(format, "", Two());
    EXPECT_EQ(ProblemOf(ReadAll(bytes.substr(0, bytes.size() / 2)).status).code, "bad_archive")
        << format;
  }
  const std::string gzip = Archive("raw", "gzip", {{"x", std::string(100'000, 'x') + "y"}});
  EXPECT_EQ(ProblemOf(ReadAll(gzip.substr(0, gzip.size() / 2)).status).code, "bad_archive");
  std::string bytes = Archive("raw", "bzip2", {{"x", std::string(100'000, 'x') + "y"}});
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  const Read read = ReadAll(bytes);
  EXPECT_EQ(ProblemOf(read.status).code, "bad_archive");
  EXPECT_EQ(ProblemOf(read.status).file, "a");
  EXPECT_FALSE(ProblemOf(read.status).found.empty());
}

// Ten megabytes of one letter: a thousandth of it once compressed.
TEST(Archive, RefusesWhatGrowsBeyondMeasure) {
  const std::string large(10'000'000, 'x');
  const std::string bytes = Archive("ustar", "gzip", {{"small", "7g7f\n"}, {"large", large}});
  EXPECT_LT(bytes.size(), 40'000u);
  EXPECT_TRUE(ReadAll(bytes).status.ok());
  const Read by_ratio = ReadAll(bytes, {.free = 1000});
  EXPECT_EQ(ProblemOf(by_ratio.status).code, "archive_too_large");
  EXPECT_THAT(by_ratio.files, ElementsAre(Pair("a:small", "7g7f\n")));
  const Read by_member = ReadAll(bytes, {.member = 1'000'000});
  EXPECT_EQ(ProblemOf(by_member.status).code, "archive_too_large");
  EXPECT_THAT(ProblemOf(by_member.status).found, HasSubstr("a:large"));
  const Read by_count = ReadAll(bytes, {.members = 1});
  EXPECT_EQ(ProblemOf(by_count.status).code, "archive_too_large");
  // A file of a hundred letters may be within the limits of the whole, and no more.
  EXPECT_TRUE(ReadAll(Archive("zip", "", {{"x", large}}), {.free = 10'000'000}).status.ok());
  EXPECT_THAT(ReadAll(bytes, {.member = 1}).files, IsEmpty());
}

}  // namespace
}  // namespace joseki::book
