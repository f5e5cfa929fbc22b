#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace joseki::testing {

// The rows of a tab-separated file without its header line.
inline std::vector<std::vector<std::string>> ReadTsv(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> rows;
  std::string line;
  for (bool header = true; std::getline(in, line); header = false) {
    if (header || line.empty()) continue;
    std::vector<std::string> row;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) row.push_back(field);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace joseki::testing
