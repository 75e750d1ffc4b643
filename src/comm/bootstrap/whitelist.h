// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace tandem::bootstrap {

// HCCL_WHITELIST_DISABLE=0: only the addresses under "host_ip" of HCCL_WHITELIST_FILE may connect to a root
// of this process. The file is read once, at the first root. EI0001 with kInvalidArgument when the list is
// wanted and there is none: no file is set, it cannot be read, is not such a list, or holds no address.
Status CheckWhitelist();

// Whether whoever connects from there is let in. REQUIRES: CheckWhitelist() was a success
bool MayJoin(const sockaddr_storage& from);

// The addresses of such a file, in figures and as the system spells them; EI0001 as above. For tests, too.
Result<std::vector<std::string>> ReadWhitelist(const std::string& path);

}  // namespace tandem::bootstrap
