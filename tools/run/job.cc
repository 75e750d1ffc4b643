// SPDX-License-Identifier: Apache-2.0
#include "run/job.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "run/file_limit.h"
#include "run/port.h"
#include "run/run_directory.h"
#include "run/supervisor.h"
#include "verb.h"

namespace tandem::tools {
namespace {

// Whoever started us may have closed 0, 1 or 2; the next pipe must not become one of them.
void FillStandardDescriptors() {
  int fd = -1;
  do {
    fd = open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd >= 0) close(fd);
}

int Refuse(const Status& status) {
  std::fprintf(stderr, "tandem run: %.*s\n", static_cast<int>(status.text().size()), status.text().data());
  return kExitInternal;
}

}  // namespace

int RunJob(const RunOptions& options) {
  FillStandardDescriptors();
  const FileLimit file_limit;
  // From here on a Ctrl-C is a message for the supervisor, so it cannot leave the directory behind.
  Signals signals;
  Result<uint16_t> port = options.master_port ? Result<uint16_t>(*options.master_port) : FreePort();
  if (!port) return Refuse(port.status());
  Result<RunDirectory> directory = RunDirectory::Create();
  if (!directory) return Refuse(directory.status());
  return Supervisor(options, signals, file_limit).Run(*port, directory->path());
}

}  // namespace tandem::tools
