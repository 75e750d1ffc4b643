// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tandem {

// Who reads a setting, and so what an invalid value does.
enum class SettingReader : uint8_t {
  kCommunicator,  // EI0001 where a communicator or root info is made
  kRuntime,       // an error of the call that needs the devices
  kLog,           // the default is used instead, as CANN does
};

enum class SettingEffect : uint8_t {
  kObeyed,
  kChecked,  // accepted and checked as on a device; nothing on a host without NPU depends on it
};

// One environment variable. The library parses from the same table that `tandem info` prints and from which
// docs/settings.md is made.
struct Setting {
  const char* name;
  const char* type;
  const char* default_text;
  const char* range;  // what is accepted, as it appears after "expected" in an error
  const char* help;
  SettingReader reader;
  SettingEffect effect;
  bool (*accepts)(std::string_view text);  // null: every text, or the reader checks it itself
};

std::span<const Setting> Settings();

struct SettingValue {
  std::string text;               // as the library uses it
  bool from_environment = false;  // otherwise the default
  Status valid;                   // why the value in the environment is refused
};
// REQUIRES: `setting` is an element of Settings()
SettingValue EffectiveValue(const Setting& setting);

// What the environment says, or nothing when it is unset or empty. Every variable is read once, at its first
// use. REQUIRES: Settings() has that name
std::optional<std::string> SettingText(std::string_view name);

// The name patterns of HCCL_SOCKET_IFNAME.
struct NicFilter {
  bool exclude = false;  // ^
  bool exact = false;    // =; otherwise names are prefixes
  std::vector<std::string> names;
  bool Accepts(std::string_view nic) const;
};

// HCCL_HOST_SOCKET_PORT_RANGE: any free port, or one of these ranges, tried in order.
struct PortRanges {
  bool any = false;
  std::vector<std::pair<uint16_t, uint16_t>> ranges;  // both ends included
};

enum class AddressFamily : uint8_t { kUnset, kInet, kInet6 };
enum class BatchDuplicates : uint8_t { kReject, kList, kSorted };

// Each returns the value or default, or EI0001 (Code::kInvalidArgument) with value, variable and expectation.
namespace config {

// How long set-up waits for other ranks. TANDEM_CONNECT_TIMEOUT goes before HCCL_CONNECT_TIMEOUT.
Result<std::chrono::nanoseconds> ConnectTimeout();
// The same plus the time that HCCL adds to tell the other ranks why it failed (20 s, only to HCCL's
// variable).
Result<std::chrono::nanoseconds> RootExchangeTimeout();
// How long an operation waits for its other side; nothing means for ever.
Result<std::optional<std::chrono::nanoseconds>> ExecTimeout();

// How long something waits before a note says so; nothing means: no notes.
Result<std::optional<std::chrono::nanoseconds>> NoteAfter();

Result<std::optional<std::string>> HostAddress();  // CM_WORKER_IP, else HCCL_IF_IP
// Which of these two has given it.
const char* HostAddressVariable();
Result<std::optional<NicFilter>> HostNics();  // HCCL_SOCKET_IFNAME
Result<AddressFamily> SocketFamily();
Result<uint16_t> BasePort();                    // HCCL_IF_BASE_PORT
Result<std::optional<PortRanges>> HostPorts();  // HCCL_HOST_SOCKET_PORT_RANGE

// HCCL_WHITELIST_FILE when HCCL_WHITELIST_DISABLE is 0, "" when that is not set; nothing when nobody is kept
// out.
Result<std::optional<std::string>> WhitelistFile();
Result<uint64_t> BufferMebibytes();  // HCCL_BUFFSIZE
// HCCL_DETERMINISTIC as HcclConfigValue has it: false 0, true 1, strict 2; nothing when it is unset.
Result<std::optional<uint32_t>> Deterministic();
Result<uint32_t> DeviceCount();
Result<uint64_t> DeviceMemoryBytes();
Result<BatchDuplicates> BatchDuplicatesRule();
// kNotSupported for a schedule that does not exist yet.
Status CheckBatchSchedule();
// How long a thread polls before it sleeps; nothing means: choose from cores and ranks.
Result<std::optional<std::chrono::microseconds>> SpinTime();

// Every setting that a communicator depends on, and those that a device's would depend on; the first invalid
// one is the error. Logs once what is set and which of that has no effect.
Status CheckCommunicatorSettings();

// Forgets what was read, so that the next use reads the environment again.
void ReadAgainForTest();

}  // namespace config
}  // namespace tandem
