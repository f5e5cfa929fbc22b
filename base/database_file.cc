#include "base/database_file.h"

#include <cstdint>
#include <fstream>

namespace joseki {

bool IsSqlite(std::string_view head) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  return head.starts_with(kMagic);
}

bool IsBookDatabase(std::string_view head) {
  if (!IsSqlite(head) || head.size() < kDatabaseHeader) return false;
  uint32_t id = 0;
  for (const char c : head.substr(68, 4)) id = id << 8 | static_cast<uint8_t>(c);
  return id == kApplicationId;
}

bool IsBookDatabaseAt(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char head[kDatabaseHeader] = {};
  in.read(head, sizeof head);
  return IsBookDatabase(std::string_view(head, static_cast<size_t>(in.gcount())));
}

}  // namespace joseki
