// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tandem::test {

// A directory for one test's files; gone with everything in it at the end.
class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string Path(const std::string& name) const { return directory_ + "/" + name; }
  // Writes the file as a whole, so that nobody reads half of it; returns its path.
  std::string Write(const std::string& name, const std::string& text) const;

 private:
  std::string directory_;
};

// One line of a rank table.
struct TableDevice {
  std::string device_id;
  std::string rank_id;
  std::string more = {};  // further members, each with a comma in front
};

// Format 1.0 with one server, whose name is different for every test process: jobs of other tests do not meet
// these.
std::string TableText(const std::vector<TableDevice>& devices, const std::string& status = "completed");
// `ranks` ranks, rank i on device i.
std::string TableText(uint32_t ranks);
std::string UniqueServer();

}  // namespace tandem::test
