#include "worker/instance.h"

#include <charconv>

#include "absl/strings/str_cat.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace joseki::worker {

absl::StatusOr<uint64_t> InstanceIn(const std::string& folder, Rng rng) {
  const std::string path = folder + "/instance";
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (text.ok()) {
    uint64_t instance = 0;
    const auto [end, error] =
        std::from_chars(text->data(), text->data() + text->size(), instance, 16);
    if (error == std::errc() && instance != 0 && std::string_view(end) == "\n") return instance;
  } else if (!absl::IsNotFound(text.status())) {
    return text.status();
  }
  const uint64_t drawn = rng.Next() | 1;
  RETURN_IF_ERROR(WriteFileAtomically(path, absl::StrCat(absl::Hex(drawn), "\n")));
  return drawn;
}

}  // namespace joseki::worker
