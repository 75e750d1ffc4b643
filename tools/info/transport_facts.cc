// SPDX-License-Identifier: Apache-2.0
#include "info/transport_facts.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "info/memory_probe.h"

namespace tandem::tools {
namespace {

// Arenas and transfer slots are anonymous files; some sandboxes refuse to make one.
TransportFacts SameHost() {
  const UniqueFd probe(memfd_create("tandem-info", MFD_CLOEXEC));
  if (!probe.valid()) return {"same host", false, std::string("memfd_create fails: ") + std::strerror(errno)};
  const std::string refused = WhyPeersCannotRead();
  return {"same host", true,
          "device memory is shared; other memory is copied " +
              (refused.empty() ? std::string("by the kernel")
                               : "through a buffer, because the kernel says: " + refused)};
}

}  // namespace

std::vector<TransportFacts> GatherTransports() {
  return {
      {"same process", true, "direct copies"},
      SameHost(),
      {"other host", false, "this build has no transport to other hosts"},
  };
}

}  // namespace tandem::tools
